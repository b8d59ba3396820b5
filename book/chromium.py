"""Which browser prints the book, and looks at it in tests: a Chromium or Chrome that is installed already."""

import os
import shutil

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

IN_SPACE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"]
"""Flags with which the processor draws in space, where there is no graphics card."""


def browser_path() -> str | None:
    """Return the executable: $CHROMIUM, or the first of the browsers on the path; None where there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
