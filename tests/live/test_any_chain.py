"""The generic chain of "Bring your robot" under Node: parsing, kinematics and solves agree with the library."""

import re
from functools import lru_cache

import numpy as np
import pytest
from arms import closed_form_arms
from node import in_front
from six_r_arms import at_random, jaco_2
from urdf_refused import NO_LEADER, NO_LIMITS, NO_NUMBERS, NO_ROBOT, NOT_XML, THREE
from urdf_texts import EVERY_KIND, LIMIT, PLACED, UNREAD, joint, robot, with_macro

from lessons_lib import lie, pose_ik, robots
from lessons_lib.course.bring_your_robot.live import form_data, script
from lessons_lib.course.live.method_data import stop_data
from lessons_lib.errors import LessonsError
from lessons_lib.pose_ik import Chan, LevenbergMarquardt, Status, Stop, pose
from lessons_lib.pose_ik.evaluation import evaluate
from lessons_lib.pose_ik.explanation import explanation as cause_words
from lessons_lib.pose_ik.explanation.reach import find_shell
from lessons_lib.pose_ik.in_python import steps_from
from lessons_lib.robots.kernel_check import product

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
MIMICS = robot(
    "".join(f'<link name="{name}"/>' for name in "abcdefghx")
    + joint('<origin xyz="0 0.1 0.2"/><axis xyz="0 0 1"/>', "turn", "continuous", "", "ab")
    + joint('<mimic joint="lead" multiplier="-0.5" offset="0.3"/><origin xyz="0.4 0 0.1"/>', "half", ends="bc")
    + joint('<axis xyz="0 1 0"/><origin rpy="0.1 0.2 0.3"/>', "lead", ends="ax")
    + joint('<mimic joint="half" multiplier="0.2"/><axis xyz="0 3 4"/>', "slide", "prismatic", ends="cd")
    + joint('<mimic joint="glue" multiplier="2" offset="0.4"/><axis xyz="0 1 0"/>', "held", ends="de")
    + joint('<origin xyz="0.3 0 0"/>', "glue", "fixed", "", "ef")
    + joint('<mimic joint="turn"/><axis xyz="1 1 0"/><origin xyz="0.2 0 0"/>', "again", "continuous", "", "fg")
    + joint('<origin xyz="0.5 0 0.1"/><axis xyz="0 1 0"/>', "swing", ends="gh")
)
SERIAL = {
    **{name: (robots.urdf_file(name).read_text("utf8"), (None, None)) for name in ("panda", "planar_2r", "ur10")},
    "hand to hand": (robots.urdf_file("two_arms").read_text("utf8"), ("left_hand", "right_hand")),
    "a leg": (robots.urdf_file("quadruped").read_text("utf8"), ("trunk", "front_left_foot")),
    "oblique, with a slide": (OBLIQUE, (None, None)),
    "up and down": (OBLIQUE, ("e", "b")),
    "a hundred joints": (LONG, (None, None)),
    "mimics": (MIMICS, ("a", "h")),
    "mimics, up and down": (MIMICS, ("g", "x")),
}
READ = """
import xmldom from "modules/@xmldom/xmldom/lib/index.js";
import { readRobot, longestWay, chainBetween } from "course/bring_your_robot/urdf";
import { parseXml } from "course/bring_your_robot/xml";
import { kernelsOf, outOfReach, TAG } from "front/any_chain";
import { Solver } from "front/solver";
import { allSolutions, formOf } from "front/closed_form";
import { why } from "course/bring_your_robot/why";
import { loadKernels } from "front/kernels";
const kernels = loadKernels(told.source);
globalThis.DOMParser = class {
  parseFromString(text, type) {
    let fault, read;
    const onError = (level, what, { locator }) => {
      if (level !== "warning") fault ??= `error on line ${locator?.lineNumber || 1} at column 1: ${what}`;
    };
    try { read = new xmldom.DOMParser({ onError }).parseFromString(text, type); } catch { fault ??= ""; }
    return fault === undefined ? read : { getElementsByTagName: () => [{ textContent: fault }] };
  }
};
const wide = (limits) => limits.map(([low, high]) => [low ?? -Infinity, high ?? Infinity]);
const made = (text, ends) => {
  const read = readRobot(parseXml(text, "the file").root, "the file");
  const [base, tip] = longestWay(read).map((link, i) => ends[i] ?? link);
  return chainBetween(kernels, read, base, tip);
};
"""


