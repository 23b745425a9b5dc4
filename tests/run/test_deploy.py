"""The files in deploy/ agree with the shop."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from server.payments.service import DISPUTE_EVENTS, REFUND_EVENTS, SESSION_EVENTS
from tests.outages.units import PYTHON, Units, settings_for, unit

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


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """What the second stage of the Containerfile copies, without the Python environment."""
    first, last = re.split(r"^FROM .+$", (DEPLOY / "Containerfile").read_text(), flags=re.MULTILINE)[1:]
    left_out = [ROOT / path for path in re.findall(r"^RUN rm -r (\S+)$", first, re.MULTILINE)]
    for path, target in re.findall(r"^COPY (?:--from=build /shop/)?(\S+) (\S+)$", last, re.MULTILINE):
        source = ROOT / path
        there = tmp_path / "image" / (source.name if target == "./" else target)
        if source.name == ".venv":
            continue
        if source.is_file():
            shutil.copy(source, there)
        else:
            shutil.copytree(source, there, ignore=lambda here, names: [n for n in names if Path(here, n) in left_out])
    return tmp_path / "image"


async def test_a_shop_opens_from_what_is_in_an_image_and_has_no_demo(
    image: Path, database_url: str, tmp_path: Path
) -> None:
    units = Units(24_310, settings_for(24_310, database_url, tmp_path / "data", DEMO="false"), tmp_path, code=image)
    try:
        await units.run("migrate")
        await units.start(1)
        async with httpx.AsyncClient(base_url=units.url) as visitor:
            home = await visitor.get("/")
            found = await visitor.post("/graphql", json={"query": "{ products { totalCount } }"})
    finally:
        await units.close()
    seeding = subprocess.run(
        [sys.executable, "-m", "server", "seed"], cwd=image, env=units.environment(), capture_output=True, text=True
    )

    assert not (image / "server/demo").exists()
    assert "<h1" in home.text
    assert found.json()["data"] == {"products": {"totalCount": 0}}
    assert (seeding.returncode, seeding.stdout) == (1, "This shop was installed without its demo.\n")


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
