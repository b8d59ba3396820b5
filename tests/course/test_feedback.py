"""A check names the only common mistake that explains the answer in every case, and otherwise none."""

import nbformat
import numpy as np
import pytest
import sympy as sp
from nbclient import NotebookClient

from lessons_lib.course import feedback
from lessons_lib.course.check_failed import CheckFailed, hint
from lessons_lib.course.student_claims import formulas, prove_claim

RIGHT = np.array([0.1, -0.2, 0.3, 1.0, 2.0, -3.0])
EVERY = feedback.SIGN | feedback.TWICE | feedback.HALF | feedback.DEGREES | feedback.ORDER


def message_for(answer, right, slips, within=1e-9):
    with pytest.raises(feedback.CheckFailed) as said:
        feedback.compare("At q = 0", np.asarray(answer), np.asarray(right), within, slips)
    return str(said.value)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (-RIGHT, feedback.SIGN),
        (2 * RIGHT, feedback.TWICE),
        (RIGHT / 2, feedback.HALF),
        (np.degrees(RIGHT), feedback.DEGREES),
        (np.roll(RIGHT, 3), feedback.ORDER),
    ],
)
def test_a_common_mistake_is_named(answer, words):
    assert message_for(answer, RIGHT, EVERY).endswith(hint(next(iter(words))))


def test_an_unexplained_error_is_reported_without_a_hint():
    with pytest.raises(feedback.CheckFailed) as said:
        feedback.compare("At q = 0", np.array([1.25, 0.75]), [1.0, 0.5], 1e-9, EVERY, "rad")
    lines = "At q = 0:\nyour function returned [1.25, 0.75];\nthe error is 2.5e-01 rad, the tolerance is 1e-09."
    assert str(said.value) == lines


def test_wrong_entries_are_listed_if_most_are_right():
    said = message_for(RIGHT + [0, 0, 0, 0, 0.5, 0], RIGHT, EVERY)
    assert said.endswith("Entry 4 is wrong; the other 5 are right (counting from 0).")
    assert "right" not in message_for([1 + 1e-6, 3e-6], [1.0, 0.0], {})  # both are beyond the tolerance


def test_six_entries_are_listed_and_the_column_with_the_largest_error_is_shown():
    right = np.arange(16.0).reshape(2, 8)
    for wrong, end in ((6, "(0, 5) are wrong"), (7, "(0, 5), … are wrong")):
        answer = right.copy()
        answer[0, :wrong] += range(1, 1 + wrong)
        said = message_for(answer, right, {})
        assert f"in column {wrong - 1} [{2 * wrong - 1}., {7 + wrong}.]" in said
        assert f"(0, 4), {end}; the other {16 - wrong} are right" in said


def test_indistinguishable_mistakes_are_not_named():
    assert "Hint [" not in message_for([1.0], [0.0], {"[this] this": [1.0], "[that] that": [1.0]})


def test_a_mistake_close_to_the_right_answer_is_not_named():
    """The answer is off by 1e-6 and the mistake's by 1e-8: they are close because both are nearly right."""
    near = {"[near] it is near": RIGHT + 1e-8}
    assert "Hint [" not in message_for(RIGHT + 1e-6, RIGHT, near)
    assert "Hint [near]" in message_for(RIGHT + 1e-8, RIGHT, near)


def test_a_correction_must_give_the_right_answer_not_another_zero_of_the_measure():
    """The measure sin x has another zero at 0, where the sign mistake changes nothing."""
    mends = {"[less] it is π too much": lambda x: x - np.pi}

    def message_of(right):
        with pytest.raises(feedback.CheckFailed) as said:
            feedback.check("Here", np.array([np.pi + 1]), lambda x: abs(np.sin(x[0] - 1)), -1.0, mends, right=[right])
        return str(said.value)

    assert "Hint [less]" in message_of(1.0)
    assert "Hint [" not in message_of(1.0 + 2 * np.pi)


def test_without_a_right_answer_no_mistake_is_named():
    with pytest.raises(feedback.CheckFailed) as said:
        feedback.check("Here", -RIGHT, lambda x: float(np.abs(x - RIGHT).max()), 1e-9, EVERY)
    assert "Hint [" not in str(said.value)


