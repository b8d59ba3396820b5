"""Code compiled in advance: every package registers its part, and nothing is compiled again."""

import inspect
import os
import subprocess
import sys

import pytest

from lessons_lib import robots
from lessons_lib.robots import precompile

pytestmark = pytest.mark.check

STEP_ALONE = """
import lessons_lib.pose_ik.precompile, lessons_lib.trajectories.precompile
for package in lessons_lib.pose_ik.precompile, lessons_lib.trajectories.precompile:
    package.compilations = lambda chain: ()
"""
HELD = """
import sys

def held():
    generated = [module for name, module in sys.modules.items() if name.startswith("lessons_lib_generated_")]
    found = [(name, kernel) for module in generated for name, kernel in vars(module).items()]
    return {f"{name}{types}" for name, kernel in found for types in getattr(kernel, "overloads", ())}
"""
STEP = """
import numpy as np
from lessons_lib import differential_ik as dik, robots

def use(tree, frame, other):
    hand, gap = dik.FrameTask(frame, 1.0, [1.0, 0.0, 1.0]), dik.RelativeFrameTask(frame, other, 1.0, 1.0)
    posture, centre = dik.PostureTask(0.1), dik.ComTask([1.0, 1.0, 0.0])
    at = dik.Configuration(tree, np.clip(tree.q0, tree.lower + 0.1, tree.upper - 0.1))
    tasks = [hand, gap, posture, centre]
    for task in tasks:
        task.set_target_from_configuration(at)
    wall = at.get_transform_frame_to_world(frame)[0, 3] + 0.001
    hand.transform_target_to_world[:3, 3] += (0.3, 0.0, -0.2)
    tasks += [dik.LowAccelerationTask(0.01), dik.DampingTask(0.01), dik.ManipulabilityTask(frame, tree)]
    box = [dik.ConfigurationLimit(tree), dik.VelocityLimit(tree)]
    rows = [*box, dik.FrameVelocityLimit(tree, frame, 0.01, 0.01)]
    walls = [dik.PositionBarrier(frame, indices=[0], p_max=[wall], safe_displacement_gain=1.0)]
    at.update(at.integrate(list(dik.solve_ik(at, tasks, 0.01)), 0.01))
    gap.set_target_from_configuration(at)
    at.integrate_inplace(dik.solve_ik(at, [posture], 0.01, constraints=[gap]), 0.01)
    at.integrate_inplace(dik.solve_ik(at, tasks, 0.01, limits=[dik.AccelerationLimit(tree, np.ones(tree.nv))]), 0.01)
    at.integrate_inplace(dik.solve_ik(at, tasks, 0.01, limits=rows), 0.01)
    at.integrate_inplace(dik.solve_ik(at, tasks, 0.01, barriers=walls), 0.01)

before = held()
use(robots.load_urdf(robots.urdf_file("two_arms")), "right_hand", "torso")
use(robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True), "rear_right_foot", "front_left_foot")
print(sorted(held() - before))
"""


def run(code, cache=None):
    environment = {**os.environ, **({"LESSONS_CACHE_DIR": str(cache)} if cache else {})}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=1800)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def test_after_compile_a_step_of_differential_ik_finds_all_that_it_calls():
    """In the cache of all tests: whether a kernel was compiled or loaded, the call that brought it shows."""
    chain = "from lessons_lib import robots\nrobots.planar_2r().compile()\n"
    assert run(STEP_ALONE + chain + HELD + STEP) == "[]\n"


def test_no_compilation_lacks_an_argument():
    for words, compile_it in precompile.all_compilations(robots.planar_2r()):
        assert inspect.signature(compile_it).bind() is not None, words
