"""A claim fits a telephone's page: it is broken at its relations where a line is too long."""

import pytest

from lessons_lib.claims.layout import LINE, printed, width


@pytest.mark.parametrize(
    ("latex", "measured"),  # em, as MathJax sets it
    [
        (r"T\,[\xi]\,T^{-1} = [\mathrm{Ad}_{T}\,\xi]", 8.7),
        (r"\exp[\mathrm{Ad}_T\,\xi] = T \exp[\xi]\, T^{-1}", 11.2),
        (r"\begin{bmatrix} I & 0 \\ [p] & I \end{bmatrix}\begin{bmatrix} R & 0 \\ 0 & R \end{bmatrix}", 7.6),
        (r"\|\mathrm{Ad}_T V\|^2 = \|\omega\|^2 + \|v + d \times \omega\|^2", 14.5),
    ],
)
def test_the_width_of_latex_is_about_what_it_takes(latex: str, measured: float) -> None:
    assert width(latex) == pytest.approx(measured, rel=0.15)


def test_short_statements_share_a_line_and_long_ones_are_aligned_at_their_relations() -> None:
    assert printed([("a", "=", "b")], [("b", "=", "c")]) == r"a = b, \quad \text{with } b = c"
    long = "+".join("abcdefgh")
    assert printed([("a", "=", long, "=", long)]) == rf"\begin{{aligned}} a &= {long} \\ &= {long} \end{{aligned}}"


def test_a_side_that_fills_a_line_stands_on_its_own() -> None:
    long = "+".join("abcdefgh")
    assert width(long) < LINE < 2 * width(long)
    assert printed([(long, "=", long)]) == rf"\begin{{aligned}} &{long} \\ &\quad = {long} \end{{aligned}}"
