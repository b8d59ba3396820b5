"""What the tests in a browser share: its flags and sizes, and a witness of what goes wrong in a page."""

import re
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page, ViewportSize

DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
NETWORK = re.compile(r"^(?!file:|data:|blob:)")
MATHJAX = re.compile(r"/_static/mathjax/\w[^/]*\.js")  # what follows, a checksum, comes and goes
COARSE = 0.5  # dots of the screen a pixel, for a processor has to draw them all
PATIENCE = 300_000.0  # ms until a hang ends; a busy machine takes a part of it
AXE = Path(__file__).resolve().parents[1] / "front" / "node_modules" / "axe-core" / "axe.min.js"
QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
IN_SPACE = (
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-gpu-compositing",
)
"""Without a graphics card the processor draws in space; composing whole pages that way takes five times as long."""


@dataclass
class Witness:
    """What went wrong while a page was open."""

    home: str
    faults: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Listen to everything a page can complain about, and to every request."""
        page.on("console", lambda message: message.type == "error" and self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("requestfailed", lambda request: self.faults.append(f"failed: {request.url}"))
        page.on("response", lambda answer: answer.status < 400 or self.faults.append(f"{answer.status}: {answer.url}"))
        page.on("request", lambda request: self.check_origin(request.url))

    def check_origin(self, url: str) -> None:
        """Note a request that leaves the folder, or the server, of the book."""
        if not url.startswith((f"{self.home}/", "data:", "blob:")):
            self.faults.append(f"left the book: {url}")


def free_port() -> int:
    """Return a port for a server that will soon begin.

    It lies below those that systems give to whoever asks for any: one of these might be given away until then.
    """
    while True:
        port = 16_384 + secrets.randbelow(16_384)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
