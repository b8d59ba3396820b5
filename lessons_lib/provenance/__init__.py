"""Where everything that runs in a solve came from: derived by which formula, or written by hand and held by which test.

Nothing here is a list that somebody keeps. The four entries of the library are run, what runs in them is found in the
compiled code, each function says by what it was derived, and the lessons have stored which claims are about that.
"""

from lessons_lib.provenance.complaints import faults
from lessons_lib.provenance.evidence import Evidence
from lessons_lib.provenance.rows import Table, table
from lessons_lib.provenance.runs import running

__all__ = ["Evidence", "Table", "faults", "running", "table"]
