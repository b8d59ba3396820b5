"""Entry point of `python -m lessons_lib`, the same as the command `lessons`."""

import sys

from lessons_lib.cli import main

if __name__ == "__main__":
    sys.exit(main())
