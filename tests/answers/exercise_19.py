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
WRONG = {f.__name__: {"fit_times": f} for f in (two_times, weighed, cut_at_zero)}
