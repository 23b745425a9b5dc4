"""GraphiQL's page."""

from html import escape

import orjson
from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from server.config import Settings
from server.pages.policy import content_security_policy
from server.pages.shell import NAME, ShopOfNow
from server.platform.core.context import Context
from server.platform.core.db import autocommit, is_unavailable
from server.platform.core.models import ShopFact

_ACCOUNTS = select(ShopFact.value["accounts"]).where(ShopFact.name == "demo")
_PLACE = "<!--demo-accounts-->"


class Workbench:
    """The page, with the accounts of a demo shop, whose password is public."""

    def __init__(self, settings: Settings, html: str) -> None:
        self._html = html
        self._policy = content_security_policy(settings, workbench=True)
        # The seed refuses other shops; this holds for a database that was moved as well.
        self._may_be_demo = settings.is_loopback and settings.uses_stand_ins

    async def page(self, request: Request) -> Response:
        """The HTML. Without the database it has no accounts: its editor and the catalogue in memory still work."""
        context: Context = request.state.context
        accounts = await _demo_accounts(context) if self._may_be_demo else None
        tag = f'<meta name="demo-accounts" content="{escape(orjson.dumps(accounts).decode())}">' if accounts else ""
        headers = {"cache-control": "no-cache", "content-security-policy": self._policy}
        name = escape((await ShopOfNow.read(context)).name)
        return HTMLResponse(self._html.replace(_PLACE, tag).replace(NAME, name), 200, headers)


async def _demo_accounts(context: Context) -> list[dict[str, str]] | None:
    """What the demo's seed wrote: name, e-mail and password of each account. None in every other shop."""
    try:
        async with autocommit(context.sessions) as session:
            accounts: list[dict[str, str]] | None = await session.scalar(_ACCOUNTS)
    except Exception as error:
        if not is_unavailable(error):
            raise
        return None
    return accounts
