"""Lesson 05: Which robot is it?"""
