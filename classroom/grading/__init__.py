"""Grade submissions with nbgrader: the checks run in the kernel, a student's cells in a separate process.

`submission.py` puts the cells into the order of the exercise and `checks.py` runs them. In the kernel,
`student_proxy.py` forwards calls to `worker.py`, which holds the student's functions; `rpc.py` defines the messages
between the two, and `sandbox.py` isolates the worker. `marks.py` and `causes.py` export tables for the class.
"""
