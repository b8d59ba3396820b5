"""How nbgrader finds this course: sources in this folder, everything it makes under build/nbgrader.

Run it from this folder: `cd exercises && nbgrader generate_assignment 02_rotation_logarithm`.
"""

from pathlib import Path

HERE = Path(__file__).resolve().parent
COURSE = HERE.parent / "build" / "nbgrader"
COURSE.mkdir(parents=True, exist_ok=True)  # SQLite makes its file, but not the folder around it

c = get_config()  # noqa: F821 (nbgrader runs this file with get_config in scope)
c.CourseDirectory.course_id = "from-symbols-to-solver"
c.CourseDirectory.root = str(COURSE)
c.CourseDirectory.source_directory = str(HERE)
c.CourseDirectory.db_url = f"sqlite:///{COURSE / 'gradebook.db'}"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "*.pyc", "typical_mistake.py"]
c.ExecutePreprocessor.startup_timeout = 900  # seconds
c.ExecutePreprocessor.timeout = 900  # seconds a cell: the first call of a kernel compiles it, and a machine may be busy
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\nraise NotImplementedError('your code is missing here')"}
