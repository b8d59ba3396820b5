"""Random trees against Pinocchio: any branching, order of names, kinds of joints, oblique axes, mimics of mimics."""

import numpy as np
import pinocchio
import pytest
from numpy.testing import assert_allclose
from pinocchio_trees import Twin, build
from urdf_texts import link, robot, write_urdf

from lessons_lib import robots
from lessons_lib.errors import ConfigurationError

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating")


def words(numbers):
    return " ".join(f"{number:.6g}" for number in numbers)


def random_robot(rng):
    """Return a URDF of up to 25 links, and what each joint that mimics follows in the end, with ratio and offset."""
    size = int(rng.integers(2, 26))
    names = [f"{'aZé_9'[int(rng.integers(5))]}{i}" for i in rng.permutation(size)]
    parts = [link(f"link {i}", float(rng.uniform(0.1, 2)), words(rng.normal(size=3))) for i in range(size)]
    leaders, followers = dict[str, tuple[str, float, float]](), dict[str, tuple[str, float, float]]()
    for i in range(1, size):
        name, kind, inner = names[i], str(rng.choice(KINDS)), ""
        single = kind in ("revolute", "continuous", "prismatic")
        if single and leaders and rng.random() < 0.3:
            other = str(rng.choice(sorted(leaders)))
            ratio, offset = round(float(rng.normal()), 3), round(float(rng.normal()), 3)
            inner = f'<mimic joint="{other}" multiplier="{ratio}" offset="{offset}"/>'
            root, ratio_0, offset_0 = leaders[other]
            leaders[name] = followers[name] = (root, ratio * ratio_0, ratio * offset_0 + offset)
        elif single:
            leaders[name] = (name, 1.0, 0.0)
        limits = words(np.sort(rng.normal(size=2)))
        lower, upper = limits.split()
        parts.append(
            f'<joint name="{name}" type="{kind}"><parent link="link {int(rng.integers(i))}"/><child link="link {i}"/>'
            f'<origin xyz="{words(rng.normal(size=3))}" rpy="{words(rng.normal(size=3))}"/>'
            f'<axis xyz="{words(rng.normal(size=3))}"/>'
            f'<limit lower="{lower}" upper="{upper}" velocity="1" effort="1"/>{inner}</joint>'
        )
    return robot("".join(str(part) for part in rng.permutation(np.array(parts, dtype=object)))), followers


@pytest.mark.parametrize("seed", range(12))
def test_a_random_tree_is_pinocchios(tmp_path, seed):
    rng = np.random.default_rng(seed)
    text, followers = random_robot(rng)
    path, floating_base = write_urdf(tmp_path, text), bool(seed % 2)
    twin = Twin(robots.load_urdf(path, floating_base), build(path, floating_base), followers)
    tree = twin.tree
    assert tree.joint_names == tuple(name for name in tuple(twin.model.names)[1:] if name not in followers)
    q, v = tree.random_configuration(rng), rng.normal(size=tree.nv)
    for start in tree.free_starts:
        longer = q.copy()
        longer[start + 3 : start + 7] *= 1.00001
        with pytest.raises(ConfigurationError, match=rf"q\[{start + 3}:{start + 7}\] of .* must have length 1"):
            tree.check_configuration(longer)
    ahead = tree.integrate(q, v)
    if tree.nv == 0:
        return  # Pinocchio reads out of bounds where nothing moves
    if not followers:  # theirs would move a joint that mimics by itself
        theirs = pinocchio.integrate(twin.model, twin.q(q), twin.v_map @ v)
        assert_allclose(twin.q(ahead), theirs, atol=1e-14)
    for configuration in (q, ahead):
        # two dozen joints, each with a lever of a few metres: the rounding of numbers near 30
        twin.check(configuration, 1e-13)
