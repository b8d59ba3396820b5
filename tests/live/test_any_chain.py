"""The generic chain of "Bring your robot" under Node: the page's reader, kinematics and solves, against the library."""

import re
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.errors import LessonsError
from lessons_lib.live.any_chain import script
from lessons_lib.live.iteration import stop_data
from lessons_lib.pose_ik import Chan, LevenbergMarquardt, Stop, solve
from lessons_lib.robots import Chain
from lessons_lib.robots.exponentials import product

sys.path[:0] = [str(Path(__file__).parents[1] / "robots")]
from urdf_refused import NO_LIMITS, NO_NUMBERS, NO_ROBOT  # noqa: E402
from urdf_texts import EVERY_KIND, LIMIT, joint, robot  # noqa: E402

InFront = Callable[[str, Any], Any]
OBLIQUE = robot(
    '<link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>'
    + joint('<origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><axis xyz="1 2 -2"/>', "turn", "continuous", "", "ab")
    + joint('<origin xyz="0 0 0.5" rpy="1 0 2"/><axis xyz="3 0 4"/>', "slide", "prismatic", LIMIT, "bc")
    + joint('<origin xyz="1 0 0"/>', "glue", "fixed", "", "cd")
    + joint('<origin xyz="0.2 0.1 0" rpy="0 1.57 0"/>', "swing", "revolute", LIMIT, "de")
)
LONG = robot(
    '<link name="l0"/>'
    + "".join(
        f'<link name="l{i + 1}"/><joint name="j{i}" type="continuous"><parent link="l{i}"/><child link="l{i + 1}"/>'
        f'<origin xyz="0.02 0 0.01" rpy="0.1 {0.01 * i} 0"/><axis xyz="{i % 2} 1 {i % 3}"/></joint>'
        for i in range(100)
    )
)
SERIAL: dict[str, tuple[str, tuple[str | None, str | None]]] = {
    **{name: (robots.urdf_file(name).read_text("utf8"), (None, None)) for name in ("panda", "planar_2r", "ur10")},
    "hand to hand": (robots.urdf_file("two_arms").read_text("utf8"), ("left_hand", "right_hand")),
    "a leg": (robots.urdf_file("quadruped").read_text("utf8"), ("trunk", "front_left_foot")),
    "oblique, with a slide": (OBLIQUE, (None, None)),
    "up and down": (OBLIQUE, ("e", "b")),
    "a hundred joints": (LONG, (None, None)),
}
READ = """
import { readRobot, longestWay, chainBetween } from "front/urdf";
import { kernelsOf, TAG } from "front/any_chain";
import { Solver } from "front/iteration";
import { loadKernels } from "front/kernels";
const kernels = loadKernels(told.source);
const made = (tree, ends) => {
  const read = readRobot(tree, "the file");
  const [base, tip] = longestWay(read).map((link, i) => ends[i] ?? link);
  return chainBetween(kernels, read, base, tip);
};
"""


def tree(text: str) -> dict[str, Any]:
    """What the page's XML parser hands on."""

    def part(element: ElementTree.Element) -> dict[str, Any]:
        return {"tag": element.tag, "attributes": element.attrib, "children": [part(child) for child in element]}

    return part(ElementTree.fromstring(text))


@lru_cache(maxsize=1)
def source() -> str:
    return script()


def chain_of(name: str) -> Chain:
    text, ends = SERIAL[name]
    return robots.from_urdf(text, *ends)


def kinematics(chain: Chain, q: np.ndarray) -> list[np.ndarray]:
    """T, J_s and J_b: of a long chain without the derivation, which would take minutes."""
    if chain.dof <= 7:
        return [chain.forward_kinematics(q), chain.space_jacobian(q), chain.body_jacobian(q)]
    found = product(chain.screws, chain.home, q)
    return [found.T, found.J_s, found.J_b]


