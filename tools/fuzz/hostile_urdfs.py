"""URDF texts that somebody, or something, has spoiled: each is read as Pinocchio reads it, or refused with a reason."""

from __future__ import annotations

import math
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pinocchio

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.errors import LessonsError
from lessons_lib.robots import Tree
from tools.fuzz.tally import Tally, generator

QUESTION = "Is a spoiled URDF read as Pinocchio reads it, or else refused with an error of the library's own?"
JUDGE = "Pinocchio, from the same text"
UNIT = "texts"
CASES = 20000


PATIENCE = 30.0
"""Seconds that reading one small text may take."""

SIZE = 1e4
"""Beyond this [m or rad] two ways of rounding may differ by more than a judge can tell from an error."""

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "revolute", "prismatic")
WORDS = """
    0 -0 1 -1 1e-320 1e9 1e10 1e999 nan -nan inf -inf Infinity 1_0 0x10 1e5 1E-3 .5 5. +1 ++1 1,5 1;2 ٣ １ ½ abc
    $(x) {0} 1e400 1e-400 0.1.2 1e 1e+ 1d3 1f true None 00012 1\u00a02 \u202e12 - . e π 4e-324 1.7976931348623157e308
    '' " < > &
    revolute continuous prismatic fixed floating planar Revolute spherical helical l0 l1 l2 j0 j1 world name origin
    rpy xyz axis limit mimic parent child joint link robot inertial mass transmission gazebo xacro:macro
""".split()
SNIPPETS = (
    '<axis xyz="0 1 0"/>',
    "<axis/>",
    '<axis xyz="0 0 0"/>',
    "<origin/>",
    '<origin xyz="1 2 3"/>',
    '<origin rpy="1 2 3"/>',
    '<origin xyz="1\t2\n3" rpy=" 1  2 3 "/>',
    "<limit/>",
    '<limit effort="1" velocity="1"/>',
    '<parent link="l0"/>',
    '<child link="l1"/>',
    '<mimic joint="j0" multiplier="-2" offset="0.5"/>',
    '<mimic joint="j1"/>',
    "<link/>",
    '<link name="l0"/>',
    '<link name="new"/>',
    "<joint/>",
    "<!-- <axis xyz='1 1 1'/> -->",
    "<![CDATA[<axis/>]]>",
    "<?pi x?>",
    '<inertial><mass value="-1"/></inertial>',
    '<!DOCTYPE r [<!ENTITY x "y">]>',
    "&x;",
    "&#0;",
    "&#65;",
    "\x00",
    "\ufeff",
    "<robot name='r'>",
    "</robot>",
    "</joint>",
    "text",
    '<dynamics damping="x"/>',
    "<visual><geometry/></visual>",
    '<safety_controller k_velocity="1"/>',
    '<calibration rising="0"/>',
    "<a xmlns:x='y'><x:axis/></a>",
)


