"""Lesson 16: What must never happen?"""
