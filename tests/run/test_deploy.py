"""The files in deploy/ agree with the shop."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

from server.payments.reconciliation import PAYMENT_EVENTS, SESSION_EVENTS
from tests.outages.units import PYTHON, Units, settings_for, unit

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
DIST = ROOT / "client" / "dist"
SERVICES = sorted(path.name for path in DEPLOY.glob("*.service"))
SOCKETS = sorted(path.name for path in DEPLOY.glob("*.socket"))


def test_the_events_to_subscribe_to_are_those_that_the_shop_hears() -> None:
    said = re.findall(r"`((?:checkout|charge|refund)\.[a-z_.]+)`", (DEPLOY / "README.md").read_text())

    assert sorted(said) == sorted(SESSION_EVENTS | PAYMENT_EVENTS)


def test_an_image_has_the_wheel_that_a_checkout_builds() -> None:
    recipe = (DEPLOY / "Containerfile").read_text()
    copied = [path for line in re.findall(r"^COPY (?!--from)(.+) \S+$", recipe, re.MULTILINE) for path in line.split()]

    assert [path for path in copied if not (ROOT / path).exists()] == []
    assert {"server", "demo", "client", "alembic", "alembic.ini", "schema.graphql"} <= set(copied)
    assert "python -m server.run.client build" in recipe
    assert "uv build" in recipe


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `just wheel` makes of the client that is built."""
    folder = tmp_path_factory.mktemp("wheel")
    building = ["hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run([sys.executable, "-m", *building], cwd=ROOT, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Path:
    """The wheel's files, as an installer lays them; its dependencies are this environment's."""
    with ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site-packages")
    return tmp_path / "site-packages"


def test_a_wheel_has_every_file_of_the_server_the_client_and_the_migrations(wheel: Path) -> None:
    listing = subprocess.run(
        ["git", "ls-files", "server", "demo", "alembic"], cwd=ROOT, capture_output=True, text=True
    ).stdout
    built = [f"client/dist/{file.relative_to(DIST)}" for file in DIST.rglob("*") if file.is_file()]
    expected = [*listing.split(), *built, "client/routes.json", "alembic.ini"]

    with ZipFile(wheel) as packed:
        names = set(packed.namelist())
        metadata = packed.read(next(name for name in names if name.endswith("/METADATA"))).decode()

    assert len(listing.split()) > 500
    assert len(built) > 100
    assert {
        name if name.startswith(("server/", "demo/")) else f"server/package_data/{name}" for name in expected
    } - names == set()
    assert {name.partition("/")[0] for name in names} == {"server", "demo", "minimal-0.1.0.dist-info"}
    assert "Requires-Dist: asyncpg" in metadata


async def test_a_shop_opens_from_what_is_in_an_image_and_has_no_demo(
    installed: Path, database_url: str, tmp_path: Path
) -> None:
    [left_out] = re.findall(
        r"^RUN rm -r \S+/site-packages/(\S+)$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE
    )
    shutil.rmtree(installed / left_out)
    units = Units(24_310, settings_for(24_310, database_url, tmp_path / "data", DEMO="false"), tmp_path, code=installed)
    try:
        await units.run("migrate")
        await units.start(1)
        async with httpx.AsyncClient(base_url=units.url) as visitor:
            home = await visitor.get("/")
            response = await visitor.post("/graphql", json={"query": "{ products { totalCount } }"})
    finally:
        await units.close()
    seeding = subprocess.run(
        [sys.executable, "-m", "server", "seed"], cwd=installed, env=units.environment(), capture_output=True, text=True
    )

    assert "<h1" in home.text
    assert response.json()["data"] == {"products": {"totalCount": 0}}
    assert (seeding.returncode, seeding.stdout) == (1, "This shop was installed without its demo.\n")


async def test_the_demo_opens_from_a_wheel_alone(installed: Path, tmp_path: Path) -> None:
    """As `uvx --from dist/minimal-….whl minimal start` opens it, with nothing of the checkout in reach."""
    environment = {
        **os.environ,
        "PORT": "24320",
        "OUTSIDE_PORT": "24321",
        "OUTSIDE_SMTP_PORT": "24322",
        "PYTHONPATH": str(installed),
        "SHOP_DATA": str(tmp_path / "shop"),
    }
    command = "import sys; sys.argv = ['minimal', 'start']; from server.cli import main; sys.exit(main())"
    with (tmp_path / "log").open("wb") as log:
        shop = subprocess.Popen([sys.executable, "-c", command], cwd=tmp_path, env=environment, stdout=log, stderr=log)
    try:
        home = await _answer(shop, "http://localhost:24320/")
        picture = re.search(r'src="(/images/[^"]+)"', home.text)
        assert picture, home.text[:400]
        async with httpx.AsyncClient(base_url="http://localhost:24320") as visitor:
            assert (await visitor.get(picture[1])).headers["content-type"].startswith("image/")
    finally:
        shop.send_signal(signal.SIGINT)
        shop.wait(60)


async def _answer(shop: subprocess.Popen[bytes], url: str) -> httpx.Response:
    """What the shop says once it is open."""
    async with asyncio.timeout(180), httpx.AsyncClient() as visitor:
        while True:
            assert shop.poll() is None
            with suppress(httpx.TransportError):
                return await visitor.get(url, timeout=30)
            await asyncio.sleep(0.1)


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


def test_each_role_has_its_units() -> None:
    assert SERVICES == [
        "minimal-archive.service",
        "minimal-reports@.service",
        "minimal-web@.service",
        "minimal-worker@.service",
    ]
    assert SOCKETS == ["minimal-reports.socket", "minimal-web.socket"]
    for name in SERVICES:
        role = name.removeprefix("minimal-").removesuffix(".service").removesuffix("@")
        assert unit(name)["ExecStart"] == [f"{PYTHON} -m server {role}"]


@pytest.mark.parametrize("name", SERVICES)
def test_a_unit_may_do_what_it_needs_and_take_so_much(name: str) -> None:
    said = unit(name)

    assert {key: said.get(key) for key in HARDENED} == HARDENED
    assert {"MemoryMax", "TasksMax", "WatchdogSec"} <= said.keys()
    # V8 compiles while it runs.
    assert "MemoryDenyWriteExecute" not in said


@needs_systemd
@pytest.mark.parametrize("name", SERVICES)
def test_systemd_finds_a_unit_safe(name: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare.service"
    bare.write_text("[Service]\nExecStart=/bin/true\n")
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={MAX_EXPOSURE}"]

    ours, without = (subprocess.run([*command, path], capture_output=True) for path in (DEPLOY / name, bare))

    assert ours.returncode == 0, ours.stdout.decode()[-400:]
    assert without.returncode != 0


@needs_systemd
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for name in (*SERVICES, *SOCKETS):
        (tmp_path / name).write_text((DEPLOY / name).read_text().replace(PYTHON, "/bin/true"))

    command = subprocess.run(
        [
            "systemd-analyze",
            "verify",
            "--man=no",
            *(tmp_path / name.replace("@", "@1") for name in (*SERVICES, *SOCKETS)),
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )

    assert (command.returncode, command.stderr) == (0, "")
