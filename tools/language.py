"""Check the language of docstrings, comments, messages, prose and names: `python -m tools.language [PATHS]`.

The rules are in `language.toml`. `language_accepted.txt` lists the accepted hits: file, rule and text. The check fails
if a hit is not accepted, or if an accepted hit no longer occurs; `--accept` writes that file anew.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RULES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["rule"]
ACCEPTED = Path(__file__).with_name("language_accepted.txt")
SUFFIXES = {".py", ".pyi", ".md", ".ipynb", ".ts"}
SPEAKING = {"warn", "print", "fail", "CheckFailed", "exit", "add_argument", "add_parser", "ArgumentParser", "log"}
NOUNS = ("property", "fixture", "setter")
SENTENCE = re.compile(r"(?<=[.:;!?])\s+(?=[A-Z`])|\n\s*\n|\n\s*(?=[-*|#] )|\n\s+(?=\w+: )")

Unit = tuple[str, int, str]


def units(path: Path, text: str) -> Iterator[Unit]:
    """Yield kind, line (of a notebook: cell) and text of each piece of prose and each function name in a file."""
    if path.suffix == ".md":
        yield "prose", 1, re.sub(r"(?s)```.*?```|`[^`\n]*`", "`x`", text)
    elif path.suffix == ".ipynb":
        for number, cell in enumerate(json.loads(text)["cells"]):
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                yield "prose", number, re.sub(r"(?s)\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", "`x`", source)
            else:
                yield from ((kind, number, piece) for kind, _, piece in _python(re.sub(r"(?m)^\s*[%!].*$", "", source)))
    elif path.suffix == ".ts":
        for match in re.finditer(r"(?m)(?<!:)//[ ]?([^\n]*)$|/\*\*?((?s:.*?))\*/", text):
            comment = re.sub(r"\n\s*\*", "\n", match[1] or match[2] or "")
            yield "comment", text[: match.start()].count("\n") + 1, comment
    else:
        yield from _python(text)


def _python(text: str) -> Iterator[Unit]:
    messages: dict[int, ast.expr] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            decorators = " ".join(map(ast.unparse, node.decorator_list))
            noun = any(word in decorators for word in NOUNS)
            kind = "test-name" if node.name.startswith("test_") else "noun" if noun else "function"
            yield kind, node.lineno, node.name
            if not noun and (doc := ast.get_docstring(node)):
                yield "function-doc", node.body[0].lineno, doc
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (doc := ast.get_docstring(node)):
            yield "doc", node.body[0].lineno, doc
        if isinstance(node, ast.Module | ast.ClassDef):
            values = [one.value for one in node.body[1:] if isinstance(one, ast.Expr)]  # the docstrings of attributes
            for value in values:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield "doc", value.lineno, value.value
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Raise) or getattr(called, "attr", getattr(called, "id", "")) in SPEAKING:
            messages |= {id(one): one for one in _strings(node)}
    yield from (("message", one.lineno, ast.unparse(one)) for one in messages.values())
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not re.match(r"#\s*(noqa|type:|pragma|!|###)", token.string):
            yield "comment", token.start[0], token.string.lstrip("# ")


def _strings(node: ast.AST) -> Iterator[ast.expr]:
    parts = {id(n) for f in ast.walk(node) if isinstance(f, ast.JoinedStr) for n in ast.walk(f) if n is not f}
    for one in ast.walk(node):
        text = isinstance(one, ast.JoinedStr) or (isinstance(one, ast.Constant) and isinstance(one.value, str))
        if text and id(one) not in parts and " " in ast.unparse(one):
            assert isinstance(one, ast.expr)
            yield one


def hits(name: str) -> Iterator[tuple[str, int, str]]:
    """Yield rule, line and text of each hit in a file of the repository."""
    path = ROOT / name
    for kind, line, text in units(path, path.read_text("utf-8")):
        for rule in RULES:
            if kind not in rule["where"] or not name.startswith(tuple(rule.get("scope", [""]))):
                continue
            if name.startswith(tuple(rule.get("skip", []))):
                continue
            if "first" in rule:
                texts = [first] if re.search(rule["first"], first := text.splitlines()[0]) else []
            elif "sentence" in rule:
                parts = [" ".join(part.split()) for part in SENTENCE.split(text)]
                parts = [part for part in parts if not part.endswith("?") and len(part.split()) > 3]
                texts = [part for part in parts if re.search(rule["sentence"], part)]
            else:
                flat = " ".join(text.split())
                texts = [flat[max(0, m.start() - 30) : m.end() + 30] for m in re.finditer(rule["text"], flat)]
            yield from ((rule["name"], line, one[:90].strip()) for one in texts)


def _key(name: str, rule: str, _line: int, text: str) -> str:
    return f"{name}: {rule}: {text}"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 1 if the hits are not exactly the accepted ones."""
    parser = argparse.ArgumentParser(prog="python -m tools.language", description="Check texts and names.")
    parser.add_argument("paths", nargs="*", help="files or folders below the root of the repository; default: all")
    parser.add_argument("--accept", action="store_true", help="accept all hits that there are now")
    parser.add_argument("--counts", action="store_true", help="count the hits of each rule in each folder")
    options = parser.parse_args(arguments)
    listing = ["git", "ls-files", *options.paths]
    listed = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    names = [name for name in listed if Path(name).suffix in SUFFIXES and (ROOT / name).exists()]
    all_hits = [(name, *hit) for name in names for hit in hits(name)]
    if options.counts:
        folders = Counter(("/".join(name.split("/")[:-1][:2]) or ".", rule) for name, rule, _, _ in all_hits)
        print("\n".join(f"{count:5}  {folder}  {rule}" for (folder, rule), count in sorted(folders.items())))
        print(f"{len(all_hits):5}  in all")
        return 0
    accepted = Counter(ACCEPTED.read_text("utf-8").splitlines() if ACCEPTED.exists() else [])
    keys = Counter(_key(*hit) for hit in all_hits)
    elsewhere = Counter({key: n for key, n in accepted.items() if options.paths and key.split(": ")[0] not in names})
    if options.accept:
        ACCEPTED.write_text("".join(f"{key}\n" for key in sorted((elsewhere + keys).elements())), "utf-8")
        return 0
    advice = {rule["name"]: rule["say"] for rule in RULES}
    fresh = [hit for hit in all_hits if keys[_key(*hit)] > accepted[_key(*hit)]]
    for name, rule, line, text in fresh:
        print(f"{name}:{line}: {rule}: {text}\n    write: {advice[rule]}")
    stale = accepted - elsewhere - keys
    for key in stale:
        print(f"no longer there, delete it from {ACCEPTED.name}: {key}")
    return int(bool(fresh or stale))


if __name__ == "__main__":
    sys.exit(main())
