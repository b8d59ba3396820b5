"""Lesson 02: What is a rotation's logarithm?"""
