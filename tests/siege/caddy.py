"""A real Caddy, with the site of deploy/Caddyfile."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.whole_shop import ROOT

CADDYFILE = ROOT / "deploy" / "Caddyfile"
SECONDS_TO_OPEN = 20

needs_caddy = pytest.mark.skipif(
    shutil.which("caddy") is None, reason="Caddy is not installed: apt-get install caddy, as .ci/run does"
)


def site(port: int, upstream: int, *, trusting: str = "") -> str:
    """The shipped site at another address; `trusting` are clients whose own X-Forwarded-For it keeps and adds to."""
    shipped = CADDYFILE.read_text()
    moved = shipped.replace("minimal.example {", f"http://localhost:{port} {{").replace(
        "reverse_proxy 127.0.0.1:8000 {",
        f"reverse_proxy 127.0.0.1:{upstream} {{" + (f"\n\t\ttrusted_proxies {trusting}" if trusting else ""),
    )
    assert moved.count(str(port)) == moved.count(f":{upstream} ") == 1
    return moved


@contextmanager
def caddy(folder: Path, sites: dict[int, str]) -> Iterator[None]:
    """Serves the sites, each by the port it is on, until the end of the block."""
    written = folder / "Caddyfile"
    written.write_text("\n".join(["{\n\tadmin off\n}", *sites.values()]))
    log = (folder / "caddy.log").open("wb")
    homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = [shutil.which("caddy") or "caddy", "run", "--config", str(written), "--adapter", "caddyfile"]
    process = subprocess.Popen(command, env=homes, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + SECONDS_TO_OPEN
        while not all(_is_open(port) for port in sites):
            assert process.poll() is None, Path(log.name).read_text()
            assert time.monotonic() < deadline, Path(log.name).read_text()
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(SECONDS_TO_OPEN)
        log.close()


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
