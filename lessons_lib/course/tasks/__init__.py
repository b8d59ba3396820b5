"""Lesson 17: How do many tasks share one body?"""
