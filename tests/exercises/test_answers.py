"""The checks of the exercises: right answers pass, common mistakes are named, other errors are not explained.

The checks run in this process, without nbgrader, and the setup cells run once per exercise.
"""

import re
from copy import deepcopy
from functools import cache, partial, wraps
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from graded_exercise import EXERCISES, ROOT, Exercise, defined_in

from lessons_lib.course import feedback
from lessons_lib.course.check_failed import hint

NAMED = "Hint ["


@cache
def answers_to(subject):
    """The answers of tests/exercises/answers/ by kind, each a description to the functions that it defines.

    RIGHT gets full marks. SLIPS are named by these words, which a check finds otherwise than by numbers. UNNAMED are
    wrong without a name, WRONG is wrong. A function that an answer omits is the solution's.
    """
    path = Path(__file__).with_name("answers") / f"{subject}.py"
    assert path.exists(), f"write tests/exercises/answers/{path.name} with RIGHT, SLIPS and UNNAMED, as others have"
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases(kind):
    for path in EXERCISES:
        for said, names in getattr(answers_to(path.stem[3:]), kind, {}).items():
            yield pytest.param(path, said, names, id=f"{path.stem[:2]} {said}")


@cache
def exercise(path):
    return Exercise(path)


@pytest.mark.parametrize(("path", "said", "names"), [*cases("RIGHT")])
def test_another_right_answer_gets_full_marks(path, said, names):
    assert len(exercise(path).points) >= 2, "write at least two graded cells: one is all or nothing"
    assert dict(exercise(path).failures(names)) == {}


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem[:2])
def test_a_blank_scores_nothing(path):
    scope = {}
    exec("\n".join(f"def {name}(*_, **__):\n    raise NotImplementedError" for name in exercise(path).names), scope)
    blank = {name: scope[name] for name in exercise(path).names}
    failed = dict(exercise(path).failures(blank, hidden=False, kind=NotImplementedError))
    assert failed.keys() == exercise(path).points.keys()


@pytest.mark.parametrize(("path", "said", "names"), [*cases("SLIPS")])
def test_a_common_mistake_is_named(path, said, names):
    heard = []
    for _, message in exercise(path).failures(names, hidden=False):
        heard.append(message)
        if said in message:
            break
    assert heard, "no visible check fails"
    assert said in heard[-1], heard
    for message in heard:
        coded = re.findall(r"Hint \[[\w.-]+\]: ", message)
        assert message.count(NAMED) == len(coded), f"a code is missing: {message}"


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem[:2])
def test_the_answer_of_a_mistake_gets_its_name(path, monkeypatch):
    """Each check is repeated with the answers of its mistakes, and with those that a usual correction would correct."""
    own, asked, places = feedback.check, list[list[tuple[Any, feedback.Slips]]](), list[object]()

    def record(where, answer, off, within, slips=None, *rest, **named):
        place = feedback._cases[-1] if feedback._cases else object()
        if not places or places[-1] is not place:
            places.append(place)
            asked.append([])
        right = named.get("right", rest[2] if len(rest) > 2 else None)
        asked[-1] += [] if right is None else [(right(answer) if callable(right) else right, slips or {})]
        return own(where, answer, off, within, slips, *rest, **named)

    monkeypatch.setattr(feedback, "check", record)
    assert dict(exercise(path).failures(exercise(path).own, hidden=False)) == {}
    monkeypatch.setattr(feedback, "check", own)
    slips = [one for points in asked for _, some in points for one in some.items()]
    known = {words for words, slip in slips if not callable(slip) or words in INVERSE}
    hinted = {words for points in asked for words in known if hint(words) in messages_for_all(points, words)}
    assert known - hinted == set()


INVERSE = {
    words: wrong
    for slips, wrong in (
        (feedback.SIGN, np.negative),
        (feedback.TWICE, lambda answer: 2 * answer),
        (feedback.HALF, lambda answer: answer / 2),
        (feedback.DEGREES, np.degrees),
        (feedback.ORDER, lambda answer: np.roll(answer, len(answer) // 2, axis=0)),
        (feedback.TRANSPOSED, np.transpose),
    )
    for words in slips
}
"""For each correction of `feedback` its inverse."""


def wrong_answer(words, slips, right):
    slip = slips.get(words, right)
    return np.asarray(INVERSE[words](np.asarray(right)) if callable(slip) else slip, dtype=float)


def messages_for_all(points, words):
    """Return the message for a right answer, or for a mistake's answer in the cases that define one."""
    try:
        with feedback.all_cases():
            for right, slips in points:
                feedback.compare("", wrong_answer(words, slips, right), right, 1e-9, slips)
    except feedback.CheckFailed as wrong:
        return str(wrong)
    return ""


def says_how_far_off_it_is(message):
    return NAMED not in message and any(letter.isdigit() for letter in message)


@pytest.mark.parametrize(("path", "said", "names"), [*cases("UNNAMED")])
def test_an_unexplained_error_gets_no_hint(path, said, names):
    _, message = next(exercise(path).failures(names, hidden=False))
    assert says_how_far_off_it_is(message), message


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem[:2])
def test_numbers_that_are_a_little_off_get_no_hint(path):
    """Of every function that returns numbers; a count of starts is rounded."""
    for name, own in exercise(path).own.items():
        changed = []

        def off(numbers, changed=changed):
            changed.append(numbers)
            return 1.02 * numbers + 0.0123

        wrong = change_form(partial(in_floats, change=off), own)
        messages = [said for _, said in exercise(path).failures({name: wrong}, hidden=False)]
        if changed and name != "starts_needed":
            assert says_how_far_off_it_is(messages[0]), messages[0]


def in_floats(answer, change):
    """Return an answer with its floats and arrays of floats changed."""
    if isinstance(answer, (tuple, list)):
        return type(answer)(in_floats(one, change) for one in answer)
    numbers = isinstance(answer, (float, np.floating, np.ndarray)) and np.asarray(answer).dtype.kind == "f"
    return change(answer) if numbers else answer


@pytest.mark.parametrize(("path", "said", "names"), [*cases("WRONG")])
def test_another_mistake_fails_in_a_visible_check(path, said, names):
    _, message = next(exercise(path).failures(names, hidden=False))
    assert len(message.split()) >= 5, message


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem[:2])
def test_a_typical_mistake_gets_partial_marks_and_a_hint(path):
    mistake = path.with_name("typical_mistake.py")
    assert mistake.exists(), f"write {mistake.relative_to(ROOT)}: a mistake that scores a part"
    text = mistake.read_text(encoding="utf8")
    scope = exercise(path).scope
    scope |= exercise(path).own
    exec(compile(text, "typical_mistake.py", "exec"), scope)
    failed = dict(exercise(path).failures({name: scope[name] for name in exercise(path).names}))
    count = f"{mistake.relative_to(ROOT)} must fail some checks, not all; it fails {[*failed]}"
    assert 0 < len(failed) < len(exercise(path).points), count
    assert all(len(message.split()) >= 5 for message in failed.values())


