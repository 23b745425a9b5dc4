"""Where CI is set a skipped test is a failed one, unless its reason is written down."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    ("reason", "code"), [("the moon is full", 1), ("the database is on another machine", 0)], ids=["unknown", "listed"]
)
def test_a_skip_that_is_not_on_the_list_fails_in_ci(tmp_path: Path, reason: str, code: int) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_runtest_makereport\n")
    (tmp_path / "test_left_out.py").write_text(f"import pytest\n\ndef test_left_out():\n    pytest.skip({reason!r})\n")

    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    env = {**os.environ, "CI": "true", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    assert done.returncode == code, done.stdout
    assert ("not on the list" in done.stdout) == bool(code)
