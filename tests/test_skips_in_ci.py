"""In CI a skipped test fails the run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SKIPPING = "import pytest\n\n\ndef test_a():\n    pytest.skip('no reason')\n\n\ndef test_b():\n    pass\n"


def run_pytest(folder, workers, ci):
    (folder / "conftest.py").write_text((ROOT / "conftest.py").read_text(encoding="utf8"), encoding="utf8")
    (folder / "test_skipping.py").write_text(SKIPPING, encoding="utf8")
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-n", str(workers), "-p", "no:cacheprovider", "."]
    alone = {"CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment = {**os.environ, **alone}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900)


@pytest.mark.check
def test_a_skip_fails_the_run_in_ci(tmp_path):
    done = run_pytest(tmp_path, 1, ci="true")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "CI must run every test, and skipped test_skipping.py::test_a" in done.stdout
    assert done.stdout.rstrip().splitlines()[-1].strip("= ").startswith("1 passed, 1 skipped")
