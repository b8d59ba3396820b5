"""Find an installed Chromium or Chrome, which prints the book and runs the browser tests."""

import os
import shutil

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

WITHOUT_GPU = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
"""Flags with which the processor draws 3D scenes."""


def browser_path() -> str | None:
    """Return the executable: $CHROMIUM, or the first browser on the path; None without any."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
