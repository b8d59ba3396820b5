"""The layout of a claim fits a phone: long lines are broken at relations."""

import pytest

from lessons_lib.claims.layout import LINE, typeset, width


@pytest.mark.parametrize(
    ("latex", "measured"),  # em, measured with MathJax
    [
        (r"T\,[\xi]\,T^{-1} = [\mathrm{Ad}_{T}\,\xi]", 8.7),
        (r"\exp[\mathrm{Ad}_T\,\xi] = T \exp[\xi]\, T^{-1}", 11.2),
        (r"\begin{bmatrix} I & 0 \\ [p] & I \end{bmatrix}\begin{bmatrix} R & 0 \\ 0 & R \end{bmatrix}", 7.6),
        (r"\|\mathrm{Ad}_T V\|^2 = \|\omega\|^2 + \|v + d \times \omega\|^2", 14.5),
    ],
)
def test_estimated_width_of_latex_is_close_to_the_measured_one(latex: str, measured: float) -> None:
    assert width(latex) == pytest.approx(measured, rel=0.15)


def test_short_statements_share_a_line_and_long_ones_are_aligned_at_their_relations() -> None:
    assert typeset([("a", "=", "b")], [("b", "=", "c")]) == r"a = b, \quad \text{with } b = c"
    long = "+".join("abcdefgh")
    assert typeset([("a", "=", long, "=", long)]) == rf"\begin{{aligned}} a &= {long} \\ &= {long} \end{{aligned}}"


def test_a_side_that_fills_a_line_has_its_own_line() -> None:
    long = "+".join("abcdefgh")
    assert width(long) < LINE < 2 * width(long)
    assert typeset([(long, "=", long)]) == rf"\begin{{aligned}} &{long} \\ &\quad = {long} \end{{aligned}}"
