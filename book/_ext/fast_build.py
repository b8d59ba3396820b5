"""Speed up Sphinx without changing a page: read and write pages in parallel, and let the garbage collector rest.

Two extensions do not declare that parallel reading is safe although it is: one only numbers pages afterwards, the other
does not declare that its domain has no data to merge. The trees of the pages are many objects that stay: by default the
garbage collector takes nine tenths of the time in which a tree is read back.
"""

import gc
import os
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx_proof.domain import ProofDomain  # type: ignore[import-untyped]

OBJECTS = 200_000
"""Number of new objects that starts the garbage collector; the default is 700."""


def share_out(app: Sphinx, config: Config) -> None:
    """Allow parallel reading."""
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True
    ProofDomain.merge_domaindata = lambda self, pages, others: None


def setup(app: Sphinx) -> dict[str, Any]:
    """Apply the changes."""
    app.parallel = os.cpu_count() or 1
    app.connect("config-inited", share_out)
    gc.set_threshold(OBJECTS)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
