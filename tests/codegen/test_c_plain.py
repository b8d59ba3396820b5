"""Plain functions in C: what they mean is what Python means, and what has no counterpart is refused."""

import math
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lessons_lib.arrays import Array
from lessons_lib.codegen import c_plain
from lessons_lib.codegen.native import native
from lessons_lib.errors import CodegenError

LARGE = 2147483563


@native
def turned(a: float, b: float) -> tuple[float, float]:
    """Return b and −a."""
    return b, -a


@native
def many(w: Array, n: int) -> bool:
    """Write what each construct gives; an end of a comment, */, is no end here."""
    a, b = 0.3, 7.0
    a, b = b, a
    w[0], w[1] = a - b, 1.0 / 3.0
    w[2] = float((n - 9) % 5) + (n - 9) // 5
    w[3] = a**7 + a**-2 + a**0.5
    c, d = turned(a, b)
    w[4] = c if c > d else d
    w[5] = min(a, b, 0.1) + max(a, b, 2.0)
    total, k = 0.0, 0
    while k < 10:
        k += 1
        if k == 3 or not k < 9:
            continue
        if k == 8:
            break
        total += 1.0 / k
    w[6] = total
    for i in range(2, 5):
        w[5 + i] = math.sqrt(i) + np.rint(2.5) + abs(-1.5) - math.pi
    w[10] = 1e-320 * math.inf if 0.0 < a <= 7.0 else -1.0
    w[11] = 40014 * n % LARGE
    w[12] = float(int(-2.7)) + (1.0 if bool(n) else 0.0)
    return w[0] > 0.0 and n != 3


@native
def entries(m: Array, w: Array) -> float:
    """Return what a matrix holds, by rows."""
    if m.shape != (2, 3) or w.shape[0] < 2:
        return -1.0
    w[1] = m[1, 2] - m[0, 1]
    return m[1, 0]


def run(text: str, main: str, folder: Path) -> list[float]:
    """Compile and run a program, and return the numbers that it prints."""
    (folder / "it.c").write_text(f"#include <stdio.h>\n#include <stdlib.h>\n{text}\nint main(void) {{\n{main}\n}}\n")
    flags = "-std=c99 -O1 -Wall -Wextra -Werror -ffp-contract=off -fsanitize=undefined".split()
    subprocess.run(["cc", *flags, "-o", "it", "it.c", "-lm"], cwd=folder, check=True)
    found = subprocess.run([folder / "it"], capture_output=True, text=True, check=True).stdout
    return [float.fromhex(number) for number in found.split()]


def test_each_construct_means_what_python_means(tmp_path: Path) -> None:
    for n in (1, 3, 12, 2**31):
        expected = np.zeros(13)
        truth = many.py_func(expected, n)
        main = f"""
  double w[13] = {{0}};
  int truth = many((array){{w, 13, 1}}, INT64_C({n}));
  for (int k = 0; k < 13; k++) printf("%a ", w[k]);
  printf("%a ", (double)truth);
  return 0;"""
        found = run(c_plain.source(many, ("f1", "i")), main, tmp_path)
        np.testing.assert_array_equal(found[:-1], expected)
        assert bool(found[-1]) == truth


def test_a_matrix_lies_row_by_row(tmp_path: Path) -> None:
    main = """
  double m[6] = {1, 2, 3, 4, 5, 6}, w[2] = {0};
  double found = entries((array){m, 2, 3}, (array){w, 2, 1}), other = entries((array){m, 3, 2}, (array){w, 2, 1});
  printf("%a %a %a", found, w[1], other);
  return 0;"""
    assert run(c_plain.source(entries, ("f2", "f1")), main, tmp_path) == [4.0, 4.0, -1.0]


@native
def makes_room(n: int) -> float:
    """Return what an array made on the way holds."""
    room = np.zeros(n)
    return float(room[0])


@native
def remainder_of_numbers(a: float) -> float:
    """Return what a has beyond whole twos."""
    return a % 2.0


@native
def by_steps(n: int) -> int:
    """Return the last of every second number."""
    last = 0
    for i in range(0, n, 2):
        last = i
    return last


@pytest.mark.parametrize(
    ("function", "types", "words"),
    [
        (makes_room, ("i",), "makes_room, line 4: zeros has no counterpart in C"),
        (remainder_of_numbers, ("f",), "a remainder of what is no whole number has no counterpart"),
        (by_steps, ("i",), "by_steps, line 5: For has no counterpart"),
        (many, ("f1",), "many takes 2 arguments, got 1"),
    ],
)
def test_what_has_no_counterpart_is_refused(function: Any, types: tuple[str, ...], words: str) -> None:
    with pytest.raises(CodegenError, match=words):
        c_plain.source(function, types)
