"""The files in deploy/ agree with the shop."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from server.payments.service import DISPUTE_EVENTS, REFUND_EVENTS, SESSION_EVENTS
from tests.outages.units import PYTHON, unit

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SERVICE = DEPLOY / "minimal@.service"


def test_the_events_to_subscribe_to_are_those_that_the_shop_hears() -> None:
    said = re.findall(r"`((?:checkout|charge|refund)\.[a-z_.]+)`", (DEPLOY / "README.md").read_text())

    assert sorted(said) == sorted(SESSION_EVENTS | REFUND_EVENTS | DISPUTE_EVENTS)


def test_an_image_has_the_client_that_a_checkout_builds() -> None:
    recipe = (DEPLOY / "Containerfile").read_text()
    copied = [path for line in re.findall(r"^COPY (?!--from)(.+) \S+$", recipe, re.MULTILINE) for path in line.split()]

    assert [path for path in copied if not (ROOT / path).exists()] == []
    assert "python -m server.run.client build" in recipe


HARDENED = {
    "CapabilityBoundingSet": [""],
    "NoNewPrivileges": ["true"],
    "ProtectSystem": ["strict"],
    "ProtectHome": ["true"],
    "PrivateTmp": ["true"],
    "PrivateDevices": ["true"],
    "PrivateUsers": ["true"],
    "ProtectKernelLogs": ["true"],
    "ProtectKernelModules": ["true"],
    "ProtectKernelTunables": ["true"],
    "ProtectControlGroups": ["true"],
    "RestrictAddressFamilies": ["AF_INET AF_INET6 AF_UNIX"],
    "RestrictNamespaces": ["true"],
    "RestrictSUIDSGID": ["true"],
    "LockPersonality": ["true"],
    "SystemCallFilter": ["@system-service", "~@privileged"],
    "UMask": ["0077"],
}
MAX_EXPOSURE = 15
"""Tenths of systemd's measure, on which 100 is a service without any of this."""
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")


def test_the_unit_may_do_what_it_needs_and_take_so_much() -> None:
    said = unit("minimal@.service")

    assert {key: said.get(key) for key in HARDENED} == HARDENED
    assert {"MemoryMax", "TasksMax"} <= said.keys()
    # V8 compiles while it runs.
    assert "MemoryDenyWriteExecute" not in said


@needs_systemd
def test_systemd_finds_the_unit_safe(tmp_path: Path) -> None:
    bare = tmp_path / "bare.service"
    bare.write_text("[Service]\nExecStart=/bin/true\n")
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={MAX_EXPOSURE}"]

    ours, without = (subprocess.run([*command, path], capture_output=True) for path in (SERVICE, bare))

    assert ours.returncode == 0, ours.stdout.decode()[-400:]
    assert without.returncode != 0


@needs_systemd
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for name in ("minimal@.service", "minimal.socket"):
        (tmp_path / name).write_text((DEPLOY / name).read_text().replace(PYTHON, "/bin/true"))

    found = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / "minimal.socket", tmp_path / "minimal@1.service"],
        capture_output=True,
        text=True,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )

    assert (found.returncode, found.stderr) == (0, "")
