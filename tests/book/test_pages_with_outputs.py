"""The code of the_clinic.md and many_machines.md runs, and prints what the page shows below each block."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def words_and_numbers(text: str) -> tuple[list[str], list[float]]:
    """Return the words of a text, with numbers replaced by "#", and its numbers; line breaks do not count."""
    plain = text.replace(",", "")
    return NUMBER.sub("#", plain).split(), [float(number) for number in NUMBER.findall(plain)]


@pytest.mark.parametrize("page", ["the_clinic.md", "many_machines.md"])
def test_each_block_prints_the_output_below_it(page: str) -> None:
    names: dict[str, Any] = {}
    blocks = BLOCK.findall((BOOK / page).read_text(encoding="utf8"))
    assert len(blocks) >= 4
    for code, shown in blocks:
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile(code, page, "exec"), names)
        words, numbers = words_and_numbers(printed.getvalue())
        expected_words, expected_numbers = words_and_numbers(shown)
        assert words == expected_words, code
        # 2 %: other processors round elsewhere; below 1e-6 a number is rounding
        np.testing.assert_allclose(numbers, expected_numbers, rtol=0.02, atol=1e-6, err_msg=code)
