"""The process with V8 ends with the one that it draws for, whenever that ends."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SERVER = """
import asyncio, sys
from server.platform.pages.renderer import Renderer

renderer = Renderer()
renderer.start()
if sys.argv[1] == "drawing":
    asyncio.run(renderer.open())
print(renderer.pid, flush=True)
sys.stdin.read()
"""


def is_running(pid: int) -> bool:
    """Whether there is such a process, other than one that only waits for its parent to notice its end."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.parametrize("state", ["starting", "drawing"])
def test_renderer_ends_when_its_server_is_killed(state: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, state], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        renderer = int(server.stdout.readline())
        server.kill()
    deadline = time.monotonic() + 60
    try:
        while is_running(renderer) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not is_running(renderer)
    finally:
        if is_running(renderer):
            os.kill(renderer, signal.SIGKILL)
