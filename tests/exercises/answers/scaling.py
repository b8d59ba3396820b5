import numpy as np


def normal_equations(cores, times):
    X = np.vstack([np.ones(len(cores)), 1 / cores]).T
    return list(np.linalg.solve(X.T @ X, X.T @ times))


def by_shares(times, cores):
    """Of each step from one time to the next, a batch takes the part of the draws that do not all end before it."""
    ordered = np.sort(times)
    done = np.arange(1, len(times)) / len(times)
    return ordered[0] + np.sum(np.diff(ordered) * (1 - done**cores))


def by_means(cores, times):
    """A fit of the mean time on each number of cores, however often it was measured."""
    counts = np.unique(cores)
    return normal_equations(counts, np.array([times[cores == count].mean() for count in counts]))


RIGHT = {"normal equations": {"fit_times": normal_equations}, "shares": {"slowest_of": by_shares}}
UNNAMED = {"the mean time on each number of cores": {"fit_times": by_means}}