@pytest.mark.parametrize(
    ("answers", "named"),
    [
        ([[-1.0], [-2.0]], True),
        ([[-1.0], [0.0]], True),  # the right answer is zero there, and so it tells nothing
        ([[-1.0], [2.0]], False),  # the sign is right there
        ([[-1.0], [2.5]], False),  # another answer
    ],
)
def test_a_mistake_must_explain_the_answer_in_every_case(answers, named):
    rights = [[1.0], [0.0] if answers[1] == [0.0] else [2.0]]
    with pytest.raises(feedback.CheckFailed) as said, feedback.all_cases():
        for answer, right in zip(answers, rights, strict=True):
            feedback.compare(f"At {right}", np.array(answer), right, 1e-9, feedback.SIGN)
    assert str(said.value).startswith("At [1.0]:\nyour function returned [-1.];")
    assert ("Hint [sign]" in str(said.value)) is named


def test_right_cases_pass_and_the_first_failure_is_raised_before_later_errors():
    with feedback.all_cases():
        assert feedback.compare("Here", RIGHT, RIGHT, 0.0, EVERY)
    with pytest.raises(feedback.CheckFailed, match="^First:"), feedback.all_cases():
        assert not feedback.compare("First", -RIGHT, RIGHT, 0.0, EVERY)
        raise AssertionError("what comes after")
    with pytest.raises(AssertionError, match="alone"), feedback.all_cases():
        raise AssertionError("alone")


def test_a_right_answer_passes_even_if_a_mistake_gives_the_same():
    assert feedback.compare("At q = 0", np.zeros(3), np.zeros(3), 0.0, EVERY | {"[zero] zero": np.zeros(3)})


def test_an_answer_that_is_not_finite_is_never_right():
    assert "the error is nan" in message_for([np.nan], [0.0], EVERY)


def test_float32_is_distinguished_from_a_mistake():
    assert "Hint [float32]" in message_for(RIGHT.astype(np.float32), RIGHT, EVERY, within=1e-12)
    assert "float32" not in message_for(RIGHT.astype(np.float32) + np.float32(0.1), RIGHT, EVERY)
    assert feedback.compare("Here", RIGHT.astype(np.float32), RIGHT, 1e-6)


def test_a_notebook_shows_the_hints_once_below_the_message():
    code = "from lessons_lib.course.feedback import CheckFailed\n"
    code += "raise CheckFailed('It is off by 2.', ['One is off.', 'x < 1'])"
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(book, allow_errors=True, timeout=120).execute()
    error, *hints = book.cells[0].outputs
    assert error.output_type == "error" and error.traceback == ["It is off by 2."]
    assert [hint.data["text/html"] for hint in hints] == [
        "<details><summary>Hint 1</summary>One is off.</details>",
        "<details><summary>Hint 2</summary>x &lt; 1</details>",
    ]


def test_the_message_has_five_lines_for_any_answer():
    for shape in ((), (3,), (3, 3), (6, 7), (40,), (100, 2)):
        with pytest.raises(feedback.CheckFailed) as said:
            feedback.compare("At q = 0", np.full(shape, 2.0), np.ones(shape), 1e-9)
        assert len(said.value.message.splitlines()) <= 5
        assert "2." in said.value.message.splitlines()[1]
    said = message_for(np.full(40, 2.34567), np.ones(40), {})
    assert "2.346, 2.346" in said  # three decimals where there are many numbers


def test_rounding_of_an_answer_is_shown_as_zero():
    said = message_for([1e6, 1e-9], [1.0, 0.0], {})
    assert "1000000." in said and "e-09]" not in said


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda J: None, "your function returned None"),
        (lambda J: J @ np.ones(5), r"raised ValueError: .*\nJ has three columns\."),
        (lambda J: np.linalg.inv(np.zeros((2, 2))), r"raised LinAlgError: Singular matrix\.$"),
        (lambda J: undefined, r"raised NameError: name 'undefined' is not defined\.$"),  # noqa: F821
    ],
)
def test_an_exception_of_the_students_function_is_reported(function, said):
    with pytest.raises(feedback.CheckFailed, match=f"At q = 0: .*{said}"):
        feedback.call("At q = 0", function, np.eye(3), hint={ValueError: "J has three columns."})


def test_a_function_may_change_its_arguments():
    J, pairs = np.eye(3), [(np.zeros(2), np.eye(2))]

    def changes(J, pairs):
        J *= 2
        pairs[0][0][:] = 7
        return J

    assert np.array_equal(feedback.call("At q = 0", changes, J, pairs), 2 * np.eye(3))
    assert np.array_equal(J, np.eye(3)) and np.array_equal(pairs[0][0], np.zeros(2))


