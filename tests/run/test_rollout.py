"""deploy/rollout on hosts that are folders here: what it runs where, and in which order."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.whole_shop import ROOT

pytestmark = pytest.mark.slow

UNITS = ("minimal-worker@1.service", "minimal-web@2.service", "minimal-reports@1.service", "minimal-web@1.service")
SSH = """#!/bin/sh
host=$1; shift
export FOLDER={folder} HOST_NAME=$host
here={folder}/$host
PATH={folder}/bin:$PATH exec sh -c "$(printf %s "$*" | sed "s#/opt/#$here/opt/#g; s#/etc/#$here/etc/#g")"
"""
SYSTEMCTL = """#!/bin/sh
case $1 in
  list-units) for unit in {units}; do echo "$unit loaded active running"; done ;;
  restart) echo "$HOST_NAME $2 $(readlink $FOLDER/$HOST_NAME/opt/minimal)" >> $FOLDER/done ;;
esac
"""
CURL = "#!/bin/sh\ntest ! -e $FOLDER/$HOST_NAME/sick\n"
UV = """#!/bin/sh
case "$*" in
  venv*) for last in "$@"; do :; done
    mkdir -p $last/bin
    printf '#!/bin/sh\\necho "$HOST_NAME $* with $DATABASE_URL" >> $FOLDER/done\\n' > $last/bin/minimal
    chmod +x $last/bin/minimal ;;
  pip*) for last in "$@"; do :; done; test -f $last ;;
esac
"""


@pytest.fixture
def hosts(tmp_path: Path) -> Path:
    """Two hosts that run version 1, and a checkout with the wheel of version 2."""
    for name, text in (
        ("ssh", SSH.format(folder=tmp_path)),
        ("systemctl", SYSTEMCTL.format(units=" ".join(UNITS))),
        ("curl", CURL),
        ("uv", UV),
    ):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text)
        program.chmod(0o755)
    for name in ("a", "b"):
        (tmp_path / name / "opt/minimal-1/venv").mkdir(parents=True)
        (tmp_path / name / "opt/minimal").symlink_to(tmp_path / name / "opt/minimal-1/venv")
        (tmp_path / name / "etc").mkdir()
        (tmp_path / name / "etc/minimal.env").write_text("DATABASE_URL=postgresql://somewhere\n")
    (tmp_path / "deploy").mkdir()
    shutil.copy(ROOT / "deploy/rollout", tmp_path / "deploy/rollout")
    (tmp_path / "dist").mkdir()
    for name in ("constraints.txt", "minimal-2-py3-none-any.whl"):
        (tmp_path / "dist" / name).touch()
    return tmp_path


def rollout(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    """Its exit code, and what was done, as `host what version`."""
    environment = os.environ | {"SSH": str(folder / "bin/ssh"), "READY_SECONDS": "1"}
    command = [str(folder / "deploy/rollout"), *arguments]
    code = subprocess.run(command, env=environment, capture_output=True, check=False).returncode
    log = folder / "done"
    lines = log.read_text().replace(str(folder), "").splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return code, lines


def restarts(host: str, version: int) -> list[str]:
    order = ("minimal-web@1", "minimal-web@2", "minimal-reports@1", "minimal-worker@1")
    return [f"{host} {unit}.service /{host}/opt/minimal-{version}/venv" for unit in order]


def test_a_version_comes_to_every_host_migrated_once_before_and_web_before_workers(hosts: Path) -> None:
    code, done = rollout(hosts, "2", "a", "b")

    assert code == 0
    assert done == ["a migrate with postgresql://somewhere", *restarts("a", 2), *restarts("b", 2)]


def test_the_version_before_comes_back_without_a_migration(hosts: Path) -> None:
    rollout(hosts, "2", "a", "b")

    code, done = rollout(hosts, "--back", "a", "b")

    assert code == 0
    assert done == [*restarts("a", 1), *restarts("b", 1)]


def test_a_host_that_does_not_become_ready_ends_it_before_the_next_is_touched(hosts: Path) -> None:
    (hosts / "a/sick").touch()

    code, done = rollout(hosts, "2", "a", "b")

    assert code == 1
    assert done == ["a migrate with postgresql://somewhere", restarts("a", 2)[0]]
    assert (hosts / "b/opt/minimal").resolve() == hosts / "b/opt/minimal-1/venv"
