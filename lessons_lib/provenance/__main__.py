"""`python -m lessons_lib.provenance`: run the entries and say what runs in each."""

from lessons_lib.provenance.runs import report

if __name__ == "__main__":
    print(report())
