"""`python -m lessons_lib` is the command `lessons`."""

import sys

from lessons_lib.cli import main

if __name__ == "__main__":
    sys.exit(main())
