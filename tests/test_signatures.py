"""What `help()` shows of the packages that people call: words, not what a type alias stands for."""

import inspect
from collections.abc import Iterator

import pytest

from lessons_lib import lie, pose_ik, robots, trajectories


def signatures() -> Iterator[tuple[str, str]]:
    """Yield the name and the signature of every public function, class and method."""
    for package in (lie, pose_ik, robots, trajectories):
        for name in package.__all__:
            thing = getattr(package, name)
            named = {name: thing}
            if inspect.isclass(thing):
                members = inspect.getmembers(thing, inspect.isroutine)
                named |= {f"{name}.{word}": member for word, member in members if not word.startswith("_")}
            for word, one in named.items():
                if callable(one):
                    try:
                        yield f"{package.__name__}.{word}", str(inspect.signature(one))
                    except ValueError:  # a built-in
                        continue


@pytest.mark.parametrize(("name", "signature"), list(signatures()))
def test_a_signature_can_be_read(name: str, signature: str) -> None:
    assert "numpy." not in signature and "NestedSequence" not in signature, f"{name}{signature}"
    assert len(signature) < 500