@lru_cache(maxsize=1)
def source():
    return script()


def chain_of(name):
    text, ends = SERIAL[name]
    return robots.from_urdf(text, *ends)


def kinematics(chain, q):
    """T, J_s and J_b without a derivation, which would take minutes for a long chain."""
    if chain.coupling is not None:  # the page has a column of J_s for each joint
        J_s = chain.uncoupled.space_jacobian(chain.coupling.matrix @ q)
        return [chain.forward_kinematics(q), J_s, chain.body_jacobian(q)]
    if chain.dof <= 7:
        return [chain.forward_kinematics(q), chain.space_jacobian(q), chain.body_jacobian(q)]
    found = product(chain.screws, chain.home, q)
    return [found.T, found.J_s, found.J_b]


KINEMATICS = """
const all = kernelsOf(kernels, chain);
return { chain, seen: told.q.map((q) => ({ ...all[`chain_${TAG}`](q), ...all[`arm_${TAG}`](q) })) };
"""


def check_chain(chain, program, q, **told):
    """Compare the page's `chain` with the library's, also its kinematics at configurations q."""
    found = in_front(READ + program + KINEMATICS, {"source": source(), "q": q.tolist(), **told})
    length = max(1.0, float(np.abs(chain.screws).max()))  # m: a hundred joints reach farther than an arm
    assert np.abs(np.transpose(found["chain"]["screws"]) - chain.screws).max() <= 1e-12 * length
    ends = [[-np.inf if a is None else a, np.inf if b is None else b] for a, b in found["chain"]["limits"]]
    np.testing.assert_allclose(ends, chain.limits, rtol=0 if chain.coupling is None else 1e-15)
    for case, seen in zip(q, found["seen"], strict=True):
        for what, expected in zip(("T", "J_s", "J_b"), kinematics(chain, case), strict=True):
            assert np.abs(np.array(seen[what]) - expected).max() <= 1e-12 * length
        assert np.abs(np.array(seen["points"][-1]) - np.array(seen["T"])[:3, 3]).max() <= 1e-9
    return dict(found["chain"])


@pytest.mark.parametrize("name", SERIAL)
def test_any_urdf_has_the_screws_the_poses_and_the_jacobians_of_the_library(name):
    chain, rng = chain_of(name), np.random.default_rng(50)
    q = np.array([np.zeros(chain.dof), *(chain.random_configuration(rng) for _ in range(100))])
    text, ends = SERIAL[name]
    read = check_chain(chain, "const chain = made(told.text, told.ends);", q, text=text, ends=ends)
    assert tuple(read["names"]) == chain.joint_names


@pytest.mark.parametrize("name", SERIAL)
def test_a_point_out_of_reach_is_reported_with_the_librarys_numbers(name):
    chain, rng = chain_of(name), np.random.default_rng(52)
    known = find_shell(chain.uncoupled, chain.home[:3, 3], chain.uncoupled.dof)
    assert known is not None
    way = rng.normal(size=(40, 3))
    way /= np.linalg.norm(way, axis=1)[:, None]
    points = known.center + way * known.outer * rng.uniform(0.0, 1.5, (40, 1))
    every = "return told.points.map((point) => outOfReach(kernels, chain, point) ?? null);"
    program = READ + "const chain = made(told.text, told.ends);" + every
    text, ends = SERIAL[name]
    found = in_front(program, {"source": source(), "text": text, "ends": ends, "points": points.tolist()})
    missed = [known.distance_outside(point) for point in points]
    assert [one is not None for one in found] == [by > 0.0 for by in missed]
    for one, by in zip(found, missed, strict=True):
        if one is not None:
            assert one["miss"] == pytest.approx(by, abs=1e-12 * known.outer)
            assert [one["least"], one["most"]] == pytest.approx([known.inner, known.outer], abs=1e-12 * known.outer)
    assert any(by > 0.0 for by in missed) and not all(by > 0.0 for by in missed)


