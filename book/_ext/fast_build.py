"""Speed up Sphinx without changing a page: avoid repeated work, and read and write pages in parallel.

Two extensions do not declare that parallel reading is safe although it is: one only numbers pages afterwards, the other
does not declare that its domain has no data to merge.

The garbage collector runs rarely, because the trees of the pages are many objects that stay: by default it takes nine
tenths of the time in which a page's tree is read back. Each tree is read once for all that only read it. Trees are
traversed without nested generators, and package entry points are looked up once.
"""

import gc
import os
from collections.abc import Iterator
from functools import cache
from typing import Any

import pybtex.plugin
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx_proof.domain import ProofDomain  # type: ignore[import-untyped]

OBJECTS = 200_000
"""Number of new objects that starts the garbage collector; the default is 700."""

get_fresh = BuildEnvironment.get_doctree
resolve = BuildEnvironment.get_and_resolve_doctree


def walk(self: nodes.Node, kind: type[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield a node and its descendants of a kind in the order of docutils, including nodes added meanwhile."""
    if isinstance(self, kind):
        yield self
    levels = [iter(self.children)]
    while levels:
        for child in levels[-1]:
            if isinstance(child, kind):
                yield child
            if child.children:
                levels.append(iter(child.children))
                break
        else:
            levels.pop()


def get_kept(env: BuildEnvironment, page: str) -> nodes.document:
    """Return a page's tree, shared by all callers; only the writer of the page changes it."""
    trees: dict[str, nodes.document] = vars(env.app).setdefault("kept_trees", {})
    if page not in trees:
        trees[page] = get_fresh(env, page)
    return trees[page]


def resolve_own(
    env: BuildEnvironment, page: str, builder: Builder, doctree: nodes.document | None = None, **options: Any
) -> nodes.document:
    """Write a page from its own tree: the one just read, as Sphinx does, or a fresh one."""
    if doctree is None and page not in env._write_doc_doctree_cache:
        doctree = get_fresh(env, page)
    return resolve(env, page, builder, doctree, **options)


def share_out(app: Sphinx, config: Config) -> None:
    """Allow parallel reading."""
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True
    ProofDomain.merge_domaindata = lambda self, pages, others: None


def setup(app: Sphinx) -> dict[str, Any]:
    """Apply the changes at once."""
    app.parallel = os.cpu_count() or 1
    app.connect("config-inited", share_out)
    gc.set_threshold(OBJECTS)
    nodes.Node._fast_findall = walk
    BuildEnvironment.get_doctree = get_kept  # type: ignore[method-assign, assignment]
    BuildEnvironment.get_and_resolve_doctree = resolve_own  # type: ignore[method-assign, assignment]
    pybtex.plugin.find_plugin = cache(pybtex.plugin.find_plugin)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
