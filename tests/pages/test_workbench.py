"""GraphiQL's page, and the accounts in it."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from server.config import Settings
from server.platform.core.db import Sessions, begin
from server.platform.core.models import ShopFact
from tests.catalog.storefront import Storefront, open_storefront

ACCOUNTS = [{"name": "shopper", "email": "o'hara@shop.test", "password": '"><b>1!'}]


def accounts_in(page: str) -> Any:
    content = re.search(r'<meta name="demo-accounts" content="([^"]+)">', page)
    return content and json.loads(unescape(content[1]))


async def hold(sessions: Sessions, value: dict[str, Any]) -> None:
    async with begin(sessions) as session:
        await session.execute(insert(ShopFact).values(name="demo", value=value))


async def test_graphiqls_page_of_a_demo_shop_has_its_accounts(storefront: Storefront, sessions: Sessions) -> None:
    await hold(sessions, {"orders": 3, "accounts": ACCOUNTS})

    page = await storefront.visitor.get("/graphiql")

    assert accounts_in(page.text) == ACCOUNTS
    assert page.headers["cache-control"] == "no-cache"
    assert "'unsafe-inline'" in page.headers["content-security-policy"]


@pytest.mark.parametrize("value", [None, {}, {"orders": 3}])
async def test_graphiqls_page_of_another_shop_has_no_accounts(
    storefront: Storefront, sessions: Sessions, value: dict[str, Any] | None
) -> None:
    if value is not None:
        await hold(sessions, value)

    page = await storefront.visitor.get("/graphiql")

    assert page.status_code == 200
    assert "password" not in page.text
    assert "demo-accounts" not in page.text


async def test_a_shop_that_takes_real_payments_shows_no_accounts(
    database_url: str, sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settings, "uses_stand_ins", False)
    await hold(sessions, {"accounts": ACCOUNTS})

    async with open_storefront(database_url, sessions, tmp_path) as storefront:
        page = await storefront.visitor.get("/graphiql")

    assert page.status_code == 200
    assert "demo-accounts" not in page.text
