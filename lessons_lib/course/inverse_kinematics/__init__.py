"""Lesson 01: What is inverse kinematics?"""
