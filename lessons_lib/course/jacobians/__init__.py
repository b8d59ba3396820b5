"""Lesson 06: How does the tip move?"""