@pytest.mark.parametrize("name", SERIAL)
def test_any_urdf_has_the_screws_the_poses_and_the_jacobians_of_the_library(in_front: InFront, name: str) -> None:
    chain, rng = chain_of(name), np.random.default_rng(50)
    q = np.array([np.zeros(chain.dof), *(chain.random_configuration(rng) for _ in range(100))])
    program = READ + (
        "const chain = made(told.tree, told.ends); const all = kernelsOf(kernels, chain);"
        "return { chain, seen: told.q.map((q) => ({ ...all[`chain_${TAG}`](q), ...all[`arm_${TAG}`](q) })) };"
    )
    text, ends = SERIAL[name]
    found = in_front(program, {"source": source(), "tree": tree(text), "ends": ends, "q": q.tolist()})
    length = max(1.0, float(np.abs(chain.screws).max()))  # m: a hundred joints reach farther than an arm
    assert np.abs(np.transpose(found["chain"]["screws"]) - chain.screws).max() <= 1e-12 * length
    assert tuple(found["chain"]["names"]) == chain.joint_names
    ends_told = [[-np.inf if a is None else a, np.inf if b is None else b] for a, b in found["chain"]["limits"]]
    np.testing.assert_array_equal(ends_told, chain.limits)
    for case, seen in zip(q, found["seen"], strict=True):
        for what, expected in zip(("T", "J_s", "J_b"), kinematics(chain, case), strict=True):
            assert np.abs(np.array(seen[what]) - expected).max() <= 1e-12 * length
        assert np.abs(np.array(seen["points"][-1]) - np.array(seen["T"])[:3, 3]).max() <= 1e-9


@pytest.mark.parametrize("name", ["ur10", "panda", "planar_2r", "oblique, with a slide"])
def test_whole_solves_go_through_the_iterates_of_the_readable_loop(in_front: InFront, name: str) -> None:
    told, rng = chain_of(name), np.random.default_rng(51)
    chain = robots.from_screws(told.screws, told.home)  # the page's solve knows no limits
    stop, cases, traces = Stop(max_iterations=30, restarts=0), [], []
    while len(cases) < 10:
        q = told.random_configuration(rng)
        if np.linalg.cond(chain.body_jacobian(q)) < 50:
            start, target = q + rng.uniform(-0.3, 0.3, chain.dof), chain.forward_kinematics(q)
            result = solve(
                chain, target, start, method=LevenbergMarquardt(Chan(0.1)), stop=stop, trace=True, compiled=False
            )
            cases.append([target.tolist(), start.tolist()])
            traces.append(result.trace)
    method = {"name": "chan", "parameter": 0.1, "weights": [1] * 6, "exact": False}
    program = READ + (
        "const chain = made(told.tree, told.ends); const n = chain.names.length;"
        "const solver = new Solver(kernelsOf(kernels, chain), TAG, n);"
        "return told.cases.map(([target, start]) => solver.solve(target, start, told.method, told.stop));"
    )
    text, ends = SERIAL[name]
    given = {"source": source(), "tree": tree(text), "ends": ends, "cases": cases}
    runs = in_front(program, {**given, "method": method, "stop": stop_data(stop)})
    for trace, run in zip(traces, runs, strict=True):
        assert trace is not None and run["status"] == "converged"
        np.testing.assert_allclose([it["q"] for it in run["iterates"]], trace.q, atol=1e-9, rtol=0)
        np.testing.assert_allclose([it["twist"] for it in run["iterates"]], trace.error_twists, atol=1e-9, rtol=0)


OWN = {
    "no type": "has type ''; the types are revolute",
    "no axis": "an axis has a direction",
    "unknown parent": "which is no link; it has 'base', 'b'",
}
"""Where the page's words differ from the library's."""

BAD = {
    f"{group}: {name}": (text, OWN.get(name, words).replace("robot\\.urdf", "the file"))
    for group, cases in (("robot", NO_ROBOT), ("numbers", NO_NUMBERS), ("limits", NO_LIMITS))
    for name, (text, words) in cases.items()
    if "mass" not in name and "centre" not in name  # the page reads neither
}


def test_every_file_that_the_library_refuses_the_page_refuses_in_the_same_words(in_front: InFront) -> None:
    floating = {"floating": (EVERY_KIND, "joint 'float' is floating; this page takes joints that turn or slide")}
    still = {"no joint": (robot('<link name="a"/>'), "no joint of 'r' moves 'a' against 'a'")}
    more = '<link name="m"/><joint name="m" type="continuous"><parent link="l100"/><child link="m"/></joint></robot>'
    long = {
        "too long": (LONG.replace("</robot>", more), "101 joints move 'm' against 'l0'; this page takes at most 100")
    }
    cases = {**BAD, **floating, **still, **long}
    program = READ + (
        "return told.trees.map((tree) => { try { made(tree, []); return null; }"
        " catch (error) { return [error.constructor.name, error.message]; } });"
    )
    found = in_front(program, {"source": source(), "trees": [tree(text) for text, _ in cases.values()]})
    for (name, (text, words)), refusal in zip(cases.items(), found, strict=True):
        assert refusal is not None and refusal[0] == "UrdfProblem", (name, refusal)
        assert re.search(words, refusal[1]), (name, words, refusal[1])
        if name in BAD:
            with pytest.raises(LessonsError):
                robots.from_urdf(text)
