"""JavaScript errors of browsers are logged without personal data."""

import json
from typing import Any

import pytest

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


@pytest.mark.parametrize("body", ["", "x", "null", "[]", '"x"', "[1]", "\x00"])
async def test_what_is_no_report_is_not_logged(shop: Shop, body: str, capsys: pytest.CaptureFixture[str]) -> None:
    headers = {"content-type": "application/json"}

    answer = await shop.clients["visitor"].post("/browser-errors", content=body, headers=headers)

    assert (answer.status_code, logged(capsys)) == (204, [])


async def test_a_report_with_other_values_has_nothing_of_them(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    await report(shop, page=["ada@minimal.test"], name={"a": 1}, message=7, stack=None)

    [line] = logged(capsys)
    assert (line["error"], line["page"], line["frames"]) == ("Error", "home", [])
