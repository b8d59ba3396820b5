"""Functions printed in C and JavaScript give the same results as Python; unsupported code is refused."""

import json
import math
from typing import Any

import numpy as np
import pytest
from node import NODE
from programs import compile_c, run

from lessons_lib.arrays import Array
from lessons_lib.codegen import c_plain, js_plain
from lessons_lib.codegen.addresses import call_at
from lessons_lib.codegen.native import native
from lessons_lib.errors import CodegenError

LARGE = 2147483563


@native
def quarter_turn(a: float, b: float) -> tuple[float, float]:
    """Return b and −a."""
    return b, -a


@native
def many(w: Array, n: int) -> bool:
    """Write the result of each construct; the comment end */ is escaped."""
    a, b = 0.3, 7.0
    a, b = b, a
    w[0], w[1] = a - b, 1.0 / 3.0
    w[2] = float((n - 9) % 5) + (n - 9) // 5
    w[3] = a**7 + a**-2 + a**0.5
    (found, d), e = quarter_turn(a, b), a
    found, d = quarter_turn(-d + (e - a), found)
    w[4] = found if found > d else d
    w[5] = min(a, b, 0.1) + max(a, b, 2.0) + min(n, 4, n - 1) - max(n, 4)
    total, k = 0.0, 0
    while k < 10:
        k += 1
        if k == 3 or not k < 9:
            continue
        if k == 8:
            break
        total += 1.0 / k
    w[6] = total
    for k in range(3):
        total += k
    for i in range(2, 5):
        w[5 + i] = math.sqrt(i) + np.rint(2.5) + abs(-1.5) - math.pi
    w[10] = 1e-320 * math.inf if 0.0 < a <= 7.0 else -1.0
    w[11] = 40014 * n % LARGE
    k = 1 + n % 3
    w[12] = k + total + float(int(-2.7)) + (1.0 if bool(n) else 0.0)
    return w[0] > 0.0 and n != 3


@native
def entries(m: Array, w: Array) -> float:
    """Return an entry of a matrix, and write a difference of entries."""
    if m.shape != (2, 3) or w.shape[0] < 2:
        return -1.0
    w[1] = m[1, 2] - m[0, 1]
    return m[1, 0]


def in_c(text, main, folder):
    """Compile and run a C program, and return the numbers that it prints."""
    program = f"#include <stdio.h>\n#include <stdlib.h>\n{text}\nint main(void) {{\n{main}\n}}\n"
    flags = "-std=c99 -O1 -Wall -Wextra -Werror -ffp-contract=off -fsanitize=undefined".split()
    return [float.fromhex(number) for line in run([compile_c(program, folder, flags)]) for number in line]


def in_node(entries, call):
    """Return the value of a JavaScript expression that uses printed functions; infinity and NaN as strings."""
    told = "(_, x) => (typeof x === 'number' && !Number.isFinite(x) ? String(x) : x)"
    program = f"{js_plain.source(entries)}\nprocess.stdout.write(JSON.stringify({call}, {told}));"
    ((printed,),) = run([NODE, "--eval", program])
    return json.loads(printed)


def test_each_construct_gives_the_same_result_as_python(tmp_path):
    for n in (1, 3, 12, 2**31):
        expected = np.zeros(13)
        truth = many.py_func(expected, n)
        main = f"""
  double w[13] = {{0}};
  int truth = many((array){{w, 13, 1}}, INT64_C({n}));
  for (int k = 0; k < 13; k++) printf("%a ", w[k]);
  printf("%a ", (double)truth);
  return 0;"""
        call = f"(() => {{ const w = new Float64Array(13), truth = many(w, {n}); return [...w, Number(truth)]; }})()"
        printed = {
            "C": in_c(c_plain.source([("many", many, ("f1", "i"))]), main, tmp_path),
            "JavaScript": [float(number) for number in in_node([("many", many, ("f1", "i"))], call)],
        }
        for language, found in printed.items():
            np.testing.assert_array_equal(found[:-1], expected, err_msg=language)
            assert bool(found[-1]) == truth, language


def test_a_matrix_is_stored_in_row_major_order(tmp_path):
    main = """
  double m[6] = {1, 2, 3, 4, 5, 6}, w[2] = {0};
  double found = entries((array){m, 2, 3}, (array){w, 2, 1}), other = entries((array){m, 3, 2}, (array){w, 2, 1});
  printf("%a %a %a", found, w[1], other);
  return 0;"""
    assert in_c(c_plain.source([("entries", entries, ("f2", "f1"))]), main, tmp_path) == [4.0, 4.0, -1.0]
    call = "((m, w) => [entries(matrix(m, 2, 3), w), w[1], entries(matrix(m, 3, 2), w)])([1, 2, 3, 4, 5, 6], [0, 0])"
    assert in_node([("entries", entries, ("f2", "f1"))], call) == [4.0, 4.0, -1.0]


@native
def columns(w: Array, lane: int) -> float:
    """Add its first entry to each entry of a column, and return the sum."""
    total = 0.0
    for row in range(w.shape[0]):
        w[row, lane] += w[0, lane]
        total += w[row, lane]
    return total


