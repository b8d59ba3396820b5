from lesson_questions import Truth, find_printed

from lessons_lib.course import live


def predict_samples() -> Truth:
    (deep,) = {float(depth) for depth in find_printed("touch", r"smallest clearance: (-?\d+) mm")}
    return [deep > 0, -10 < deep <= 0, deep < -40]


def predict_motion() -> Truth:
    turn, lever, room = 0.1, 0.8, 60
    return [1000 * turn / 2 * lever, 1000 * turn * lever, room]


def predict_answers() -> Truth:
    figure = live.ObstacleFigure(px=-0.5, py=-0.1, height=0.25)
    return [figure.facts["count"], figure.facts["free"], 0]