def fuzz(cases: range, seed: int, tally: Tally) -> None:
    """Run the cases of these numbers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.urdf"
        for case in cases:
            rng = generator(seed, case)
            spoiled = urdf(rng).encode()
            for _ in range(int(rng.integers(0, 4))):
                spoiled = spoil(rng, spoiled)
            path.write_bytes(spoiled)
            tally.tried += 1
            try:
                with patience():
                    _judge(path, spoiled, rng, case, tally)
            except Exception as error:  # noqa: BLE001 (whatever is not the library's own)
                tally.fail(case, f"{error!r}"[:300])


def urdf(rng: np.random.Generator) -> str:
    """Return a random small robot."""
    count = int(rng.integers(1, 6))
    parts = ['<link name="l0"/>']
    for i in range(count):
        kind = KINDS[int(rng.integers(len(KINDS)))]
        inside = [f'<parent link="l{int(rng.integers(i + 1))}"/>', f'<child link="l{i + 1}"/>']
        inside += [f'<origin xyz="{_words(rng)}" rpy="{_words(rng)}"/>'] if rng.random() < 0.8 else []
        inside += [f'<axis xyz="{_words(rng)}"/>'] if rng.random() < 0.8 else []
        inside += (
            ['<limit lower="-1.5" upper="2.5" effort="1" velocity="1"/>'] if kind not in ("fixed", "floating") else []
        )
        inside += [f'<mimic joint="j{int(rng.integers(count))}" multiplier="2"/>'] if rng.random() < 0.1 else []
        parts.append(f'<link name="l{i + 1}"/><joint name="j{i}" type="{kind}">{"".join(inside)}</joint>')
    return f'<?xml version="1.0"?><robot name="r">{"".join(parts)}</robot>'


def spoil(rng: np.random.Generator, text: bytes) -> bytes:
    """Return the text with one thing done to it."""
    place, end = sorted(int(k) for k in rng.integers(0, len(text) + 1, size=2))
    kind = rng.integers(7)
    if kind == 0:
        return text[:place] + bytes([int(rng.integers(256))]) + text[place + 1 :]
    if kind == 1:
        return text[:place] + text[min(end, place + 40) :]
    if kind == 2:
        return text[:end] + text[place : place + 80] + text[end:]
    word = WORDS[int(rng.integers(len(WORDS)))].encode()
    if kind == 3:
        return text[:place] + word + text[place:]
    if kind == 4:
        return _in_place_of_a_tag(text, place, SNIPPETS[int(rng.integers(len(SNIPPETS)))].encode())
    return _in_place_of_a_value(rng, text, place, word)


def _in_place_of_a_tag(text: bytes, place: int, snippet: bytes) -> bytes:
    """Put a snippet before the next tag, or in its place."""
    begin = text.find(b"<", place)
    end = text.find(b">", begin) + 1 if len(snippet) % 2 else begin
    return text if begin < 0 else text[:begin] + snippet + text[end:]


def _in_place_of_a_value(rng: np.random.Generator, text: bytes, place: int, word: bytes) -> bytes:
    """Put a word in place of one number, or of the whole, in the next attribute."""
    begin = text.find(b'="', place) + 2
    end = text.find(b'"', begin)
    if begin < 2 or end < 0:
        return text
    words = text[begin:end].split(b" ")
    words[int(rng.integers(len(words)))] = word
    return text[:begin] + (word if rng.random() < 0.2 else b" ".join(words)) + text[end:]


@contextmanager
def patience() -> Iterator[None]:
    """Raise TimeoutError where what is inside takes too long."""

    def ring(*_: object) -> None:
        raise TimeoutError(f"not done after {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def _judge(path: Path, text: bytes, rng: np.random.Generator, case: int, tally: Tally) -> None:
    trees = []
    for mimic in (True, False):
        try:
            trees.append(robots.load_urdf(path, mimic=mimic))
        except LessonsError:
            return
    tree = trees[-1]
    with suppress(LessonsError):
        robots.from_urdf(path, tip=tree.frame_names[-1])
    tally.measure("texts that were read", tally.worst.get("texts that were read", 0.0) + 1.0)
    try:
        model = pinocchio.buildModelFromXML(text.decode("utf8"))
    except Exception:  # noqa: BLE001 (Pinocchio asks for more than kinematics does)
        tally.measure("of them not read by the judge", tally.worst.get("of them not read by the judge", 0.0) + 1.0)
        return
    _compare(tree, model, rng, case, tally)


def _compare(tree: Tree, model: pinocchio.Model, rng: np.random.Generator, case: int, tally: Tally) -> None:
    """Compare joints, limits and the pose of every link at one configuration."""
    ours = set(tree.joint_names)
    if ours != set(model.names[1:]):
        tally.fail(case, f"joints {sorted(ours)}, and the judge has {sorted(model.names[1:])}")
        return
    if any(joint.nv == 3 for joint in model.joints[1:]):  # its planes are other ones than ours
        return
    q, data = tree.random_configuration(rng), model.createData()
    pinocchio.framesForwardKinematics(model, data, _theirs(tree, model, q))
    state = tree.state(q)
    size = 1.0 + float(np.abs(tree.arrays.placements).max(initial=0.0)) + float(np.abs(tree.arrays.offsets).max())
    for name in tree.frame_names:
        if not model.existFrame(name, pinocchio.FrameType.BODY):
            tally.fail(case, f"link {name!r} is not one of the judge's")
            continue
        theirs = data.oMf[model.getFrameId(name, pinocchio.FrameType.BODY)].homogeneous
        error = float(np.abs(state.forward_kinematics(name) - theirs).max())
        if size < SIZE:
            tally.measure("error of a pose over the robot's size", error / size)
        if not error <= 1e-13 * size * (1 + tree.nq):
            tally.fail(case, f"link {name!r} is {error:.3g} away, at q = {q.tolist()}")
    for name, joint in zip(model.names[1:], model.joints[1:], strict=True):
        if joint.nq == 1:
            k, i = tree.q_names.index(name), joint.idx_q
            found, known = (tree.lower[k], tree.upper[k]), (model.lowerPositionLimit[i], model.upperPositionLimit[i])
            if not np.allclose(found, known, rtol=1e-12, atol=0.0, equal_nan=True) and abs(known[0]) < 1e300:
                tally.fail(case, f"limits of {name!r} are {found}, and the judge's {known}")


def _theirs(tree: Tree, model: pinocchio.Model, q: Array) -> Array:
    """Return the judge's configuration for ours."""
    ours, theirs = dict(zip(tree.q_names, q.tolist(), strict=True)), list[float]()
    for name, joint in zip(model.names[1:], model.joints[1:], strict=True):
        if joint.nq == 7:
            theirs += [ours[f"{name}.{part}"] for part in ("x", "y", "z", "qx", "qy", "qz", "qw")]
        else:
            angle = ours[name]
            theirs += [math.cos(angle), math.sin(angle)] if joint.nq == 2 else [angle]
    return np.array(theirs)


def _words(rng: np.random.Generator) -> str:
    numbers = np.where(rng.random(3) < 0.4, 0.0, rng.uniform(-2.0, 2.0, 3))
    return " ".join(repr(float(x)) for x in (numbers if numbers.any() else [0.0, 0.0, 1.0]))
