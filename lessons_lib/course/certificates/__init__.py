"""Lesson 21: How sure are you?"""
