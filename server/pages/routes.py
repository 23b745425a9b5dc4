"""HTML for every address of the shop. Unknown ones get the same page with status 404, which then says so."""

import re
from html import escape
from pathlib import Path
from typing import cast

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from server.config import Settings
from server.core.context import Context
from server.core.security import apply_cookies
from server.pages.assets import Assets
from server.pages.policy import content_security_policy, outside

DIST = Path(__file__).parents[2] / "client" / "dist"

SCREENS = re.compile(
    r"/|/signin|/signup|/forgot-password|/reset-password|/verify-email|/account|/cart|/checkout|/payment"
    r"|/payment/return|/add-address|/edit-address/[^/]+|/admin|/search"
    r"|/category/(men|women|sale)|/category/men/(jeans|shirts)|/category/women/(jeans|shirts|trousers)"
    r"|/category/sale/(men|women)|/product/[^/]+"
    r"|/help/(payment|shipping|returns|faq|how-to-buy)|/stores|/about|/contact|/privacy|/terms"
)
SIGN_IN_SCREENS = {"/signin", "/signup"}
NOT_BUILT = "The client has not been built. Run `just build`, or `just start`, which does it by itself."


class Pages:
    """The built client and what the server adds to its HTML."""

    def __init__(self, settings: Settings, assets: Assets) -> None:
        self._settings = settings
        self._shell = _with_outside(assets.text("index.html"), settings)
        self._workbench = assets.text("graphiql.html")

    async def screen(self, request: Request) -> Response:
        context = cast(Context, request.state.context)
        if request.url.path in SIGN_IN_SCREENS and context.viewer is not None:
            return RedirectResponse("/", 303)
        status = 200 if SCREENS.fullmatch(request.url.path) else 404
        response = self._html(self._shell, status)
        apply_cookies(context, response)
        return response

    async def workbench(self, request: Request) -> Response:
        if not self._settings.introspection:
            return self._html(self._shell, 404)
        response = self._html(self._workbench, 200)
        response.headers["content-security-policy"] = content_security_policy(self._settings, workbench=True)
        return response

    def _html(self, page: str | None, status: int) -> Response:
        if page is None:
            return HTMLResponse(f"<!doctype html><title>Minimal</title><p>{NOT_BUILT}", 503)
        return HTMLResponse(page, status, {"cache-control": "no-cache"})


def _with_outside(shell: str | None, settings: Settings) -> str | None:
    if shell is None:
        return None
    scripts = outside(settings)
    tags = ""
    if scripts.stripe_script:
        tags += f'<script src="{escape(scripts.stripe_script)}" defer></script>'
    if scripts.google_script:
        tags += f'<meta name="google-identity-script" content="{escape(scripts.google_script)}">'
    return shell.replace("<!--outside-scripts-->", tags)


def routes(settings: Settings, folder: Path = DIST) -> list[BaseRoute]:
    """The client's addresses; the last one takes every path that nothing else took."""
    assets = Assets(folder)
    pages = Pages(settings, assets)
    return [
        Route("/assets/{path:path}", assets.serve),
        Route("/favicon.svg", assets.serve),
        Route("/robots.txt", assets.serve),
        Route("/graphiql", pages.workbench),
        Route("/{path:path}", pages.screen),
    ]
