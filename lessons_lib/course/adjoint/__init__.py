"""Lesson 04: Whose frame is it?"""
