"""One limit for what browsers report, whatever it is."""

import json
from collections.abc import AsyncIterator
from ipaddress import ip_network
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from server.platform.core import logs
from server.platform.web.browser_reports import LINES_OF_ONE_NETWORK, LINES_PER_MINUTE, MAX_BYTES, BrowserReports
from server.platform.web.proxies import TrustedProxies

VIOLATION = {"csp-report": {"document-uri": "https://minimal.example/", "violated-directive": "script-src"}}
ERROR = {"page": "/cart", "name": "TypeError"}
REPORTS = (("/csp-reports", VIOLATION), ("/browser-errors", ERROR))


@pytest.fixture
def now() -> list[float]:
    return [1000.0]


@pytest.fixture
async def browser(now: list[float]) -> AsyncIterator[httpx.AsyncClient]:
    """Behind a proxy, which says whose request it is."""
    logs.configure()
    proxies = TrustedProxies((ip_network("127.0.0.1"),))
    app = Starlette(routes=BrowserReports(proxies, clock=lambda: now[0]).routes())
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


async def report(browser: httpx.AsyncClient, times: int, sender: str) -> None:
    for number in range(times):
        path, body = REPORTS[number % 2]
        answer = await browser.post(path, content=json.dumps(body), headers={"x-forwarded-for": sender})
        assert answer.status_code == 204


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    return [line for line in entries if line["event"].startswith(("csp.", "browser."))]


async def test_a_network_fills_no_log_and_silences_nobody(
    browser: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    await report(browser, LINES_OF_ONE_NETWORK, "2001:db8::1")
    await report(browser, LINES_OF_ONE_NETWORK, "2001:db8::2")
    one_network = lines(capsys)
    await report(browser, 2, "192.0.2.1")

    assert len(one_network) == LINES_OF_ONE_NETWORK
    assert [line["event"] for line in lines(capsys)] == ["csp.violation", "browser.error"]


async def test_many_networks_fill_no_log_either_and_what_is_over_is_counted(
    browser: httpx.AsyncClient, capsys: pytest.CaptureFixture[str], now: list[float]
) -> None:
    for number in range(LINES_PER_MINUTE + 5):
        await report(browser, 2, f"192.0.2.{number}")
    flood = lines(capsys)
    now[0] += 60
    await report(browser, 1, "192.0.2.1")
    after = lines(capsys)

    assert len(flood) == LINES_PER_MINUTE
    assert [line["event"] for line in after] == ["browser.reports_dropped", "csp.violation"]
    assert after[0]["count"] == LINES_PER_MINUTE + 10


@pytest.mark.parametrize("path", [path for path, _ in REPORTS])
async def test_a_report_is_small(browser: httpx.AsyncClient, path: str) -> None:
    large = await browser.post(path, content=b" " * (MAX_BYTES + 1))
    small = await browser.post(path, content=b" " * MAX_BYTES)

    assert (large.status_code, small.status_code) == (413, 204)
