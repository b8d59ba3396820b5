"""Lesson 23: How does a solver drive a robot?"""
