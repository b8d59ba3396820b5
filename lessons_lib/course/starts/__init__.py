"""Lesson 12: Where should the solver start?"""
