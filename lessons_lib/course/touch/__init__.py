"""Lesson 23: What must it not touch?"""
