"""The browsers that Debian installs: Firefox, and WebKit as the small browser that comes with WebKitGTK's driver."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from tests.e2e.others.webdriver import PATIENCE, Http, Marionette, Tab
from tests.ports import free_port

T = TypeVar("T")

PREFERENCES = """
user_pref("marionette.port", {port});
user_pref("app.normandy.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
"""
"""Nothing is asked of its makers."""
QUIET = {"NO_AT_BRIDGE": "1", "GSETTINGS_BACKEND": "memory", "LIBGL_ALWAYS_SOFTWARE": "1", "LANG": "en_US.UTF-8"}
"""No desktop is there to talk to, and no graphics card."""


@dataclass(frozen=True)
class InstalledBrowser:
    """`open` gives a new visitor's tab for the time of a block; what it keeps is kept in the folder."""

    is_installed: Callable[[], bool]
    open: Callable[[Path], AbstractContextManager[Tab]]


@contextmanager
def open_firefox(folder: Path) -> Iterator[Tab]:
    port = free_port()
    (folder / "user.js").write_text(PREFERENCES.format(port=port))
    command = ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    with _running(command, folder) as said:
        wire = _when_up(lambda: Marionette(port), said)
        wire.ask("NewSession")
        yield Tab(wire)


@contextmanager
def open_webkit(folder: Path) -> Iterator[Tab]:
    port = free_port()
    driver = ["WebKitWebDriver", f"--port={port}"]
    with _screen(folder) as display, _running(driver, folder, {"DISPLAY": display}) as said:
        _when_up(lambda: socket.create_connection(("127.0.0.1", port)).close(), said)
        wire = Http(f"http://127.0.0.1:{port}")
        options = {"binary": _mini_browser(), "args": ["--automation"]}
        wire.ask("NewSession", capabilities={"alwaysMatch": {"webkitgtk:browserOptions": options}})
        try:
            yield Tab(wire)
        finally:
            wire.ask("DeleteSession")


@cache
def _mini_browser() -> str:
    """It stands in no PATH; empty where it is not installed."""
    folders = (Path("/usr/lib"), Path("/usr/libexec"))
    return str(next((path for each in folders for path in each.glob("**/webkit2gtk-4*/MiniBrowser")), ""))


BROWSERS = {
    "Firefox": InstalledBrowser(lambda: bool(shutil.which("firefox-esr")), open_firefox),
    "WebKit": InstalledBrowser(
        lambda: bool(shutil.which("WebKitWebDriver") and shutil.which("Xvfb") and _mini_browser()), open_webkit
    ),
}


@contextmanager
def _screen(folder: Path) -> Iterator[str]:
    """A display that nobody looks at. It takes the first number that is free, and says which."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    with _running(command, folder, keep=[writer]):
        os.close(writer)
        with os.fdopen(reader) as pipe:
            yield f":{pipe.readline().strip()}"


@contextmanager
def _running(
    command: Sequence[str], folder: Path, env: Mapping[str, str] | None = None, keep: Sequence[int] = ()
) -> Iterator[Callable[[], str]]:
    """A program with all that it starts, and a home of its own, for the time of the block. Yields what it says."""
    log = folder / f"{command[0]}.log"
    own = {**os.environ, **QUIET, **(env or {}), "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}
    with log.open("wb") as said:
        process = subprocess.Popen(
            command, env=own, stdin=subprocess.DEVNULL, stdout=said, stderr=said, pass_fds=keep, start_new_session=True
        )
    try:
        yield lambda: f"{command[0]}, {process.poll()}: {log.read_text()[-2000:]}"
    finally:
        for how in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, how)
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)


def _when_up(attempt: Callable[[], T], said: Callable[[], str]) -> T:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except OSError:
            assert time.monotonic() < deadline, f"Nobody listens. {said()}"
            time.sleep(0.05)
