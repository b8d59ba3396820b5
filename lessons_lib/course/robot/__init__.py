"""Lesson 24: How does it get onto a robot?"""
