"""Limits: what a step may never do. Each file holds one, as rows and, where a box says it, as a compiled box.

By hand: choices, coordinate by coordinate.
Held by: tests/differential_ik/test_two_objectives.py.
"""
