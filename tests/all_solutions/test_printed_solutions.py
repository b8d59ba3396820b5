"""All solutions in C and in JavaScript are those of the library, and the C text compiles without a warning.

The compiled library may round a product and a sum once; the same library without its compiler has the bits of C.
"""

import json

import numpy as np
import pytest
from arms import closed_form_arms, ur10_on_a_turntable
from programs import compile_c, run, run_javascript, run_plain_python

from lessons_lib import errors, pose_ik, robots

STRICT = "-std=c99 -O2 -ffp-contract=off -Wall -Wextra -Werror".split()
STRICT += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
MAIN = """
#include <stdio.h>
int main(void) {
  double T[16], value, q[8 * DOF];
  int flags;
  while (scanf("%lf", &value) == 1) {
    for (int k = 0; k < 16; k++) if (scanf("%lf", T + k) != 1) return 1;
    int count = all_solutions(T, VALUE q, &flags);
    printf("%d %d", count, flags);
    for (int k = 0; k < DOF * count; k++) printf(" %a", q[k]);
    printf("\\n");
  }
  return 0;
}
"""
IN_NODE = """
const q = new Float64Array(8 * DOF), flags = [0];
for (const [value, T] of JSON.parse(require("fs").readFileSync(0))) {
  const count = all_solutions(T, VALUE q, flags);
  console.log(count, flags[0], ...q.subarray(0, Math.max(count, 0) * DOF));
}
"""


def in_both_languages(arm, folder, rows):
    """Return the count, the flags and the solutions that the C program and the JavaScript text print for each row."""
    texts = {}
    for language, main in {"c": MAIN, "javascript": IN_NODE}.items():
        main = main.replace("DOF", str(arm.dof)).replace("VALUE", "value," if arm.dof == 7 else "")
        texts[language] = arm.source(language, all_solutions=True) + main
    rows = [[value, np.ravel(T).tolist()] for value, T in rows]
    stdin = "\n".join(" ".join(map(repr, [value, *T])) for value, T in rows)
    by_c = run([compile_c(texts["c"], folder, STRICT)], stdin)
    by_javascript = run_javascript(texts["javascript"], folder, json.dumps(rows))
    return (
        [[*map(int, line[:2]), *map(float.fromhex, line[2:])] for line in by_c],
        [list(map(float, line)) for line in by_javascript],
    )


ARMS = {f"form {k}": arm for k, arm in enumerate(closed_form_arms()[3:])}
NAMES = ["UR10", "Panda", "turntable", *(pytest.param(name, marks=pytest.mark.check) for name in ARMS)]
ARMS |= {"UR10": robots.ur10(), "Panda": robots.panda(), "turntable": ur10_on_a_turntable()}
LOCKED = {"Panda": 6, "turntable": 0}


@pytest.mark.parametrize("name", NAMES)
def test_printed_solutions_are_those_of_the_library(name, tmp_path):
    arm, rng = ARMS[name], np.random.default_rng(5)
    bounded = np.clip(arm.limits, -3.0, 3.0)
    poses = [arm.forward_kinematics(q) for q in rng.uniform(*bounded.T, (60, arm.dof))]
    rounded = [np.round(T, 9) for T in poses[:5]]  # the rotation is orthonormalized
    rows = [(float(rng.uniform(*bounded[LOCKED[name]])) if arm.dof == 7 else 0.0, T) for T in [*poses, *rounded]]
    by_c, by_javascript = in_both_languages(arm, tmp_path, rows)
    assert len(by_c) == len(by_javascript) == len(rows)
    decided = 0
    for (value, T), one, other in zip(rows, by_c, by_javascript, strict=True):
        count, flags, *q = one
        solutions = pose_ik.all_solutions(arm, T)
        expected = solutions.slice(value).q if arm.dof == 7 else solutions.q
        assert one == other if arm.dof == 6 else one == pytest.approx(other, abs=1e-12)  # sine and cosine of the value
        if flags == 0:
            decided += 1
            assert count == len(expected)
            assert (
                np.abs(np.array(q) - expected.ravel()).max(initial=0.0) < 1e-9
            )  # two roundings, beside edges of reach
    assert decided > 0.9 * len(rows)
    assert max(row[0] for row in by_c) >= 2


IN_PYTHON = """
import json, sys
import numpy as np
from lessons_lib import pose_ik, robots
for T in json.load(sys.stdin):
    print(*(x.hex() for x in pose_ik.all_solutions(robots.ur10(), np.array(T)).q.ravel().tolist()))
"""


@pytest.mark.check
def test_c_has_the_bits_of_the_library_without_its_compiler(tmp_path):
    arm, rng = robots.ur10(), np.random.default_rng(6)
    poses = [arm.forward_kinematics(q).tolist() for q in rng.uniform(-3.0, 3.0, (20, 6))]
    by_c, _ = in_both_languages(arm, tmp_path, [(0.0, T) for T in poses])
    expected = [list(map(float.fromhex, line)) for line in run_plain_python(IN_PYTHON, json.dumps(poses))]
    assert [row[2:] for row in by_c] == expected


def test_a_failure_is_a_negative_number_and_families_and_doubt_are_flags(tmp_path):
    arm = robots.ur10()
    (tmp_path / "ur10").mkdir()
    locked_wrist = arm.forward_kinematics([0.3, -1.2, 1.4, 0.5, 0.0, 0.7])
    far, mirrored = np.eye(4), np.diag([1.0, 1.0, -1.0, 1.0])
    far[0, 3] = 9.0
    by_c, by_javascript = in_both_languages(arm, tmp_path / "ur10", [(0.0, T) for T in (locked_wrist, far, mirrored)])
    assert by_c == by_javascript
    assert by_c[0][1] & 2 and pose_ik.all_solutions(arm, locked_wrist).families
    assert by_c[1:] == [[0, 0], [-1, 0]]
    panda = robots.panda()
    T = panda.forward_kinematics(panda.limits.mean(axis=1))
    by_c, _ = in_both_languages(panda, tmp_path, [(3.0, T), (0.3, mirrored)])
    assert by_c == [[-2, 0], [-1, 0]]


def test_unsupported_languages_and_arms_are_refused():
    with pytest.raises(errors.CodegenError, match="language must be 'c' or 'javascript' for all .*got 'numpy'"):
        robots.ur10().source("numpy", all_solutions=True)
    with pytest.raises(errors.ParameterError, match="takes no solver"):
        robots.ur10().source("c", solver=True, all_solutions=True)
    with pytest.raises(errors.CodegenError, match="cannot be printed"):
        robots.planar_3r().source("c", all_solutions=True)