def change_form(otherwise, own):
    """Return a solution that returns its answer in another form, and overwrites its arguments."""

    @wraps(own)
    def answer(*given, **named):
        result = deepcopy(otherwise(own(*given, **named)))
        for one in given:
            if isinstance(one, np.ndarray):
                one[...] = 7
            elif isinstance(one, list):
                one.clear()
        return result

    return answer


def as_lists(answer):
    if isinstance(answer, tuple):
        return [as_lists(one) for one in answer]
    return answer.tolist() if isinstance(answer, (np.ndarray, np.generic)) else answer


@pytest.mark.check
@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem[:2])
def test_lists_are_right_and_so_is_an_answer_that_changes_its_arguments(path):
    answers = {name: change_form(as_lists, own) for name, own in exercise(path).own.items()}
    assert dict(exercise(path).failures(answers)) == {}


@pytest.mark.check
@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem[:2])
def test_tasks_that_need_float64_say_so(path):
    for name, own in exercise(path).own.items():
        failed = dict(exercise(path).failures({name: change_form(partial(in_floats, change=np.float32), own)}))
        assert not failed or "float64" in (own.__doc__ or ""), f"{name} does not say float64: {failed}"


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem[:2])
def test_a_mistake_in_the_first_task_costs_points_once(path):
    first = defined_in(exercise(path).solutions[0])
    failed = dict(exercise(path).failures(dict.fromkeys(first, missing), hidden=False, kind=Exception))
    below = {name for name, _, _, above in exercise(path).checks if not above <= set(first)}
    assert failed, "no visible check uses the first task: put a check of it above the cell of the second task"
    twice = f"{sorted(map(str, failed.keys() & below))} call the first task below the cell of the second one"
    assert not failed.keys() & below, f"{twice}: move a check of the first task up, give the second the right result"


def leaves(thing):
    """Yield a value, and the values that it holds."""
    yield thing
    if isinstance(thing, (dict, list, tuple)):
        for one in thing.values() if isinstance(thing, dict) else thing:
            yield from leaves(one)


def missing(*_, **__):
    raise NotImplementedError


def copies(given):
    """Return copies of the arguments; objects that cannot be copied are not arrays."""
    return tuple(deepcopy(one) if isinstance(one, (np.ndarray, list, tuple)) else one for one in given)


def same(one, other):
    """Return whether two answers are the same numbers, not all zero, or the same text."""
    try:
        a, b = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
        return bool(a.shape == b.shape and a.size and np.any(b) and np.allclose(a, b, rtol=1e-6, atol=1e-9))
    except (TypeError, ValueError):
        return type(one) is type(other) is str and one == other


@pytest.mark.check
@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem[:2])
def test_no_function_of_the_checks_answers_in_the_place_of_the_student(path):
    tried = exercise(path)
    calls = {name: [] for name in tried.names}

    def record(name, own):
        def answer(*given, **named):
            before = copies(given) if len(calls[name]) < 200 else None
            result = own(*given, **named)
            if before is not None:
                calls[name].append((before, result))
            return result

        return answer

    failed = dict(tried.failures({name: record(name, own) for name, own in tried.own.items()}, hidden=False))
    assert failed == {}
    others = [one for one in tried.scope.values() if isinstance(one, FunctionType) and one.__module__ == "exercise"]
    others = [one for one in others if one not in tried.own.values()]
    tried.scope |= dict.fromkeys(tried.names, missing)
    for name, seen in calls.items():
        for helper in others:
            assert not answers_for(helper, seen), f"{helper.__name__} gives what {name} is asked for"


def answers_for(helper, seen):
    """Return whether a function gives all of these answers, from these arguments or the first of them."""
    telling = [(given, result) for given, result in seen if any(same(one, one) for one in leaves(result))]
    for taken in range(1, max((len(given) for given, _ in telling), default=0) + 1):
        try:
            with np.errstate(all="ignore"):
                if all(any(same(leaf, right) for leaf in leaves(helper(*given[:taken]))) for given, right in telling):
                    return True
        except Exception:  # noqa: BLE001 (a function of other arguments)
            continue
    return False
