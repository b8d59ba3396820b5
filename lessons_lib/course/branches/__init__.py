"""Lesson 19: How many answers are there?"""
