"""`just lighthouse`: what Lighthouse says of a phone's first visit, the median of several, and whether that will do."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from playwright.sync_api import sync_playwright

from tests.e2e.chromium import ARGUMENTS, find
from tests.e2e.whole_shop import ROOT, WholeShop, open_shop
from tests.folders import temporary_folder
from tests.ports import free_port

HERE = Path(__file__).parent
PACKAGES = ROOT / ".lighthouse"
SHOPPER = {"email": "shopper@minimal.test", "password": "Minimal1!"}
FORMS = ("signin", "signup", "forgot-password")
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
PHONE = 500
"""Lighthouse's benchmark index of the phone. Its default, a processor four times slower, means one on a machine of
2,000; on any other it means another phone."""
Report = dict[str, Any]


@dataclass(frozen=True)
class Figure:
    """One column of the table: where the report has it, and when it is good enough."""

    title: str
    of: Callable[[Report], float]
    limit: float
    at_most: bool = False
    form: str = ".0f"

    def holds(self, value: float) -> bool:
        return value <= self.limit if self.at_most else value >= self.limit


def _score(category: str) -> Callable[[Report], float]:
    return lambda report: 100 * float(report["categories"][category]["score"])


def _timing(audit: str, scale: float = 1) -> Callable[[Report], float]:
    return lambda report: float(report["audits"][audit]["numericValue"]) * scale


def _slowdown_of(report: Report) -> float:
    return float(report["configSettings"]["throttling"]["cpuSlowdownMultiplier"])


FIGURES = (
    Figure("performance", _score("performance"), 99),
    Figure("accessibility", _score("accessibility"), 100),
    Figure("practices", _score("best-practices"), 100),
    Figure("SEO", _score("seo"), 100),
    Figure("LCP, s", _timing("largest-contentful-paint", 0.001), 2.0, at_most=True, form=".2f"),
    Figure("CLS", _timing("cumulative-layout-shift"), 0.02, at_most=True, form=".3f"),
    Figure("TBT, ms", _timing("total-blocking-time"), 150, at_most=True),
)


@dataclass(frozen=True)
class Screen:
    name: str
    path: str
    browser: int | None = None
    """Port of the browser in which somebody is signed in; a visitor's is started for each visit."""
    is_indexed: bool = True
    """Whether it is for search engines."""

    @property
    def figures(self) -> Iterable[Figure]:
        return FIGURES if self.is_indexed else [figure for figure in FIGURES if figure.title != "SEO"]


@contextmanager
def signed_in(shop: WholeShop, profile: Path) -> Iterator[int]:
    """A browser in which the demo's shopper is signed in and has something in the cart; its debugging port."""
    chromium = find()
    assert chromium is not None, "There is no Chromium."
    port = free_port()
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=chromium.path,
            args=[*ARGUMENTS, f"--remote-debugging-port={port}"],
            env={**os.environ, **chromium.env},
            base_url=shop.url,
        )
        own = {"sec-fetch-site": "same-origin"}
        context.request.post("/api/auth/signin", data=SHOPPER, headers=own, fail_on_status_code=True)
        line = {"productId": product_of(shop), "quantity": 1, "price": 0}
        context.request.post("/api/cart", data=line, headers=own, fail_on_status_code=True)
        page = context.new_page()
        page.goto("/cart", wait_until="networkidle")
        page.close()
        yield port
        context.close()


def product_of(shop: WholeShop) -> str:
    """The id of some product."""
    listed = re.search(r'href="/product/([^"?]+)"', httpx.get(f"{shop.url}/category/men").text)
    assert listed is not None
    return listed[1]


def screens_of(shop: WholeShop, browser: int) -> list[Screen]:
    """Home, a category, a product, the forms for visitors, and the cart of somebody who is signed in."""
    return [
        Screen("home", "/"),
        Screen("category", "/category/men"),
        Screen("product", f"/product/{product_of(shop)}"),
        *(Screen(name, f"/{name}", is_indexed=False) for name in FORMS),
        Screen("cart", "/cart", browser, is_indexed=False),
    ]


