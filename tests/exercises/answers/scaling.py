import numpy as np


def line(cores, times):
    b, a = np.polyfit(1 / cores, times, 1)
    return a, b


def normal_equations(cores, times):
    X = np.vstack([np.ones(len(cores)), 1 / cores]).T
    return list(np.linalg.solve(X.T @ X, X.T @ times))


RIGHT = {f.__name__: {"fit_times": f} for f in (line, normal_equations)}


def by_shares(times, cores):
    """Of each step from one time to the next, a batch takes the part of the draws that do not all end before it."""
    ordered = np.sort(times)
    done = np.arange(1, len(times)) / len(times)
    return ordered[0] + np.sum(np.diff(ordered) * (1 - done**cores))


def by_values(times, cores):
    """Work with the different times, and how often each comes."""
    values, counts = np.unique(times, return_counts=True)
    done = np.cumsum(counts) / len(times)
    return float(np.sum(values * (done**cores - np.append(0, done[:-1]) ** cores)))


def waits(change):
    return {"slowest_of": change}


RIGHT |= {f.__name__: waits(f) for f in (by_shares, by_values)}
