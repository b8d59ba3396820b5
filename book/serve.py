"""Serve the built book on localhost and print its address; Ctrl-C stops it.

python book/serve.py book/_build/html [--port 8000]
"""

import argparse
from collections.abc import Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HOST = "127.0.0.1"


class QuietHandler(SimpleHTTPRequestHandler):
    """Request handler without log messages."""

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing, so that the address stays the last line."""


def book_server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a listening server of the folder.

    Args:
        folder: The built book, with index.html.
        port: Port; 0 for any free one.

    Raises:
        FileNotFoundError: The folder has no index.html.
        OSError: The port is taken.
    """
    if not (folder / "index.html").is_file():
        raise FileNotFoundError(f"{folder} has no index.html: run `make book-html` first")
    return ThreadingHTTPServer((HOST, port), partial(QuietHandler, directory=str(folder)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted, and return the exit status."""
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
