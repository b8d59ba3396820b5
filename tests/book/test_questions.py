"""Every right answer to a question in the lessons is right, and wrong choices are common mistakes: all are recomputed.

`predict_NAME` in tests/course/questions/SUBJECT.py computes the choices of the question `predict-NN-NAME`. Measured
values are read from the outputs of the lesson's cells, which nbval compares. For a place in the live figure, the
function yields many places, each with its choice.
"""

import numpy as np
import pytest
from independent_kinematics import RNG
from lesson_questions import LESSONS, answers_of, answers_to, figure_of, questions_of

QUESTIONS = [(subject, name) for subject in LESSONS for name in questions_of(subject)]
PLACES = [(subject, name) for subject, name in QUESTIONS if questions_of(subject)[name].kind == "place"]
OTHERS = [question for question in QUESTIONS if question not in PLACES]


@pytest.fixture(autouse=True)
def _same_draws():
    RNG.bit_generator.state = np.random.default_rng(16).bit_generator.state  # whatever was computed before


def chosen(subject, name, values):
    """The choice that contains a place, by the facts of the figure."""
    shown = figure_of(subject, name)
    for control, value in values.items():
        setattr(shown, control, value)
    facts = shown.facts
    return next(choice.words for choice in questions_of(subject)[name].choices if choice.region.holds(facts))


@pytest.mark.parametrize("subject", LESSONS)
def test_a_lesson_asks_three_to_five_questions_and_each_is_computed(subject):
    assert 3 <= len(questions_of(subject)) <= 5
    assert answers_of(subject).keys() == questions_of(subject).keys(), "predict_NAME in tests/course/questions"


@pytest.mark.parametrize(("subject", "name"), OTHERS)
def test_the_right_answer_is_right_and_each_mistake_gives_its_number(subject, name):
    question, computed = questions_of(subject)[name], answers_of(subject)[name]()
    if question.numbers:
        pairs = zip(question.numbers, computed, strict=True)
        assert [(number.value, value) for number, value in pairs if abs(value - number.value) > number.within / 2] == []
    else:
        assert [bool(value) for value in computed] == [choice.right for choice in question.choices]


@pytest.mark.parametrize(("subject", "name"), PLACES)
def test_each_place_is_judged_by_the_choice_that_holds_of_it(subject, name):
    judged = [(words, chosen(subject, name, values), values) for values, words in answers_of(subject)[name]()]
    assert [case for case in judged if not case[1].startswith(case[0])] == []
    undecided = getattr(answers_to(subject), "UNDECIDED", set())
    met = {words for _, words, _ in judged}
    assert met >= {choice.words for choice in questions_of(subject)[name].choices} - undecided


@pytest.mark.parametrize(("subject", "name"), PLACES)
def test_a_question_for_a_place_begins_at_a_wrong_one_and_moves_what_the_figure_has(subject, name):
    question, shown = questions_of(subject)[name], figure_of(subject, name)
    place = question.place
    assert place is not None
    starts = {control.name: control.start for control in shown.controls}
    assert place.held.keys() | place.moved.keys() <= starts.keys() and not place.held.keys() & place.moved.keys()
    begun = chosen(subject, name, {control: float(value) for control, value in place.moved.items()})
    assert begun in [choice.words for choice in question.choices if not choice.right]