@native
def in_lanes(v: Array, sums: Array) -> None:
    """Write sums of columns, of parts of an argument and of new arrays, to all entries except the first."""
    others = sums[1:]
    count: int = v.shape[0] // 2
    for k in range(count):
        buffer = np.zeros(6)
        table, own = v[2 * k :].reshape((-1, 2)), buffer.reshape((-1, 2))
        own[k % 3, 1] = v[k]
        others[k] = columns(table, 0) + columns(own, 1) + columns(v[: 2 * k + 2].reshape((-1, 1)), 0)


def test_parts_of_arrays_as_rows_of_lanes(tmp_path):
    v, sums = [3.0, -1.0, 0.25, 7.0, 0.1, 1e-3, 5.0, 2.0], [9.0] * 5
    expected = []
    for function in (in_lanes, in_lanes.py_func):
        given = np.array(v), np.array(sums)
        function(*given)
        expected.append(np.concatenate(given).tolist())
    assert expected[0] == expected[1] and expected[0][8] == 9.0 and len(set(expected[0])) == 13
    call = "((v, sums) => { in_lanes(v, sums); return [...v, ...sums]; })"
    arrays = ", ".join(f"Float64Array.of({', '.join(map(repr, row))})" for row in (v, sums))
    assert in_node([("in_lanes", in_lanes, ("f1", "f1"))], f"{call}({arrays})") == expected[0]
    main = f"double v[] = {{{', '.join(map(repr, v))}}}, sums[] = {{{', '.join(map(repr, sums))}}};"
    main += "in_lanes((array){v, 8, 1}, (array){sums, 5, 1});"
    main += 'for (int k = 0; k < 8; k++) printf("%a ", v[k]);\nfor (int k = 0; k < 5; k++) printf("%a ", sums[k]);'
    assert in_c(c_plain.source([("in_lanes", in_lanes, ("f1", "f1"))]), f"{main}\nreturn 0;", tmp_path) == expected[0]


@native
def rows_and_parts(n: int) -> tuple[Any, ...]:
    """Return new arrays: a row, a part of it as a matrix, and a row of a matrix."""
    w, m = np.zeros(2 * n), np.empty((n, 2))
    for i in range(n):
        m[i, 0], m[i, 1] = float(i), math.copysign(2.0, -float(i))
    pair = w, w[n : n + 2].reshape((1, 2))
    return (*pair, m[1])


@native
def use(kernel: Any, n: int) -> float:
    """Call a kernel on a part of a tuple."""
    w, part, row = rows_and_parts(n)
    call_at(kernel, w, 3)
    part[0, 1] = 0.5
    return w[0] + part[0, 1] + row[0] + row[1] + np.rint(-0.4) + np.rint(3.5) if math.isfinite(w[0]) else -1.0


def test_parts_of_tuples_and_kernels_in_javascript():
    call = "use((w, which) => { w[0] = 10 * which; }, 3)"
    assert in_node([("use", use, ("k", "i"))], call) == 30.0 + 0.5 + 1.0 - 2.0 + 0.0 + 4.0


def by_one():
    @native
    def shift(a: float) -> float:
        """Shift."""
        return a + 1.0

    return shift


def by_two():
    @native
    def shift(a: float) -> float:
        """Shift."""
        return a + 2.0

    return shift


def test_functions_of_equal_name_and_text_are_printed_once():
    asked = [(f"by_{k}", make(), ("f",)) for k, make in enumerate((by_one, by_two, by_one))]
    assert in_node(asked, "[by_0(1), by_1(1), by_2(1)]") == [2.0, 3.0, 2.0]
    assert js_plain.source(asked).count("function shift") == 2


@native
def allocates(n: int) -> float:
    """Return an entry of a new array of variable size."""
    buffer = np.zeros(n)
    return float(buffer[0])


@native
def returns_new_array() -> Array:
    """Return a new array."""
    return np.zeros(3)


@native
def uses_reserved_name(a: float) -> float:
    """Return twice a number."""
    power = 2.0
    return power * a


@native
def by_steps(n: int) -> int:
    """Return the last number of a loop with a step."""
    last = 0
    for i in range(0, n, 2):
        last = i
    return last


@pytest.mark.parametrize(
    ("function", "types", "words"),
    [
        (allocates, ("i",), "allocates, line 4: zeros cannot be printed in C"),
        (returns_new_array, (), "returning a new array cannot be printed in C"),
        (uses_reserved_name, ("f",), "line 2: the reserved name power cannot be printed in C"),
        (by_steps, ("i",), "by_steps, line 5: For cannot be printed in C"),
        (many, ("f1",), "many takes 2 arguments, got 1"),
    ],
)
def test_unsupported_code_is_refused(function, types, words):
    with pytest.raises(CodegenError, match=words):
        c_plain.source([(function.__name__, function, types)])
    if function not in (allocates, returns_new_array):
        with pytest.raises(CodegenError, match=words.replace(" in C", "")):
            js_plain.source([("it", function, types)])
