import json
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from server.platform.core import logs
from server.platform.web.browser_reports import BrowserReports
from server.platform.web.csp_reports import PATH
from server.platform.web.proxies import TrustedProxies

OLD = {
    "csp-report": {
        "document-uri": "https://minimal.example/reset-password?token=secret#secret",
        "violated-directive": "script-src 'self'",
        "blocked-uri": "https://evil.example:8443/steal?cookie=secret",
        "source-file": "https://minimal.example/assets/index-1.js?secret",
        "script-sample": "secret",
        "original-policy": "secret",
    }
}
NEW = [
    {"type": "deprecation", "body": {"effectiveDirective": "secret"}},
    {
        "type": "csp-violation",
        "url": "https://secret.example",
        "body": {
            "documentURL": "https://minimal.example/",
            "effectiveDirective": "script-src-elem",
            "blockedURL": "inline",
        },
    },
]


@pytest.fixture
async def browser() -> Any:
    logs.configure()
    app = Starlette(routes=BrowserReports(TrustedProxies()).routes())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        yield client


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"csp.' in line]


async def test_both_formats_are_logged_without_queries_and_samples(
    browser: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    statuses = [(await browser.post(PATH, content=json.dumps(each))).status_code for each in (OLD, NEW)]

    old, new = lines(capsys)
    assert statuses == [204, 204]
    assert (old["kind"], old["path"], old["name"], old["place"]) == (
        "script-src",
        "/reset-password",
        "https://evil.example:8443",
        "https://minimal.example/assets/index-1.js",
    )
    assert (new["kind"], new["path"], new["name"], new["place"]) == ("script-src-elem", "/", "inline", "")
    assert "secret" not in json.dumps([old, new])


@pytest.mark.parametrize(
    "body",
    [
        *("", "x", "null", "[]", "{}", "[1]", '"x"', '{"csp-report": 1}', '[{"type": "csp-violation", "body": []}]'),
        '{"csp-report": {"document-uri": 5, "blocked-uri": "http://[", "violated-directive": "\\n<b>"}}',
    ],
)
async def test_what_is_no_report_does_no_harm(
    browser: httpx.AsyncClient, body: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (await browser.post(PATH, content=body)).status_code == 204
    assert all(line["kind"] == line["path"] == line["name"] == "" for line in lines(capsys))
