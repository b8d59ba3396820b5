"""Lesson 17: How can many tasks share one body?"""
