"""The printed solver on a controller: stored results beside a new run of the cross compiler and QEMU."""

import shutil

import pytest

from lessons_lib.course import read_measurement
from tools.benchmarks import controller


def test_the_stored_table_has_the_same_bits_everywhere_and_keeps_its_bounds():
    table = read_measurement("controller")
    assert table.notes == list(controller.NOTES) and table.columns == controller.COLUMNS
    for row in table.rows:
        assert row["same"] == row["solved"] == controller.POSES
        assert float(str(row["stack"])) < 1024
    for option in ("-O2", "-Os"):
        on_path, anywhere = (table.value("most", poses=kind, option=option) for kind in ("on a path", "anywhere"))
        assert on_path < anywhere < controller.EVALUATIONS * 2100  # instructions of an evaluation with its step


@pytest.mark.check
def test_the_program_of_the_controller_runs_on_the_desk(tmp_path):
    text = "\n".join([controller.solver(), controller.tables(*controller.problems("anywhere", 5))])
    text += (controller.HERE / "controller.c").read_text("utf8")
    (tmp_path / "all.c").write_text(text, "utf8")
    controller.run(tmp_path, "cc", *controller.PLAIN, "-Wstack-usage=4096", "-o", "desk", "all.c", "-lm")
    told = [line.split() for line in controller.run(tmp_path, "./desk").splitlines()]
    assert [line[4] for line in told] == ["0" * 16] * 5


@pytest.mark.release
def test_a_controller_gives_the_same_bits_as_the_desk():
    lacking = [tool for tool in controller.NEEDED if not shutil.which(tool)]
    if lacking:
        pytest.skip(f"{', '.join(lacking)}: tools/README.md says which packages of Debian have them")
    stored, found = read_measurement("controller"), controller.measure(40)
    for row in found.rows:
        assert row["solved"] == row["same"] == 40
        where = {"poses": row["poses"], "option": row["option"]}
        for name in ("stack", "code"):
            assert float(str(row[name])) == pytest.approx(stored.value(name, **where), rel=0.1)
