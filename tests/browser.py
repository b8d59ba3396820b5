"""Flags and sizes of the browser in tests, and a recorder of faults in a page."""

import re
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from chromium import WITHOUT_GPU
from playwright.sync_api import Page, Request, ViewportSize

DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
NETWORK = re.compile(r"^(?!file:|data:|blob:)")
MATHJAX = re.compile(r"/_static/mathjax/\w[^/]*\.js")  # without the checksum after it
COARSE = 0.5  # device pixels per CSS pixel: without a GPU, drawing is slow
PATIENCE = 300_000.0  # timeout, ms, long enough for a busy machine
AXE = Path(__file__).resolve().parents[1] / "front" / "node_modules" / "axe-core" / "axe.min.js"
QUIET = "--no-sandbox --disable-background-networking --disable-component-update --disable-sync --no-first-run".split()
IN_SPACE = (*WITHOUT_GPU, "--disable-gpu-compositing")
"""Flags for 3D scenes; whole pages would take five times as long."""


@dataclass
class Witness:
    """Faults that occur while a page is open."""

    home: str
    faults: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Record console errors, exceptions and failed or external requests of a page."""
        page.on("console", lambda message: message.type == "error" and self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("requestfailed", self.record_failure)
        page.on("response", lambda answer: answer.status < 400 or self.faults.append(f"{answer.status}: {answer.url}"))
        page.on("request", lambda request: self.check_origin(request.url))

    def record_failure(self, request: Request) -> None:
        """Record a failed request, except one that a click to the next page has cancelled."""
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"failed: {request.url} ({request.failure})")

    def check_origin(self, url: str) -> None:
        """Record a request outside the folder or the server of the book."""
        if not url.startswith((f"{self.home}/", "data:", "blob:")):
            self.faults.append(f"left the book: {url}")


def free_port() -> int:
    """Return a free port below those that operating systems assign, which another process could get meanwhile."""
    while True:
        port = 16_384 + secrets.randbelow(16_384)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