def as_page(chain):
    """The data of a chain that the page's closed forms need."""
    limits = [[low if np.isfinite(low) else None, high if np.isfinite(high) else None] for low, high in chain.limits]
    names, screws, home = list(chain.joint_names), chain.screws.T.tolist(), chain.home.tolist()
    moves = [{"slides": kind == "prismatic", "by": i, "ratio": 1} for i, kind in enumerate(chain.joint_types)]
    return {"name": chain.name, "names": names, "screws": screws, "moves": moves, "home": home, "limits": limits}


def five(name):
    """An arm without its last joint: a UR10 gets a closed form from a sixth joint, a random arm does not."""
    six = {"UR10": closed_form_arms()[0], "Jaco 2": jaco_2(), "random": at_random(1)}[name]
    return robots.from_screws(six.screws[:, :5], six.home, limits=six.limits[:5], name=f"five joints of {name}")


@pytest.mark.parametrize(
    "chain",
    [*closed_form_arms(), robots.panda(), jaco_2(), five("UR10"), five("Jaco 2"), five("random")],
    ids=lambda chain: chain.name,
)
def test_the_closed_form_and_all_solutions_are_the_librarys(chain):
    rng = np.random.default_rng(34)
    q = np.array([chain.random_configuration(rng) for _ in range(8)])
    poses = chain.forward_kinematics(q)
    if chain.dof == 5:
        poses[-1, 0, 3] += 0.01  # five revolute joints do not reach it
    program = READ + (
        "const chain = { ...told.chain, limits: wide(told.chain.limits) };"
        "return told.q.map((q, i) => { const { sentence, closed, fixedJoint } = formOf(kernels, told.forms, chain, q);"
        " return { sentence, fixedJoint, found: closed ? allSolutions(kernels, closed, told.poses[i]) : null }; });"
    )
    given = {"source": source(), "forms": form_data(), "chain": as_page(chain), "q": q.tolist()}
    for k, seen in enumerate(in_front(program, given | {"poses": poses.tolist()})):
        told = pose_ik.all_solutions(chain, poses[k])
        assert seen["sentence"] == told.form and ("five revolute joints" in told.form) == (chain.dof == 5)
        if chain.name in ("Jaco 2", "five joints of random"):
            assert seen["found"] is None
            continue
        answers = told.slice(q[k, seen["fixedJoint"]]) if chain.dof == 7 else told
        kept = np.delete(answers.q, seen["fixedJoint"], axis=1) if chain.dof == 7 else answers.q
        assert not seen["found"]["doubtful"] and (len(answers) > 0) == (chain.dof != 5 or k < 7)
        shown = np.reshape([one["q"] for one in seen["found"]["solutions"]], kept.shape)
        np.testing.assert_allclose(shown, kept, rtol=0.0, atol=1e-9)


def test_the_page_says_if_rounding_decides():
    chain, q = closed_form_arms()[0], np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    straight, locked = q * [1, 1, 0, 1, 1, 1], q * [1, 1, 1, 1, 0, 1]
    poses = [chain.forward_kinematics(one).tolist() for one in (straight, locked, q)]
    every = "return told.poses.map((pose) => allSolutions(kernels, closed, pose));"
    program = READ + "const { closed } = formOf(kernels, told.forms, told.chain, []);" + every
    found = in_front(program, {"source": source(), "forms": form_data(), "chain": as_page(chain), "poses": poses})
    assert [one["doubtful"] for one in found] == [True, False, False]
    assert [any(joint["free"] for joint in one["solutions"]) for one in found] == [False, True, False]


