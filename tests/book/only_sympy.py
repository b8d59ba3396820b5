"""Run the cells of claims where only SymPy can be imported: `python only_sympy.py`, cells on standard input.

The proofs themselves are skipped, since each lesson's run proves the same statements. The printed claim is the proven
statement, so a cell that lacks a line states something else, or nothing.
"""

import json
import sys
from collections import Counter
from importlib.abc import MetaPathFinder
from typing import Any
from unittest.mock import patch

KNOWN = sys.stdlib_module_names | {"sympy", "mpmath", "lessons_lib", "in_page"}


class OnlySymPy(MetaPathFinder):
    """Import finder that blocks packages which a page does not have."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Raise ImportError for a package that is not known."""
        if name.split(".")[0] not in KNOWN:
            raise ImportError(f"a page has no {name}")


def main() -> None:
    """Print the statement of each cell, one per line."""
    sys.meta_path.insert(0, OnlySymPy())
    from in_page import check

    from lessons_lib.claims import statement as claim_module

    stubs = {
        "prove": lambda *_: Counter({"same": 1}),
        "derive_conditions": lambda *_: (),
        "describe_scope": lambda *_: "",
        "check_words": lambda *_: None,
        "check_needed": lambda *_: None,
    }
    with patch.multiple(claim_module, **stubs):  # fails if one of these names is no longer in the module
        for line in sys.stdin:
            told = json.loads(line)
            print(json.dumps(check(told["program"], told["cell"])), flush=True)


if __name__ == "__main__":
    main()
