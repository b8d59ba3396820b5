"""Lesson 03: What is a twist?"""
