"""Lesson 13: What do weights mean?"""
