from lesson_questions import Truth, find_printed

from lessons_lib.course import joints_on_line


def predict_samples() -> Truth:
    (fastest,) = {float(rate) for rate in find_printed("retime", r"between them joint 1 reaches (\S+) rad/s")}
    over = fastest / 2 - 1
    return [over <= 0, 0 < over < 0.03, 0.2 < over < 0.3]


def predict_double() -> Truth:
    def duration(a: float, power: float) -> float:
        """Duration from rest to rest over 1 m, if an acceleration grew with this power of the speed."""
        return 2 * (1 / a) ** (1 / power)

    return [duration(2, power) / duration(1, power) for power in (2, 1, 1 / 2)]


def predict_near() -> Truth:
    def top(distance: float) -> float:
        """The largest speed in the middle that joint 1 allows at 2 rad/s."""
        _, first, _ = joints_on_line([0.0], distance)
        return float(2 / abs(first[0, 0]))

    return [top(0.1), top(0.2), top(0.2) * (0.1 / 0.2) ** 2]
