"""Lesson 19: How long does a map take?"""
