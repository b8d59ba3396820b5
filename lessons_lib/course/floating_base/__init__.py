"""Lesson 18: What if the base floats?"""
