"""The quadratic program of one step: it is assembled here, solved by DAQP, and explained where it has no solution."""
