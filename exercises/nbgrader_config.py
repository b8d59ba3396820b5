"""Configuration of nbgrader: the sources are in this folder, the course folder is build/nbgrader or $LESSONS_COURSE.

Run nbgrader in the root of the repository, where `nbgrader_config.py` loads this file, for example
`nbgrader generate_assignment 02_rotation_logarithm`. To change settings, write a file with lines such as
`c.Isolated.timeout = 60`, and set $LESSONS_SETTINGS to its path.
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
        "--config is not accepted: set LESSONS_SETTINGS to the path of your file, whose settings override the course's"
    )

HERE = Path(__file__).resolve().parent
COURSE = Path(os.environ.get("LESSONS_COURSE", HERE.parent / "build" / "nbgrader")).resolve()
COURSE.mkdir(mode=0o700, parents=True, exist_ok=True)  # SQLite creates its file, but not the folder
if (tools := str(Path(sys.executable).parent)) not in os.environ["PATH"].split(os.pathsep):
    os.environ["PATH"] = f"{tools}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic by its bare name
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))

from classroom.copies.exercises import STUB  # noqa: E402
from classroom.grading.checks import Isolated  # noqa: E402
from classroom.grading.collect import Collect  # noqa: E402
from classroom.grading.submission import ArrangeCells, FeedbackPage, Reader  # noqa: E402

warnings.filterwarnings("ignore", "Object of type <Submitted", module="nbgrader.api")  # nbgrader's use of SQLAlchemy
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
    # several students share an account: a folder for each, because nbgrader would mix their work and receipts
    (COURSE / "students" / STUDENT).mkdir(parents=True, exist_ok=True)
    c.Exchange.assignment_dir = str(COURSE / "students" / STUDENT)
    c.Exchange.cache = str(COURSE / "students" / STUDENT / ".submitted")
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
    try:
        load_subconfig(str(Path(settings).resolve(strict=True)))  # noqa: F821
    except Exception as problem:  # noqa: BLE001 (nbgrader would log it and continue without the course's settings)
        sys.exit(f"LESSONS_SETTINGS={settings} cannot be loaded: {type(problem).__name__}: {problem}")
