"""Every benchmark runs at its smallest size: before a release, with the peers that there are."""

from pathlib import Path

import pytest
from test_benchmarks import run_script

from tools.benchmarks.__main__ import CLAIMS

pytestmark = pytest.mark.release


@pytest.mark.parametrize("name", CLAIMS)
def test_a_script_prints_its_table_and_leaves_what_it_promises(name: str, tmp_path: Path) -> None:
    run_script(name, tmp_path)
