"""Lesson 11: Which Levenberg-Marquardt?"""
