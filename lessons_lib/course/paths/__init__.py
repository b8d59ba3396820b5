"""Lesson 14: How do you follow a path?"""
