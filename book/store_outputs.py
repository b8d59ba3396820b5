"""Run notebooks in place and store their outputs in a normal form that is reproducible byte for byte.

python book/store_outputs.py notebooks/02_rotation_logarithm.ipynb    run and store one
python book/store_outputs.py                                          run and store all
python book/store_outputs.py --check                                  run nothing, report differences
"""

import argparse
import base64
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))  # classroom/ is not in a package
from classroom.kernel_sockets import use_unix_sockets  # noqa: E402

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {"file_extension": ".py", "mimetype": "text/x-python", "name": "python", "pygments_lexer": "ipython3"}
KEPT_CELL_METADATA = ("mystnb", "nbgrader", "numbers", "tags")
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
PNG_HEAD = 8  # bytes of the signature before the first chunk
PNG_FRAME = 12  # bytes of a chunk besides its data: length, type, checksum
PNG_TEXT = (b"tEXt", b"zTXt", b"iTXt", b"tIME")
MASKS = (
    (re.compile(r"\b0x[0-9a-fA-F]{8,}"), "0x…"),  # address of an object in memory
    (re.compile(r"(?:/[\w.+-]+)+/(?=(?:lessons_lib|site-packages)/)"), "…/"),  # installation folders
)


def notebooks() -> list[Path]:
    """Return every notebook of the course, lessons first."""
    return [*sorted(ROOT.glob("notebooks/*.ipynb")), *sorted(ROOT.glob("exercises/*/*.ipynb"))]


def without_png_text(png: str) -> str:
    """Return a base64 PNG without its text chunks, which contain the version of matplotlib."""
    data = base64.b64decode(png)
    kept, at = [data[:PNG_HEAD]], PNG_HEAD
    while at < len(data):
        end = at + PNG_FRAME + int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] not in PNG_TEXT:
            kept.append(data[at:end])
        at = end
    return base64.b64encode(b"".join(kept)).decode("ascii")


def mask_text(text: str) -> str:
    """Return the text without memory addresses and without folders of this machine."""
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return text


def normal_data(data: NotebookNode) -> NotebookNode:
    """Return the MIME bundle of one output: no widget view, bare PNG, masked text."""
    normal = NotebookNode()
    for mime, value in data.items():
        if mime == "image/png":
            normal[mime] = without_png_text(value)
        elif mime != WIDGET_VIEW:
            normal[mime] = mask_text(value) if isinstance(value, str) else value
    return normal


def normal_output(output: NotebookNode, count: int | None) -> NotebookNode:
    """Return one output in normal form."""
    if "data" in output:
        output.data = normal_data(output.data)
    if "text" in output:
        output.text = mask_text(output.text)
    if "traceback" in output:
        output.traceback = [mask_text(line) for line in output.traceback]
    if output.output_type == "execute_result":
        output.execution_count = count
    return output


def join_streams(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return the outputs with neighbouring pieces of one stream joined; kernels split them arbitrarily."""
    joined: list[NotebookNode] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last is not None and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined


def normal_cell(cell: NotebookNode) -> NotebookNode:
    """Return one cell in normal form, with only the metadata that the book and the grader read."""
    cell.metadata = NotebookNode({key: cell.metadata[key] for key in KEPT_CELL_METADATA if key in cell.metadata})
    if cell.cell_type == "code":
        cell.outputs = [normal_output(output, cell.execution_count) for output in join_streams(cell.outputs)]
    return cell


def normal_notebook(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook in normal form: code cells counted from one, without user and time."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for count, cell in enumerate((cell for cell in code if cell.execution_count is not None), start=1):
        cell.execution_count = count
    notebook.cells = [normal_cell(cell) for cell in notebook.cells]
    notebook.metadata = NotebookNode(kernelspec=KERNEL, language_info=LANGUAGE)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def normal_text(notebook: NotebookNode) -> str:
    """Return the text of the file in which this notebook is stored."""
    return str(nbformat.writes(normal_notebook(notebook))) + "\n"


def run(notebook: NotebookNode, folder: Path, timeout: int = 600) -> None:
    """Execute every cell in a fresh kernel that starts in the given folder.

    Raises:
        nbclient.exceptions.CellExecutionError: A cell raised and is not tagged `raises-exception`.
    """
    use_unix_sockets()
    client = NotebookClient(
        notebook,
        timeout=timeout,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=40"],  # errors only: no warning for each kernel start
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        store_widget_state=False,
    )
    client.execute(env={**os.environ, "PYTHONHASHSEED": "0"})


def store(path: Path) -> bool:
    """Run and store one notebook; return whether the file changed."""
    before = path.read_text(encoding="utf8")
    notebook = nbformat.reads(before, as_version=4)
    run(notebook, path.parent)
    after = normal_text(notebook)
    if after != before:
        path.write_text(after, encoding="utf8")
    return after != before


def is_normal(path: Path) -> bool:
    """Return whether the file equals what `store` would write for its outputs."""
    text = path.read_text(encoding="utf8")
    return normal_text(nbformat.reads(text, as_version=4)) == text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run or check the notebooks named on the command line; return the exit status."""
    parser = argparse.ArgumentParser(description="Run notebooks in place and store reproducible outputs.")
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks; all of the course when none is named")
    parser.add_argument("--check", action="store_true", help="run nothing; fail when a file is not in normal form")
    options = parser.parse_args(arguments)
    paths = options.paths or notebooks()
    if options.check:
        faults = [path for path in paths if not is_normal(path)]
        for path in faults:
            print(f"{path}: not in normal form; run `make notebooks`", file=sys.stderr)
        return 1 if faults else 0
    for path in paths:
        print(f"{path}: {'stored anew' if store(path) else 'unchanged'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
