"""Functions that accept a path raise errors that state the fault and the valid values."""

import io
from functools import cache

import numpy as np
import pytest

from lessons_lib import collisions, course, pose_ik, robots, studies, trajectories
from lessons_lib.errors import LessonsError

ARM, ROWS = robots.planar_2r(), [[0.2, 0.5], [0.3, 0.4]]
URDF = robots.urdf_file("planar_2r")


@cache
def tree():
    return robots.load_urdf(URDF)


@cache
def motion():
    return trajectories.retime(ROWS, ARM, acceleration=1.0)


READ = {
    "load_urdf": robots.load_urdf,
    "from_urdf": robots.from_urdf,
    "load_dh": robots.load_dh,
    "a URDF's collisions": lambda path: collisions.load_collisions(path, tree()),
    "an SRDF": lambda path: collisions.load_collisions(URDF, tree(), srdf="" if path is None else path),
    "mesh": lambda path: collisions.mesh(path, np.eye(4)),
}
NO_PATHS = (None, 3, b"x", ["x"], "", "a\0b", "x" * 5000)


@pytest.mark.parametrize("name", READ)
def test_reading_refuses_anything_but_an_existing_file(name, tmp_path):
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for path in (tmp_path / "no" / "x", str(tmp_path / "x"), tmp_path / "dangling", *NO_PATHS):
        with pytest.raises(LessonsError, match=r"must be the path of a|must be that of a URDF file"):
            READ[name](path)
    with pytest.raises(LessonsError, match="must be the path of a file on this machine, got .*, a folder"):
        READ[name](tmp_path)


def test_an_unwritable_path_is_refused_before_computing(tmp_path):
    for path in NO_PATHS:
        with pytest.raises(LessonsError, match="path of a file|in an existing folder|cannot write"):
            motion().to_csv(path)
    with pytest.raises(LessonsError, match="must be in an existing folder, got '.*no'; create"):
        motion().to_csv(tmp_path / "no" / "x.csv")
    with pytest.raises(LessonsError, match=f"file must be the path of a file, got .*{tmp_path.name}', a folder"):
        motion().to_csv(str(tmp_path))
    with pytest.raises(LessonsError, match="cannot write '/proc/.*; file must be writable"):
        motion().to_csv("/proc/x.csv")


def test_to_csv_accepts_a_text_stream():
    text = io.StringIO()
    motion().to_csv(text)
    assert text.getvalue().startswith("time [s],")


@pytest.mark.parametrize("folder", [3, b"x", "", ["x"], __file__])
def test_a_study_refuses_anything_but_a_folder(folder):
    study = studies.Study([ARM], {"nr": pose_ik.NewtonRaphson()}, poses=1, seed=1)
    with pytest.raises(LessonsError, match="folder must be the path of a folder"):
        studies.run(study, folder)
    with pytest.raises(LessonsError, match="folder must be the path of a folder"):
        course.read_measurement("one_pose", folder)


def test_package_dirs_must_be_a_list_of_folders():
    for given in ("folder", [None], [3], [b"x"], [URDF]):
        with pytest.raises(LessonsError, match=r"package_dirs must be"):
            collisions.load_collisions(URDF, tree(), given)
