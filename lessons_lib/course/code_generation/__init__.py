"""Lesson 07: How do symbols become a solver?"""
