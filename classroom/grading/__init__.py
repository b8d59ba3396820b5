"""Grades hand-ins by nbgrader: the checks run in the kernel, a student's cells in another process.

`checks.py` runs a hand-in, `stand_in.py` is what its kernel knows of the student, `worker.py` holds the student's
functions. Between the two goes what `wire.py` can write down, and nothing else; `apart.py` keeps the worker from the
course. `hand_in.py` puts the cells into order, `marks.py` and `causes.py` tell of the class.
"""
