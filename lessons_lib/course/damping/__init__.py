"""Lesson 10: What does damping buy?"""
