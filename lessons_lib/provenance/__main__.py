"""`python -m lessons_lib.provenance ENTRY`: run an entry and say what runs in it."""

import sys

from lessons_lib.provenance.runs import report

print(report(sys.argv[1]))
