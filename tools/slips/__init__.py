"""Mutants of the exercises' solutions: is every cause that a check names the one that was planted?"""