def failure_cases():
    """Arm, target, start, and whether the orientation counts, for a failure of each kind."""
    arm, q = robots.ur10(), np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    far, tilted, inward = arm.forward_kinematics(q), robots.planar_2r().home.copy(), np.eye(4)
    apart, nowhere = far.copy(), far.copy()
    apart[:3, 3] *= 5.0
    nowhere[:3, 3] = 0.02, 0.01, 0.6
    tilted[:3, :3], inward[0, 3] = lie.exp_so3([0.3, 0.0, 0.0]), 1.2
    tilted[2, 3] = 0.1
    narrow = arm.with_limits(position=[(-0.2, 0.2), *arm.limits[1:]])
    planar = robots.planar_2r()
    return {
        cause_words.POINT: (arm, apart, q, True),
        cause_words.PLANE: (planar, tilted, np.array([0.4, 0.5]), True),
        cause_words.LIMITS: (narrow, far, np.array([0.1, -1.0, 1.2, -0.5, 1.0, 0.3]), True),
        cause_words.NOTHING: (arm, nowhere, q, True),
        cause_words.REST: (planar, inward, np.zeros(2), False),
    }


def test_a_point_just_out_of_reach_has_digits_that_tell_it_from_the_bound():
    arm, target = robots.planar_2r(), np.eye(4)
    target[0, 3] = 2.00001
    said = pose_ik.solve(arm, target, q0=[0.1, 0.1], goal=pose_ik.position_only(), starts=pose_ik.Restarts(0)).explain()
    assert "it is 2.00001 m from the point" in str(said)
    assert "the links allow at most 2 m, a difference of 0.01 mm." in str(said)


@pytest.mark.parametrize("cause", failure_cases())
def test_causes_have_the_words_of_explain(cause):
    chain, target, start, oriented = failure_cases()[cause]
    goal = pose() if oriented else pose_ik.position_only()
    result = pose_ik.solve(chain, target, q0=start, goal=goal, starts=pose_ik.Restarts(0))
    expected = [one for one in result.explain() if one.name in cause_words.SENTENCES]
    here = evaluate(chain, target, result.q, "body", False)
    program = READ + (
        "const chain = { ...told.chain, limits: wide(told.chain.limits) };"
        "const form = formOf(kernels, told.forms, chain, told.q);"
        "const all = kernelsOf(kernels, { ...chain, corners: [], carriers: [] });"
        "return why(all, told.causes, { ...told, chain, form, tolerance: { orientation: 1e-6, position: 1e-6 } });"
    )
    asked = {"goal": target.tolist(), "oriented": oriented, "twist": here.error_twist.tolist(), "length": chain.length}
    numbers = {"q": result.q.tolist(), "J_b": chain.body_jacobian(result.q).tolist(), **asked}
    said = {"source": source(), "forms": form_data(), "causes": cause_words.page_messages(), "chain": as_page(chain)}
    found = in_front(program, said | numbers)
    sure = (cause_words.POINT, cause_words.PLANE, cause_words.REST)  # of the others the page proves nothing
    told = [f"{one.name} ({'proven' if one.name in sure else 'suspected'}): {one.sentence}" for one in expected]
    assert cause in [one.name for one in expected]
    if cause == cause_words.NOTHING:
        assert found == told[:1]  # explain goes on to ask for the point alone
        return
    tiny = [[re.sub(r"\d+e[+-]\d+", "tiny", one) for one in some] for some in (found, told)]
    assert tiny[0] == tiny[1]


