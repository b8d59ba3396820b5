"""Lesson 08: How does Newton find q?"""