def install() -> None:
    """Lighthouse as locked, in a folder of its own."""
    lock = (HERE / "package-lock.json").read_bytes()
    stamp = PACKAGES / "installed"
    if stamp.exists() and stamp.read_bytes() == lock:
        return
    PACKAGES.mkdir(exist_ok=True)
    for file in ("package.json", "package-lock.json"):
        shutil.copy(HERE / file, PACKAGES)
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=PACKAGES, check=True)
    stamp.write_bytes(lock)


def slowdown(benchmark_index: float) -> float:
    """How many times slower the phone is than a machine on which Lighthouse has measured this; 1 on a slower one."""
    return max(1.0, benchmark_index / PHONE)


def audit(shop: WholeShop, screen: Screen, report: Path, times_slower: float = 4) -> Report:
    """One first visit by Lighthouse's own phone: slow 4G and a slower processor, both simulated."""
    chromium = find()
    assert chromium is not None, "There is no Chromium."
    command = [
        *("node", str(PACKAGES / "node_modules/lighthouse/cli/index.js"), shop.url + screen.path),
        *("--quiet", "--output=json", f"--output-path={report}", f"--only-categories={','.join(CATEGORIES)}"),
        f"--throttling.cpuSlowdownMultiplier={times_slower:.2f}",
        f"--port={screen.browser}" if screen.browser else f"--chrome-flags=--headless {' '.join(ARGUMENTS)}",
    ]
    env = {**os.environ, **chromium.env, "CHROME_PATH": chromium.path}
    subprocess.run(command, env=env, check=True)
    content: Report = json.loads(report.read_bytes())
    return content


def weak_points(report: Report, screen: Screen) -> list[str]:
    """What costs points outside of performance, and the performance hints that are worth some time."""
    categories = [name for name in CATEGORIES if name != "seo" or screen.is_indexed]
    weights = {
        ref["id"]: ref["weight"]
        for name in categories
        for ref in report["categories"][name]["auditRefs"]
        if ref["weight"]
    }
    return [
        f"{name}: {report['audits'][name]['title']} {report['audits'][name].get('displayValue', '')}".rstrip()
        for name in weights
        if (score := report["audits"][name]["score"]) is not None and score < 0.9
    ]


def measure(shop: WholeShop, screen: Screen, runs: int, folder: Path) -> bool:
    """Prints a line of the table. A visit that does not count goes first: the server draws and scales what it keeps.

    Each visit's phone is as slow as the visit before found necessary, since a shared machine is not always as fast.
    """
    reports = [audit(shop, screen, folder / f"{screen.name}-0.json")]
    for run in range(1, runs + 1):
        times_slower = slowdown(reports[-1]["environment"]["benchmarkIndex"])
        reports.append(audit(shop, screen, folder / f"{screen.name}-{run}.json", times_slower))
    del reports[0]
    values = {figure: median(map(figure.of, reports)) for figure in screen.figures}
    cells = [
        f"{values[figure]:{figure.form}}{'' if figure.holds(values[figure]) else ' !'}" if figure in values else "-"
        for figure in FIGURES
    ]
    _line(screen.name, [*cells, f"{median(map(_slowdown_of, reports)):.1f}"])
    good = all(figure.holds(value) for figure, value in values.items())
    for point in [] if good else weak_points(reports[-1], screen):
        sys.stdout.write(f"    {point}\n")
    return good


def _line(name: str, cells: Iterable[str]) -> None:
    sys.stdout.write(f"{name:16}" + "".join(f"{cell:>14}" for cell in cells) + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="just lighthouse", description=__doc__)
    parser.add_argument("screens", nargs="*", help="names in the first column; all screens when none is named")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--reports", type=Path, default=ROOT / "test-results" / "lighthouse")
    options = parser.parse_args()
    install()
    options.reports.mkdir(parents=True, exist_ok=True)
    with (
        temporary_folder() as folder,
        open_shop(folder / "shop") as shop,
        signed_in(shop, folder / "profile") as browser,
    ):
        screens = [
            screen for screen in screens_of(shop, browser) if not options.screens or screen.name in options.screens
        ]
        _line("", [*(figure.title for figure in FIGURES), "CPU slowed"])
        good = [measure(shop, screen, options.runs, options.reports) for screen in screens]
        _line("limit", [f"{'<' if figure.at_most else '>'}= {figure.limit:g}" for figure in FIGURES])
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
