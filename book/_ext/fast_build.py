"""Spare Sphinx and what it is built on work that is done again and again, and share out the rest; no page changes.

Pages are read and written by as many processes as there are cores. Two extensions do not say that this is safe: one
only numbers what was read, the other forgets that its domain keeps nothing to be merged.

Garbage is looked for rarely, for the trees of the pages are many objects that stay: as often as Python looks by itself
it takes nine tenths of the time in which the tree of a page is read back. That is done once a page for all who only
read it. A tree is walked through without a generator a level, and an entry point of a package is looked up once.
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
"""So many more objects than before make Python look; by itself it waits for 700."""

get_fresh = BuildEnvironment.get_doctree
resolve = BuildEnvironment.get_and_resolve_doctree


def walk(self: nodes.Node, kind: type[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield a node and all below it that are of a kind, in the order of docutils, of what stands there by then."""
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
    """Return a page's tree, the same for all who ask; nobody but who writes the page changes it."""
    trees: dict[str, nodes.document] = vars(env.app).setdefault("kept_trees", {})
    if page not in trees:
        trees[page] = get_fresh(env, page)
    return trees[page]


def resolve_own(
    env: BuildEnvironment, page: str, builder: Builder, doctree: nodes.document | None = None, **options: Any
) -> nodes.document:
    """Write a page from a tree of its own: the one that was just read, as Sphinx does, or a fresh one."""
    if doctree is None and page not in env._write_doc_doctree_cache:
        doctree = get_fresh(env, page)
    return resolve(env, page, builder, doctree, **options)


def share_out(app: Sphinx, config: Config) -> None:
    """Let pages be read by several processes."""
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True
    ProofDomain.merge_domaindata = lambda self, pages, others: None


def setup(app: Sphinx) -> dict[str, Any]:
    """Take effect at once."""
    app.parallel = os.cpu_count() or 1
    app.connect("config-inited", share_out)
    gc.set_threshold(OBJECTS)
    nodes.Node._fast_findall = walk
    BuildEnvironment.get_doctree = get_kept  # type: ignore[method-assign, assignment]
    BuildEnvironment.get_and_resolve_doctree = resolve_own  # type: ignore[method-assign, assignment]
    pybtex.plugin.find_plugin = cache(pybtex.plugin.find_plugin)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
