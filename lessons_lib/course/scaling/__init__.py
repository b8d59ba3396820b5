"""Lesson 24: How long does a map take?"""
