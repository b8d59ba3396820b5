"""Lesson 22: How fast may it go?"""
