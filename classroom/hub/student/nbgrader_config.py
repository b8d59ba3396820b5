"""Configuration of nbgrader on a student's server."""

import os
from pathlib import Path

c = get_config()  # noqa: F821 (nbgrader runs this file with get_config in scope)
c.CourseDirectory.course_id = "from-symbols-to-solver"
c.CourseDirectory.student_id = os.environ["JUPYTERHUB_USER"]
c.Exchange.root = os.environ["LESSONS_EXCHANGE"]
c.Exchange.cache = str(Path.home() / ".local" / "share" / "lessons")
