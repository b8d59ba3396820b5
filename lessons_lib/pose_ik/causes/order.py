"""In which order causes are looked for, and which of them make others needless."""

from __future__ import annotations

from collections.abc import Callable

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.arguments import DEFAULT_STOP, check_problem, check_target
from lessons_lib.pose_ik.causes import local, mistaken, reach
from lessons_lib.pose_ik.causes.explanation import Cause, Explanation, length
from lessons_lib.pose_ik.causes.question import Question
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.result import Result, Status
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain, Scene

IN_THE_WAY, ELSEWHERE = "something is in the way", "Another pose, or what is in the way elsewhere."


def explained(
    solve: Callable[..., Result],
    arm: Chain,
    target: Array,
    goal: Goal | None,
    method: StepMethod | None,
    stop: Stop | None,
    scene: Scene | None,
    result: Result,
) -> Explanation:
    """Return why `pose_ik.solve`, asked for this, returned a result; see `pose_ik.explain`."""
    check_problem(arm, method, stop, None, goal)
    pose = check_target(target)
    if result.converged:
        return Explanation((), True)
    q, start = arm.check_configuration(result.q), result._report[-arm.dof :]
    asked = Question(arm, pose, q, result.status, start, goal, method, stop or DEFAULT_STOP, solve)
    if scene is not None and result.status is Status.TOUCHING:
        return Explanation((_in_the_way(scene, asked),), False)
    causes, by_chance = _causes(asked)
    other = asked.escape if not causes and asked.can_be_had.converged else None
    return Explanation(tuple(causes), False, (*_not_judged(asked), *filter(None, [by_chance])), other)


def _in_the_way(scene: Scene, asked: Question) -> Cause:
    """Return that all postures touch, or those that were found, with the pairs of the one with the most room."""
    pairs = ", ".join(f"{one} and {other}" for one, other in scene.touching(asked.q))
    room = length(scene.clearance(asked.q), asked.arm.unit_in_words)
    most = f"the one with the most room, {room}: {pairs}."
    answers = asked.within
    every = answers is not None and answers.complete and not answers.families
    if answers is not None and every and not any(scene.is_free(q) for q in answers.q):
        return Cause(IN_THE_WAY, True, f"each of all {len(answers)} postures touches; {most}", ELSEWHERE, asked.q)
    return Cause(IN_THE_WAY, False, f"each posture that was found touches; {most}", ELSEWHERE, asked.q)


def _causes(asked: Question) -> tuple[list[Cause], str]:
    never = reach.leaves_its_plane(asked) + reach.out_of_reach(asked)
    never = never or reach.no_configuration(asked)
    if never:
        suspected, by_chance = mistaken.mistaken(asked, reach.miss(asked) is not None)
        return never + suspected, by_chance
    here = local.below_rounding(asked) or local.unfinished(asked) or local.at_rest(asked)
    here = here or reach.left_limits(asked) or reach.limits_suspected(asked)
    if asked.can_be_had.converged:
        return here, ""
    suspected, by_chance = mistaken.mistaken(asked, False)
    return here + suspected, by_chance


def _not_judged(asked: Question) -> list[str]:
    if not asked.is_whole:
        return ["whether any configuration will do; that is known of whole poses"]
    answers, cut = asked.answers, asked.slices
    if cut is not None:
        joint = asked.arm.joint_names[cut.joint]
        return (
            [] if cut.empty else [f"whether any configuration has the pose: {cut.count} slices of {joint} do not tell"]
        )
    if answers is None:
        return [f"whether any configuration has the pose; all are not known of {asked.arm.name}"]
    return [] if answers.complete else [f"whether any configuration has the pose: {answers.reason}"]
