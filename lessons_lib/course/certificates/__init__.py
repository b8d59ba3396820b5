"""Lesson 20: How sure are you?"""