@pytest.mark.parametrize("name", ["ur10", "panda", "planar_2r", "oblique, with a slide", "mimics"])
@pytest.mark.parametrize("oriented", [True, False])
def test_solves_have_pythons_iterates(name, oriented):
    told, rng = chain_of(name), np.random.default_rng(51)
    stop, cases, runs = Stop(max_iterations=30), [], []
    method = pose((float(oriented),) * 3 + (1.0,) * 3).of(LevenbergMarquardt(Chan(0.1)))
    while len(cases) < 12:
        q = told.random_configuration(rng)
        if np.linalg.cond(told.body_jacobian(q)) < 50:
            start, room = q + rng.uniform(-0.3, 0.3, told.dof), [0.1, 1.0][len(cases) % 2]
            limits = np.column_stack([start - room, start + room, np.zeros(told.dof)])
            limits[1::3, :2] = -np.inf, np.inf
            runs.append(steps_from(told, told.forward_kinematics(q), start, method, stop, limits))
            ends = np.where(np.isfinite(limits), limits, np.sign(limits) * 1e300)  # JSON knows no infinity
            cases.append([told.forward_kinematics(q).tolist(), start.tolist(), ends.tolist()])
    kind = "body" if oriented else "exact"
    described = {"name": "chan", "parameter": 0.1, "weights": list(method.weights), "kind": kind}
    program = READ + (
        "const chain = made(told.text, told.ends); const n = chain.names.length;"
        "const solver = new Solver(kernelsOf(kernels, chain), TAG, n);"
        "return told.cases.map(([target, start, ends]) => solver.solve(target, start, told.method, told.stop, ends));"
    )
    text, ends = SERIAL[name]
    given = {"source": source(), "text": text, "ends": ends, "cases": cases}
    found = in_front(program, {**given, "method": described, "stop": stop_data(stop)})
    words = {Status.CONVERGED: "converged", Status.STALLED: "stalled", Status.MAX_ITERATIONS: "out of steps"}
    for (status, trace), shown in zip(runs, found, strict=True):
        assert shown["status"] == words[status]
        np.testing.assert_allclose([it["q"] for it in shown["iterates"]], trace.q, atol=1e-9, rtol=0)
        np.testing.assert_allclose([it["twist"] for it in shown["iterates"]], trace.error_twists, atol=1e-9, rtol=0)
    assert {status for status, _ in runs} >= {Status.CONVERGED}
    stopped = [np.isin(run.q[-1][:, None], np.array(case[2])).any() for (_, run), case in zip(runs, cases, strict=True)]
    assert any(stopped) and not all(stopped)


TABLES = {
    "standard": "# UR10\n0 90° 0.1273\n-0.612, 0, 0\n-0.5723 0 0\n0\tpi/2 0.163941\n0 -π/2 0.1157\n0 0 0.0922",
    "modified": (
        "0 0 0.333 0 -2.8973 2.8973\n0 −pi/2 0\n0 90° 0.316\n0.0825 pi/2 0 -0.5\n\n"
        "-0.0825 -pi/2 0.384 fixed\n0 3pi/4 0.1 0.2 -0.1 0.4 prismatic\n0.088 1.2 0 # the flange"
    ),
}


@pytest.mark.parametrize("convention", TABLES)
def test_rows_that_are_typed_make_the_chain_of_the_library(tmp_path, convention):
    (tmp_path / "t.txt").write_text(TABLES[convention], encoding="utf8")
    chain = robots.load_dh(tmp_path / "t.txt", convention)
    program = (
        'import { chainOfRows, readRows } from "course/bring_your_robot/dh";'
        "\nconst chain = chainOfRows(kernels, readRows(told.text), told.convention);"
    )
    rng = np.random.default_rng(52)
    q = np.array([np.zeros(chain.dof), *(chain.random_configuration(rng) for _ in range(30))])
    read = check_chain(chain, program, q, text=TABLES[convention], convention=convention)
    assert np.abs(np.array(read["home"]) - chain.home).max() <= 1e-14
    assert tuple(read["kinds"]) == chain.joint_types


NO_ROWS = {
    "": "the table has no row",
    "# a b c": "the table has no row",
    "0 0 0\n0 1": "line 2 must have 3 to 6 numbers: a α d, or a α d θ, then optionally two limits; got 2",
    "0 0 0 0 0 0 0": "two limits; got 7",
    "0 0 x": "numbers must be such as 0.5, -pi/2 or 90°, got 'x' in line 1",
    "0 0 1e10": "got '1e10' in line 1",
    "0 0 .": "got '.' in line 1",
    "0 0 pi/0": "got 'pi/0' in line 1",
    "0 0 1.2.3pi": "got '1.2.3pi' in line 1",
    "0 0 1 0 2 1": "must have lower ≤ upper, got [2, 1]",
    "0 0 1 fixed": "got 1 fixed rows",
    "0 0 1\n" * 101: "there are 101 rows",
}


