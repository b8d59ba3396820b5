"""How nbgrader finds this course: sources in this folder, everything it makes in build/nbgrader, or in $LESSONS_COURSE.

Run it from the repository's root, which hands on to this file: `nbgrader generate_assignment 02_rotation_logarithm`.
Settings of your own go into a file of the same form, which $LESSONS_SETTINGS names.
"""

import os
import sys
import warnings
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    DeduplicateIds,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)

if Path(sys.argv[0]).stem == "nbgrader" and any(word.startswith("--config") for word in sys.argv):
    sys.exit(
        "--config is not read here: let LESSONS_SETTINGS name your file, whose settings then go before the course's"
    )

HERE = Path(__file__).resolve().parent
COURSE = Path(os.environ.get("LESSONS_COURSE", HERE.parent / "build" / "nbgrader")).resolve()
COURSE.mkdir(mode=0o700, parents=True, exist_ok=True)  # SQLite makes its file, but not the folder around it
if (tools := str(Path(sys.executable).parent)) not in os.environ["PATH"].split(os.pathsep):
    os.environ["PATH"] = f"{tools}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic by its bare name
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))

from classroom.copies.exercises import STUB  # noqa: E402
from classroom.grading.checks import Isolated  # noqa: E402
from classroom.grading.collect import Collect  # noqa: E402
from classroom.grading.submission import ArrangeCells, FeedbackPage, Reader  # noqa: E402

warnings.filterwarnings("ignore", "Object of type <Submitted", module="nbgrader.api")  # SQLAlchemy, of nbgrader's code
c = get_config()  # noqa: F821 (nbgrader runs this file with get_config in scope)
c.CourseDirectory.course_id = "from-symbols-to-solver"
c.CourseDirectory.root = str(COURSE)
c.CourseDirectory.source_directory = str(HERE)
c.CourseDirectory.db_url = f"sqlite:///{COURSE / 'gradebook.db'}"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "*.pyc", "typical_mistake.py"]
c.Exchange.root = os.environ.get("LESSONS_EXCHANGE", str(COURSE / "exchange"))
words = " ".join(sys.argv).replace("--student ", "--student=").split()
STUDENT = next((word.partition("=")[2] for word in words if word.startswith("--student=")), "")
if STUDENT and STUDENT.isprintable() and not set(STUDENT) & set("/\\*+") and STUDENT.strip("."):
    # several students of one account: the work and the receipts of each, which nbgrader would mix, in a folder
    (COURSE / "students" / STUDENT).mkdir(parents=True, exist_ok=True)
    c.Exchange.assignment_dir = str(COURSE / "students" / STUDENT)
    c.Exchange.cache = str(COURSE / "students" / STUDENT / ".handed_in")
c.Isolated.own_numbers = bool(os.environ.get("LESSONS_OWN_NUMBERS"))
c.Isolated.startup_timeout = 900  # seconds
c.ExchangeFactory.collect = Collect
c.Autograde.exporter_class = Reader
c.Autograde.sanitize_preprocessors = [
    ArrangeCells,
    DeduplicateIds,
    OverwriteKernelspec,
    OverwriteCells,
    CheckCellMetadata,
]
c.Autograde.autograde_preprocessors = [
    Isolated,
    IgnorePattern,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
c.GenerateFeedback.preprocessors = [GetGrades, FeedbackPage, CSSHTMLHeaderPreprocessor]
c.ClearSolutions.code_stub = {"python": STUB}
c.AssignLatePenalties.plugin_class = "classroom.grading.marks.Late"
c.CsvExportPlugin.to = str(COURSE / "marks.csv")
c.Canvas.to = str(COURSE / "canvas.csv")
c.Moodle.to = str(COURSE / "moodle.csv")
c.Causes.to = str(COURSE / "causes.csv")
if settings := os.environ.get("LESSONS_SETTINGS"):
    load_subconfig(str(Path(settings).resolve()))  # noqa: F821
