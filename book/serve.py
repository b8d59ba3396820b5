"""Serve the built book on this machine alone and print its address; Ctrl-C stops it.

python book/serve.py book/_build/html [--port 8000]
"""

import argparse
from collections.abc import Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HOST = "127.0.0.1"


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a line on the terminal for each of them."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the address stays the last line on the terminal."""


def book_server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server of the folder that already listens.

    Args:
        folder: The built book, which holds index.html.
        port: 0 takes any free port.

    Raises:
        FileNotFoundError: The folder holds no index.html.
        OSError: The port is taken.
    """
    if not (folder / "index.html").is_file():
        raise FileNotFoundError(f"{folder} holds no index.html: run `make book-html` first")
    return ThreadingHTTPServer((HOST, port), partial(QuietHandler, directory=str(folder)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted; returns the exit status."""
    parser = argparse.ArgumentParser(description="Serve the built book on localhost.")
    parser.add_argument("folder", type=Path, help="the built book")
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes any free port")
    options = parser.parse_args(arguments)
    with book_server(options.folder, options.port) as server:
        print(f"The course is at http://{HOST}:{server.server_port}/ (Ctrl-C stops it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
