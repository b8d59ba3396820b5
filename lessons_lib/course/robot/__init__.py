"""Lesson 23: How does it get onto a robot?"""
