"""Build the book by `jupyter-book build` with the book's settings; further arguments are passed on.

One of its dependencies compiles a grammar of addresses on import, for seconds, which is not used here; it is optional
and disabled.
"""

import sys
from pathlib import Path

sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

from jupyter_book.cli.main import main  # type: ignore[import-untyped]  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = ["--config", f"{ROOT}/book/_config.yml", "--toc", f"{ROOT}/book/_toc.yml"]

if __name__ == "__main__":
    main(["build", str(ROOT), *SETTINGS, "--all", "-W", "-n", "--keep-going", *sys.argv[1:]])
