"""Lesson 19: How many solutions are there?"""
