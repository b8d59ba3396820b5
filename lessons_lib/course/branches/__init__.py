"""Lesson 20: How many answers are there?"""
