"""Lesson 15: Why seven joints?"""
