"""Fit a law to noisy times."""

from math import comb

import numpy as np
from scipy.optimize import curve_fit, minimize


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


def minimized(cores, times):
    return minimize(lambda x: np.sum((times - x[0] - x[1] / cores) ** 2), np.zeros(2)).x


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


SLIPS = {
    "a and b are exchanged": changed(lambda found: found[::-1]),
    "you believe the times on the fewest and on the most": {"fit_times": two_times},
    "you multiply the law by p before you fit": {"fit_times": weighed},
    "what comes out negative is set to zero": {"fit_times": cut_at_zero},
    "you returned shares of the sum": changed(lambda found: found / found.sum()),
    "your answer is in ms": changed(lambda found: 1000 * found),
    "the sign of b is flipped": changed(lambda found: found * (1, -1)),
    "you fit a line in p": {"fit_times": lambda cores, times: np.polyfit(cores, times, 1)[::-1]},
    "your function returned None": {"fit_times": lambda *_: None},
    "your function returned shape (1,)": changed(lambda found: found[:1]),
}
UNNAMED = {"a little off": changed(lambda found: found + 0.0123)}


def by_shares(times, cores):
    """Of each step from one time to the next, a batch takes the part of the draws that do not all end before it."""
    ordered = np.sort(times)
    done = np.arange(1, len(times)) / len(times)
    return ordered[0] + np.sum(np.diff(ordered) * (1 - done**cores))


def core_by_core(times, cores):
    """Let one core after the other join: how likely is each time the longest so far?"""
    ordered = np.sort(times)
    one = np.full(len(times), 1 / len(times))
    longest = one
    for _ in range(cores - 1):
        longest = longest * np.cumsum(one) + one * (np.cumsum(longest) - longest)
    return ordered @ longest


def by_values(times, cores):
    """Work with the different times, and how often each comes."""
    values, counts = np.unique(times, return_counts=True)
    done = np.cumsum(counts) / len(times)
    return float(np.sum(values * (done**cores - np.append(0, done[:-1]) ** cores)))


def without_return(times, cores):
    """Nobody has a time that another core has; with more cores than times, the longest is always among them."""
    ways = [comb(i, min(cores, len(times))) for i in range(len(times) + 1)]
    return np.sort(times) @ np.diff(ways) / ways[-1]


def unordered(times, cores):
    return times @ np.diff((np.arange(len(times) + 1) / len(times)) ** cores)


def from_zero(times, cores):
    return np.sort(times) @ np.diff((np.arange(len(times)) / len(times)) ** cores, prepend=0)


def waits(change):
    return {"slowest_of": change}


RIGHT["SciPy's minimize"] = {"fit_times": minimized}
RIGHT |= {f.__name__: waits(f) for f in (by_shares, core_by_core, by_values)}
SLIPS |= {
    "that is the mean of one chunk": waits(lambda times, cores: times.mean()),
    "that is the longest of all": waits(lambda times, cores: times.max()),
    "that is the median": waits(lambda times, cores: np.median(times)),
    "that is the p99": waits(lambda times, cores: np.percentile(times, 99)),
    "of the way up the times": waits(lambda times, cores: np.quantile(times, cores / (cores + 1))),
    "that is one chunk after the other": waits(lambda times, cores: cores * times.mean()),
    "that is the mean divided by p": waits(lambda times, cores: times.mean() / cores),
    "that is the mean of the quickest": waits(lambda times, cores: -by_shares(-times, cores)),
    "no time is drawn twice in yours": waits(without_return),
    "the times are not in order": waits(unordered),
    "you count the times from 0": waits(from_zero),
}
UNNAMED["a mean a little off"] = waits(lambda times, cores: by_shares(times, cores) + 0.0123)
