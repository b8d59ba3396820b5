"""A spoiled URDF is read as Pinocchio reads it, or refused by an error of the library."""

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pinocchio_trees import Twin

from lessons_lib import robots
from lessons_lib.errors import LessonsError
from lessons_lib.robots import Tree

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating")
WORDS = (
    r"""
    0 -1 1e-320 1e9 1e10 1e999 nan -inf Infinity 1_0 0x10 1E-3 .5 5. +1 ++1 1,5 ٣ １ ½ abc $(x) {0} 1e+ 1d3 true 1-. e
    revolute continuous prismatic fixed floating planar Revolute helical l0 l1 l2 j0 j1 world name origin xacro:macro
""".split()
    + ["1\u00a02", "\u202e12"]
)
SNIPPETS = """
    <axis xyz="0 1 0"/>|<axis/>|<axis xyz="0 0 0"/>|<origin/>|<origin xyz="1 2 3"/>|<origin rpy="1 2 3"/>|<limit/>|
    <origin xyz="1\t2\n3" rpy=" 1  2 3 "/>|<limit effort="1" velocity="1"/>|<parent link="l0"/>|<child link="l1"/>|
    <mimic joint="j0" multiplier="-2" offset="0.5"/>|<mimic joint="j1"/>|<link/>|<link name="l0"/>|<link name="new"/>|
    <joint/>|<!-- <axis xyz='1 1 1'/> -->|<![CDATA[<axis/>]]>|<?pi x?>|<inertial><mass value="-1"/></inertial>|
    <!DOCTYPE r [<!ENTITY x "y">]>|&x;|&#0;|&#65;|\x00|\ufeff|<robot name='r'>|</robot>|</joint>|text|
    <dynamics damping="x"/>|<visual><geometry/></visual>|<safety_controller k_velocity="1"/>|
    <calibration rising="0"/>|<a xmlns:x='y'><x:axis/></a>
""".split("|")

decimals = st.integers(-2000, 2000).map(lambda k: k / 1000)  # Pinocchio loses digits of an axis as short as 1e-160
numbers = st.lists(st.just(0.0) | decimals, min_size=3, max_size=3).filter(any)
words = numbers.map(lambda three: " ".join(map(repr, three)))


@st.composite
def urdfs(draw: Any) -> bytes:
    """Return a small robot."""
    count, parts = draw(st.integers(1, 5)), ['<link name="l0"/>']
    for i in range(count):
        kind = draw(st.sampled_from(KINDS))
        inside = f'<parent link="l{draw(st.integers(0, i))}"/><child link="l{i + 1}"/>'
        inside += f'<origin xyz="{draw(words)}" rpy="{draw(words)}"/><axis xyz="{draw(words)}"/>'
        if kind not in ("fixed", "floating"):
            inside += '<limit lower="-1.5" upper="2.5" effort="1" velocity="1"/>'
        if draw(st.integers(0, 9)) == 9:
            inside += f'<mimic joint="j{draw(st.integers(0, count - 1))}" multiplier="2"/>'
        parts.append(f'<link name="l{i + 1}"/><joint name="j{i}" type="{kind}">{inside}</joint>')
    return f'<?xml version="1.0"?><robot name="r">{"".join(parts)}</robot>'.encode()


@st.composite
def mutated_urdfs(draw: Any) -> bytes:
    """Return a small robot with up to three changes of its text."""
    text = draw(urdfs())
    for _ in range(draw(st.integers(0, 3))):
        place, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        word = draw(st.sampled_from(WORDS)).encode()
        match draw(st.integers(0, 6)):
            case 0:
                text = text[:place] + draw(st.binary(min_size=1, max_size=1)) + text[place + 1 :]
            case 1:
                text = text[:place] + text[min(end, place + 40) :]
            case 2:
                text = text[:end] + text[place : place + 80] + text[end:]
            case 3:
                text = text[:place] + word + text[place:]
            case 4 if (begin := text.find(b"<", place)) >= 0:
                behind = text.find(b">", begin) + 1 if draw(st.booleans()) else begin
                text = text[:begin] + draw(st.sampled_from(SNIPPETS)).strip(" ").encode() + text[behind:]
            case 5 | 6 if (begin := text.find(b'="', place) + 2) > 1 and (behind := text.find(b'"', begin)) >= 0:
                values = text[begin:behind].split(b" ")
                values[draw(st.integers(0, len(values) - 1))] = word
                text = text[:begin] + draw(st.sampled_from([word, b" ".join(values)])) + text[behind:]
    return text


@pytest.mark.release
@pytest.mark.filterwarnings("ignore:.*degrees:UserWarning")
@settings(max_examples=3000)
@given(text=mutated_urdfs(), seed=st.integers(0, 2**32 - 1))
def test_a_spoiled_urdf_is_read_as_pinocchio_reads_it_or_refused(text: bytes, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.urdf"
        path.write_bytes(text)
        try:
            robots.load_urdf(path)
            tree = robots.load_urdf(path, mimic=False)
        except LessonsError:
            return
        with suppress(LessonsError):
            robots.from_urdf(path, tip=tree.frame_names[-1])
    try:
        model = pinocchio.buildModelFromXML(text.decode("utf8"))
    except Exception:  # noqa: BLE001 (Pinocchio asks for more than kinematics does)
        return
    assert set(tree.joint_names) == set(model.names[1:])
    if not any(joint.nv == 3 for joint in model.joints[1:]):  # its planar joints move in other planes than ours
        compare(Twin(tree, model, {}), tree, np.random.default_rng(seed))


def compare(twin: Twin, tree: Tree, rng: np.random.Generator) -> None:
    """Compare the pose of every link at one configuration, and the limits."""
    model, data, q = twin.model, twin.data, tree.random_configuration(rng)
    pinocchio.framesForwardKinematics(model, data, twin.q(q))
    state = tree.state(q)
    size = 1.0 + float(np.abs(tree.arrays.placements).max(initial=0.0)) + float(np.abs(tree.arrays.offsets).max())
    for name in tree.frame_names:
        assert model.existFrame(name, pinocchio.FrameType.BODY), name
        theirs = data.oMf[model.getFrameId(name, pinocchio.FrameType.BODY)].homogeneous
        assert np.abs(state.forward_kinematics(name) - theirs).max() <= 1e-13 * size * (1 + tree.nq), name
    for name, joint in zip(model.names[1:], model.joints[1:], strict=True):
        if joint.nq == 1:
            k, i = tree.q_names.index(name), joint.idx_q
            known = model.lowerPositionLimit[i], model.upperPositionLimit[i]
            if abs(known[0]) < 1e300:
                np.testing.assert_allclose((tree.lower[k], tree.upper[k]), known, rtol=1e-12, atol=0.0)
