"""The provenance page lists the kernels that a solve loads, with their formulas and the claims about them."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from provenance import claims_by_formula


@pytest.fixture(scope="module")
def rows(built_book: Path) -> dict[str, str]:
    page = BeautifulSoup((built_book / "book" / "provenance.html").read_text("utf-8"), "html.parser")
    found = page.select("table.provenance-table tbody tr")
    return {row.select_one("code").get_text(): " ".join(row.get_text(" ").split()) for row in found}


def test_the_page_lists_the_kernels_of_pose_ik_lie_and_trees(rows: dict[str, str]) -> None:
    for name in ("damped_step", "error_twist", "log_position_kernel", "revolute_kernel", "stumpff_n"):
        assert name in rows


def test_the_formulas_of_the_solver_are_claimed_in_a_lesson() -> None:
    claims = claims_by_formula()
    for formula, claim in (
        ("so3.log", (2, 13)),
        ("se3.log", (3, 12)),
        ("damped_step.eliminate", (7, 7)),
        ("damped_step.derive", (7, 8)),
    ):
        assert claim in claims[formula]
