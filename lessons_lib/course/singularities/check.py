from figure_page import Figure, check_facts, in_python, told_to

from lessons_lib import robots
from lessons_lib.course.singularities.live import CONDITION_SHOWN, POSTURES

DRAG = ("joint 2", (40, 30))

STATES = [
    ({f"q{i}": degrees for i, degrees in enumerate(POSTURES[name], 1)}, f"Singular: {name}")
    for name in ("elbow", "wrist", "shoulder")
] + [
    ({"q1": 22, "q2": 76, "q3": 28, "q4": 71, "q5": -110, "q6": 102}, "near a singularity"),
    ({"q2": 30, "q3": 137, "q4": -180, "q5": 1}, "near a singularity"),  # ϱ is 1.6 mm
    ({"q2": -169, "q3": 137, "q4": -54, "q5": 40}, "near a singularity"),  # ϱ is 0.25 µm
    ({"q3": 0.001, "q5": 0.0001}, "costs 1.22e+10 mrad"),
    ({"q5": 1e-7}, "near a singularity"),
    ({"q3": 1e-6, "q5": 1e-6}, "costs more than 1e+12 mrad"),
    ({"q2": -60, "q4": -29.99999999, "q5": 180}, "has no velocity along the vermilion arrows marked “lost”"),
    ({"q2": -90, "q3": 180, "q4": -90, "q5": -31}, "a velocity only along the longest semi-axis"),
    ({"q2": -91, "q3": 180, "q4": -18, "q5": 167}, "a torque of 0.000386 N mm about it"),
    ({"q2": 40, "q3": 105, "q4": 35, "q5": 0}, "semi-axis is 0.0000128 m/rad."),
    ({"q1": -35, "q2": -9, "q3": -11, "q4": 21, "q5": -180, "q6": 122}, "along the purple line."),
    ({"hand": "free: it can turn", "q2": 120, "q3": -167, "q4": -180, "q5": 0}, "semi-axis is 0.000222 m/rad"),
    ({"hand": "free: it can turn", "q2": -173, "q3": 149, "q4": -23, "q5": 180}, "semi-axis is 0.00000139 m/rad"),
]


def shows(text: str, value: float, decimals: int) -> bool:
    """Return whether a text shows a size rounded, or as below the last place if it would print as zero."""
    last = 10.0**-decimals
    if text.startswith("<"):
        return float(text[1:]) == last and value < 0.51 * last
    return abs(float(text) - value) <= 0.51 * last and (float(text) > 0 or value < 1e-11)


def check(figure: Figure) -> None:
    python = told_to(figure, in_python("SingularityFigure"))
    check_facts(figure, python)
    rows = ([text for _, text in row] for row in figure.cells()[1:])
    shown = {name.replace("\n", ""): texts for name, *texts in rows}
    assert set(shown) == set(python.measures)
    for name, (least, product, condition) in python.measures.items():
        assert shows(shown[name][0], least, 3) and shows(shown[name][1], product, 4), (name, shown[name])
        if condition > CONDITION_SHOWN:
            assert shown[name][2] == "> 10000"
        else:
            assert shows(shown[name][2], condition, 1)
    bars = figure.host.locator(".live-bar-number").all_inner_texts()
    sigma = robots.singular_values(python.chain.body_jacobian(python.q))
    assert all(shows(text, value, 3) for text, value in zip(bars, sigma, strict=True)), bars
    assert figure.says.startswith("Singular") is python.singular
    assert python.singular or not figure.host.get_by_text("lost", exact=True).is_visible()
