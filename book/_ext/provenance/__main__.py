"""`python -m provenance`: run the entries, and write what runs in each to stdout, pickled."""

import pickle
import sys

from provenance.runs import run_each

if __name__ == "__main__":
    sys.stdout.buffer.write(pickle.dumps(run_each()))
