"""Lesson 21: What must the arm not touch?"""
