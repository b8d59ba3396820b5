import sympy as sp
from independent_kinematics import nearest_choice
from lesson_questions import Truth, find_printed, questions_of


def predict_share() -> Truth:
    (before,), (after,) = (
        find_printed("code_generation", rf"T and J_b, {how}: +([\d,]+)") for how in ("written out", "after CSE")
    )
    assert before in questions_of("code_generation")["share"].asks
    return nearest_choice(int(before.replace(",", "")) / int(after), 2, 10, 100)


def predict_branch() -> Truth:
    theta = sp.Symbol("theta", positive=True)
    two = [sp.Piecewise((1, theta < 1e-4), (f(theta) / theta, True)) for f in (sp.sin, sp.tan)]
    function = sp.lambdify(theta, two, modules="math", cse=True)
    try:
        value = function(0.0)
    except ZeroDivisionError:
        return [False, True, False]
    return [value == [1, 1], False, value != [1, 1]]


def predict_end() -> Truth:
    ((from_base, from_tip),) = find_printed("code_generation", r"\| UR10 \| [\d,]+ \| (\d+) \| (\d+) \|")
    return [int(from_base) < int(from_tip), int(from_tip) < int(from_base), from_tip == from_base]