def test_a_stub_stays_a_stub():
    def stub():
        raise NotImplementedError

    with pytest.raises(NotImplementedError), feedback.all_cases():
        feedback.call("At q = 0", stub)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (np.ones((2, 6)), r"returned shape \(2, 6\)\. This is the shape of the transpose: use \.T\.$"),
        (np.ones(12), r"returned shape \(12,\)\. The number of entries is right"),
        (np.ones(4), r"returned shape \(4,\)\.$"),
        (np.full((6, 2), np.inf), "your answer contains inf; all entries must be finite"),
        ("six", "expected an array of shape"),
        ([[1, 2], [3]], r"your function returned a list, \[\[1, 2\], \[3\]\]"),
        ([[1.0, [2.0]]] * 6, "your function returned a list"),
        (np.ones((6, 2, 1)), r"returned shape \(6, 2, 1\)"),
    ],
)
def test_the_shape_of_an_answer_is_checked(answer, said):
    with pytest.raises(feedback.CheckFailed, match=said):
        feedback.numbers("At q = 0", answer, (6, 2))


def test_lists_and_any_length_are_taken():
    assert feedback.numbers("Here", [[1, 2], [3, 4]], (2, 2)).dtype == np.float64
    assert feedback.numbers("Here", [], (None,)).shape == (0,)
    with pytest.raises(feedback.CheckFailed, match=r"shape \(k,\); your function returned shape \(3, 1\)"):
        feedback.numbers("Here", np.ones((3, 1)), (None,))
    with pytest.raises(feedback.CheckFailed, match=r"shape \(k, m\); your function returned shape \(3,\)"):
        feedback.numbers("Here", np.ones(3), (None, None))
    assert np.isinf(feedback.numbers("Here", [np.inf], (1,), finite=False)).all()


x, y, z = sp.symbols("x y z", real=True)
SQUARE = {"It is the square of the sum.": ((x + y) ** 2, "=", x**2 + 2 * x * y + y**2)}
SLIPS = {"[cross] the product is missing": [x**2 + y**2], "[once] the product is there once": [x**2 + x * y + y**2]}


@pytest.mark.parametrize(
    "answer",
    [
        lambda x, y: x / 2,
        lambda x, y: 0.5 * x,
        lambda x, y: [x / 2],
        lambda x, y: (x / 2,),
        lambda x, y: x / 2**0.5 / 2**0.5,
    ],
)
def test_a_formula_is_taken_in_every_form(answer):
    (mine,) = formulas("Here", answer, (x, y))
    assert prove_claim("Here", [mine], {"It is half.": (2 * mine, "=", x)}) == "Proven: It is half."


def test_lists_of_letters_may_be_changed():
    letters = [x, y]
    assert formulas("Here", lambda some: some.pop(), (letters,)) == [y]
    assert letters == [x, y]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda x: x + z, "your formula contains a symbol z that is not one of the arguments x"),
        (lambda x: [x, x], "expected one formula; your function returned 2"),
        (lambda x: None, "returned None"),
        (lambda x: "x", "expected SymPy formulas; your function returned a str, 'x'"),
        (lambda x: x / "2", "raised TypeError"),
        (lambda x: np.sqrt(2 * x), "use sp.sqrt"),
        (lambda x: np.ones(3), "your function returned a ndarray"),
        (lambda x: True, "your function returned a bool"),
    ],
)
def test_an_invalid_formula_is_refused_with_a_reason(answer, said):
    with pytest.raises(CheckFailed, match="^For x: ") as refused:
        formulas("For x", answer, (x,))
    assert said in str(refused.value)


def test_a_false_claim_is_refused_with_numbers_and_the_only_mistake_that_fits():
    assert repr(prove_claim("Here", [(x + y) ** 2], SQUARE, SLIPS)) == "Proven: It is the square of the sum."
    for mine, hints in ((x**2 + y**2, ["Hint [cross]: the product is missing."]), (x + y, [])):
        with pytest.raises(CheckFailed, match=r"at x = .*left − right = ") as refused:
            prove_claim("Here", [mine], {"It is the square of the sum.": (mine, "=", (x + y) ** 2)}, SLIPS)
        assert refused.value.hints == hints


def test_a_refusal_with_many_symbols_ends_with_the_difference():
    many = sum(sp.symbols("a_long_name_1:20", real=True))
    with pytest.raises(CheckFailed, match=r" …, left − right = [-0-9.]+\.$"):
        prove_claim("Here", [many], {"It vanishes.": (many, "=", 0)})
