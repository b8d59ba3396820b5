"""Tasks: what the robot should do, as well as all of it can be done. Each file holds one, readable and compiled.

By hand: sums over the coordinates of any robot.
Held by: tests/differential_ik/test_two_objectives.py.
"""
