"""The distance of two capsules by coal."""

import coal
import numpy as np
import pytest


@pytest.fixture(scope="session")
def coal_distance():
    """A function of two capsules, one of which may be a sphere, of no length."""

    def distance(*bodies):
        shapes, poses = [], []
        for one in bodies:
            u = one.b - one.a
            length = np.linalg.norm(u)
            z = u / length if length > 0 else np.array([0.0, 0.0, 1.0])
            x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
            x /= np.linalg.norm(x)
            shapes.append(coal.Capsule(one.radius, length) if length > 0 else coal.Sphere(one.radius))
            poses.append(coal.Transform3s(np.column_stack([x, np.cross(z, x), z]), (one.a + one.b) / 2))
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        return float(coal.distance(shapes[0], poses[0], shapes[1], poses[1], request, result))

    return distance
