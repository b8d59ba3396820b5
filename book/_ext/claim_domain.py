"""Sphinx domain of all claims in the book: place, sentence, and uniqueness of the number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes
from lesson_pages import lesson_number
from sphinx.addnodes import pending_xref
from sphinx.builders import Builder
from sphinx.domains import Domain
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class ProvenClaim:
    """A claim of the book.

    Attributes:
        number: "9.3".
        docname: Page with its proof.
        sentence: Its sentence, as nodes.
        formula: Its formula, LaTeX.
        scope: Assumptions under which it is proven, as nodes.
    """

    number: str
    docname: str
    sentence: Sequence[nodes.Node]
    formula: str
    scope: Sequence[nodes.Node] = ()

    @property
    def anchor(self) -> str:
        """Anchor of the claim."""
        return f"claim-{self.number.replace('.', '-')}"

    @property
    def proof(self) -> str:
        """Anchor of the proving cell."""
        return f"proof-{self.number.replace('.', '-')}"

    @property
    def order(self) -> tuple[int, int]:
        """Sort key among all claims."""
        lesson, count = self.number.split(".")
        return int(lesson), int(count)

    def plain_sentence(self) -> str:
        """Return the sentence without markup."""
        return "".join(node.astext() for node in self.sentence).strip()


class ClaimDomain(Domain):
    """Every claim of the book by its number."""

    name = "claim"
    label = "Claim"
    initial_data: dict[str, Any] = {"claims": {}}
    dangling_warnings: dict[str, str] = {"ref": "no lesson proves claim %(target)s"}

    @property
    def claims(self) -> dict[str, ProvenClaim]:
        """Claims by number."""
        claims: dict[str, ProvenClaim] = self.data["claims"]
        return claims

    def note(self, claim: ProvenClaim, location: Any = None) -> None:
        """Record a claim, and warn about a number that is taken or belongs to another lesson."""
        other = self.claims.get(claim.number)
        if other is not None:
            LOG.warning("claim %s is proven twice, first in %s", claim.number, other.docname, location=location)
            return
        lesson = lesson_number(claim.docname)
        if lesson != claim.order[0]:
            expected = "only lessons prove claims" if lesson is None else f"those of this lesson begin with {lesson}."
            LOG.warning("claim %s has the number of another lesson; %s", claim.number, expected, location=location)
        self.claims[claim.number] = claim

    def of_page(self, docname: str) -> list[ProvenClaim]:
        """Return the claims of one page, ordered by number."""
        return sorted((c for c in self.claims.values() if c.docname == docname), key=lambda c: c.order)

    def clear_doc(self, docname: str) -> None:
        """Remove the claims of a page that is read again."""
        for claim in self.of_page(docname):
            del self.claims[claim.number]

    def merge_domaindata(self, docnames: list[str], otherdata: dict[str, Any]) -> None:
        """Merge the claims read by another process."""
        for claim in otherdata["claims"].values():
            if claim.docname in docnames:
                self.note(claim, location=claim.docname)

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: nodes.Element,
    ) -> nodes.reference | None:
        """Return the link to a claim with its sentence as tooltip."""
        claim = self.claims.get(target)
        if claim is None:
            return None
        return make_refnode(builder, fromdocname, claim.docname, claim.anchor, contnode, claim.plain_sentence())

    def resolve_any_xref(self, *_: Any) -> list[tuple[str, nodes.reference]]:
        """Return nothing: a claim is linked only by its number."""
        return []
