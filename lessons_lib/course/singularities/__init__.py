"""Lesson 09: When does it break?"""
