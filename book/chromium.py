"""Find an installed Chromium or Chrome, which prints the book and runs the browser tests."""

import os
import shutil

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

IN_SPACE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"]
"""Flags for 3D drawing without a graphics card."""


def browser_path() -> str | None:
    """Return the executable: $CHROMIUM, or the first browser on the path; None without any."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
