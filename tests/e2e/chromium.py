"""`python -m tests.e2e.chromium`: makes sure that there is a Chromium for the browser tests, and says which one."""

import fcntl
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PACKAGED = ROOT / ".browser"
_LOCK = Path(__file__).with_name("packaged-chromium")
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
"""First the one without windows, menus and profiles, which does the same for a quarter less."""
_UNPACK = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"

_PARTS_OF_A_WINDOW = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",
)
"""Each window would have processes for them, which took more time than the page in it."""
_OFF_FOR_PLAYWRIGHT = (
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""What Playwright turns off by itself: the last of two such lists is the one that counts."""

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # As a desktop draws letters; a shell's own way differs.
    "--font-render-hinting=slight",
    f"--disable-features={','.join((*_PARTS_OF_A_WINDOW, *_OFF_FOR_PLAYWRIGHT))}",
)

FOR_A_MOMENT = ("--js-flags=--no-maglev --no-turbofan",)
"""For pages that are closed after seconds: what it costs to make their scripts faster does not come back."""


@dataclass(frozen=True)
class Chromium:
    path: str
    env: dict[str, str] = field(default_factory=dict)
    """What it needs in its environment beside our own."""


_UNPACKED = Chromium(
    str(PACKAGED / "chromium"), {"TMPDIR": str(PACKAGED), "LD_LIBRARY_PATH": str(PACKAGED / "al2023/lib")}
)


def find() -> Chromium | None:
    """The one of CHROMIUM, of the system, of Playwright, or of the npm package that carries one, in this order."""
    for name in (os.environ.get("CHROMIUM", ""), *_NAMES):
        if path := shutil.which(name):
            return Chromium(path)
    with sync_playwright() as playwright:
        if Path(playwright.chromium.executable_path).exists():
            return Chromium(playwright.chromium.executable_path)
    return _UNPACKED if (PACKAGED / "chromium").exists() else None


def packaged() -> Chromium:
    """The one whose version is locked here, unpacked where it is not yet: pictures of screens are taken with it."""
    PACKAGED.mkdir(exist_ok=True)
    with (ROOT / ".browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        unpacked = PACKAGED / "package-lock.json"
        is_locked_one = unpacked.exists() and unpacked.read_bytes() == (_LOCK / "package-lock.json").read_bytes()
        if not is_locked_one or not (PACKAGED / "chromium").exists():
            shutil.rmtree(PACKAGED)
            unpack_packaged()
    return _UNPACKED


def fetch() -> None:
    """Gets one: Playwright's where its server can be reached, else the packaged one. Neither needs to be root."""
    done = subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], capture_output=True, check=False)
    if done.returncode:
        unpack_packaged()


def unpack_packaged() -> None:
    """The variable makes the package unpack the libraries as well that a bare machine lacks."""
    PACKAGED.mkdir(exist_ok=True)
    for file in ("package.json", "package-lock.json"):
        shutil.copy(_LOCK / file, PACKAGED)
    env = {**os.environ, "TMPDIR": str(PACKAGED), "AWS_EXECUTION_ENV": "AWS_Lambda_nodejs24.x"}
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=PACKAGED, check=True)
    subprocess.run(["node", "-e", _UNPACK], cwd=PACKAGED, env=env, check=True)


def main() -> int:
    if find() is None:
        sys.stdout.write("There is no Chromium; getting one\n")
        fetch()
    browser = find()
    sys.stdout.write(f"Chromium: {browser.path}\n" if browser else "There is no Chromium, and none could be had\n")
    return 0 if browser else 1


if __name__ == "__main__":
    sys.exit(main())