def test_rows_that_are_none_get_their_sentence_in_the_page_and_in_the_library(tmp_path):
    program = (
        'import { readRows } from "course/bring_your_robot/dh";'
        "\nreturn told.map((text) => { try { readRows(text); return null; } catch (no) { return no.message; } });"
    )
    for (text, words), said in zip(NO_ROWS.items(), in_front(program, list(NO_ROWS)), strict=True):
        assert words in (said or ""), (text, said)
        (tmp_path / "t.txt").write_text(text, encoding="utf8")
        if "rows; this page" not in str(said):
            with pytest.raises(LessonsError) as refused:
                robots.load_dh(tmp_path / "t.txt")
            assert words in str(refused.value)


OWN = {
    "no type": "must be one of revolute, .*, got ''",
    "no axis": "the axis of joint 'j' must not be zero",
    "unknown parent": "must be a link, got 'bose'; it has 'base', 'b'",
}
"""Where the page's words differ from the library's."""

APART = robot(THREE + joint() + joint('<mimic joint="j" offset="-5"/>', "k", ends="bc"))
NARROW = {"narrow": (APART, "the joints that follow it allow no common value; they need 4 ≤ q ≤ 2")}
REFUSED = {"XML": NOT_XML, "robot": NO_ROBOT, "numbers": NO_NUMBERS, "limits": NO_LIMITS, "leader": NO_LEADER | NARROW}
BAD = {
    f"{group}: {name}": (text, OWN.get(name, words).replace("robot\\.urdf", "the file"))
    for group, cases in REFUSED.items()
    for name, (text, words) in cases.items()
    if "mass" not in name and "centre" not in name  # the page reads neither, and takes a text that is decoded
    if name != "unknown encoding"
}


def test_the_page_refuses_every_file_that_the_library_refuses():
    """With the same message, except for XML that is not well-formed."""
    floating = {"floating": (EVERY_KIND, "joint 'float' is floating; this page takes joints that turn or slide")}
    still = {"no joint": (robot('<link name="a"/>'), "no joint of 'r' moves 'a' against 'a'")}
    more = '<link name="m"/><joint name="m" type="continuous"><parent link="l100"/><child link="m"/></joint></robot>'
    long = {"too long": (LONG.replace("</robot>", more), "101 joints move 'm' against 'l0'; this page takes at most")}
    cases = {**BAD, **floating, **still, **long}
    program = READ + (
        "return told.texts.map((text) => { try { made(text, []); return null; }"
        " catch (error) { return [error.constructor.name, error.message]; } });"
    )
    found = in_front(program, {"source": source(), "texts": [text for text, _ in cases.values()]})
    for (name, (text, words)), refusal in zip(cases.items(), found, strict=True):
        assert refusal is not None and refusal[0] == "UrdfProblem", (name, refusal)
        if name in BAD:
            with pytest.raises(LessonsError) as refused:
                robots.from_urdf(text)
            if "is not well-formed XML" in str(refused.value) or "<" not in text:  # in the browser's words
                words = r"^the file is not well-formed XML: line \d+: \w"
        assert re.search(words, refusal[1]), (name, words, refusal[1])


def test_the_page_reads_every_file_that_the_library_reads():
    """A default namespace, undeclared prefixes, text before the robot; remains of xacro are reported."""
    left = with_macro("xacro"), with_macro("x"), with_macro("xacro", declared=False)
    texts = [*(text.format(PLACED) for text in UNREAD.values()), *left]
    program = READ + ("return told.texts.map((text) => [made(text, []).screws, parseXml(text, 'the string').warning]);")
    for text, (screws, warning) in zip(texts, in_front(program, {"source": source(), "texts": texts}), strict=True):
        assert np.abs(np.transpose(screws) - robots.from_urdf(text).screws).max() <= 1e-14
        named = re.search(r":macro", text) and "line 2 of the string: <"
        assert warning.startswith(named or "") and bool(warning) == bool(named), (text, warning)
