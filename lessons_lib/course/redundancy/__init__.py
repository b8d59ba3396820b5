"""Lesson 15: What is spare?"""
