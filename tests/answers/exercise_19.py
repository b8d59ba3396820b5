"""A fit to times."""

import numpy as np
from scipy.optimize import curve_fit


def line(cores, times):
    b, a = np.polyfit(1 / cores, times, 1)
    return a, b


def means(cores, times):
    x = 1 / cores
    b = np.sum((x - x.mean()) * (times - times.mean())) / np.sum((x - x.mean()) ** 2)
    return np.array([times.mean() - b * x.mean(), b])


def normal_equations(cores, times):
    X = np.vstack([np.ones(len(cores)), 1 / cores]).T
    return list(np.linalg.solve(X.T @ X, X.T @ times))


def optimiser(cores, times):
    return (
        curve_fit(lambda p, a, b: a + b / p, cores, times, p0=(0.1, 1.0))[0] if len(cores) > 2 else line(cores, times)
    )


def two_times(cores, times):
    first, last = np.argmin(cores), np.argmax(cores)
    b = (times[first] - times[last]) / (1 / cores[first] - 1 / cores[last])
    return times[first] - b / cores[first], b


def weighed(cores, times):
    """The law times p, which is a line, and weighs the many cores more."""
    a, b = np.polyfit(cores, cores * times, 1)
    return a, b


def cut_at_zero(cores, times):
    return np.maximum(line(cores, times), 0.0)


RIGHT = {f.__name__: {"fit_times": f} for f in (line, means, normal_equations, optimiser)}


def changed(change):
    return {"fit_times": lambda cores, times: change(np.array(line(cores, times)))}


def in_place(cores, times):
    answer = line(cores, times)
    times[0] = 0
    return answer


SLIPS = {
    "a and b are exchanged": changed(lambda found: found[::-1]),
    "you believe the times on the fewest and on the most": {"fit_times": two_times},
    "you multiply the law by p before you fit": {"fit_times": weighed},
    "what comes out negative is set to zero": {"fit_times": cut_at_zero},
    "you return shares of the sum": changed(lambda found: found / found.sum()),
    "it is in ms": changed(lambda found: 1000 * found),
    "the sign of b is turned round": changed(lambda found: found * (1, -1)),
    "you fit a line in p": {"fit_times": lambda cores, times: np.polyfit(cores, times, 1)[::-1]},
    "your function returns None": {"fit_times": lambda *_: None},
    "changes an array that it is given": {"fit_times": in_place},
    "yours has (1,)": changed(lambda found: found[:1]),
}
UNNAMED = {"a little off": changed(lambda found: found + 0.0123)}
