"""Every benchmark runs at its smallest size: before a release, with the peers that there are."""

import shutil
from pathlib import Path

import pytest
from test_benchmarks import run_script

from tools.benchmarks import controller
from tools.benchmarks.__main__ import CLAIMS

pytestmark = pytest.mark.release


@pytest.mark.parametrize("name", CLAIMS)
def test_a_script_prints_its_table_and_leaves_what_it_promises(name: str, tmp_path: Path) -> None:
    lacking = [tool for tool in controller.NEEDED if not shutil.which(tool)] if name == "controller" else []
    if lacking:
        pytest.skip(f"{', '.join(lacking)}: tools/README.md says which packages of Debian have them")
    run_script(name, tmp_path)
