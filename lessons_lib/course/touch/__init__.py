"""Lesson 21: What must it not touch?"""
