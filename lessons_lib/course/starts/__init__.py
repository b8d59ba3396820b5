"""Lesson 12: Where should it start?"""
