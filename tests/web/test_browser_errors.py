"""JavaScript errors of browsers are logged without personal data."""

import json
from typing import Any

import pytest

from server.web import browser_errors
from tests.api.conftest import Shop
from tests.api.conftest import shop as shop

STACK = """TypeError: Cannot read properties of undefined (reading 'ada@minimal.test')
    at Cart (http://localhost:8000/assets/cart-Bx_1-a.js:1:2034)
    at https://elsewhere.test/spy.js?token=secret:4:5
    at http://localhost:8000/assets/react-9.js:12:7"""


async def report(shop: Shop, **error: Any) -> int:
    headers = {"content-type": "application/json"}
    answer = await shop.clients["visitor"].post("/browser-errors", content=json.dumps(error), headers=headers)
    return answer.status_code


def logged(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == "browser.error"]


async def test_the_log_has_the_kind_of_page_and_the_places_in_the_shops_own_scripts(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    status = await report(
        shop, page="/product/0198?variant=7", name="TypeError", message="ada@minimal.test", stack=STACK
    )

    [line] = logged(capsys)
    assert status == 204
    assert (line["error"], line["page"]) == ("TypeError", "product")
    assert line["frames"] == ["cart-Bx_1-a.js:1:2034", "react-9.js:12:7"]
    assert not any(word in json.dumps(line) for word in ("ada@", "secret", "0198"))


async def test_a_script_that_could_not_be_loaded_is_named(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    await report(shop, page="/", message="http://localhost:8000/assets/index-Q3.js could not be loaded")

    [line] = logged(capsys)
    assert (line["page"], line["frames"]) == ("home", ["index-Q3.js missing"])


async def test_a_network_fills_no_log(
    shop: Shop, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser_errors, "PER_HOUR", 3)

    answers = [await report(shop, name="TypeError", stack=STACK) for _ in range(5)]

    assert answers == [204] * 5
    assert len(logged(capsys)) == 3


async def test_a_report_is_small(shop: Shop) -> None:
    assert await report(shop, stack="x" * 8_001) == 400
