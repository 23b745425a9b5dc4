"""POST /browser-errors: logs JavaScript errors of browsers.

The endpoint is open to everyone. So the body is small, each network may send few, and only text that cannot hold
personal data is logged: the error's name, stack frames in the shop's own scripts, and the kind of page.
"""

import re
from typing import Annotated

import structlog
from pydantic import Field
from starlette.responses import Response

from server.core import limits
from server.core.errors import TooManyRequests
from server.core.viewer import Access
from server.web.rest import Body, Call, nothing, route

log = structlog.get_logger()

PER_HOUR = 60
"""Reports accepted from one network; further ones are dropped."""
MAX_FRAMES = 8
MAX_TEXT = 8_000
_FRAME = re.compile(r"/assets/([\w-]{1,60}\.js):(\d{1,7}):(\d{1,7})", re.ASCII)
_NAME = re.compile(r"[A-Z][A-Za-z]{0,39}", re.ASCII)
_MISSING = re.compile(r"/assets/([\w-]{1,60}\.js) could not be loaded", re.ASCII)
_PAGE = re.compile(r"/([a-z-]{1,20})(?:/|\Z)", re.ASCII)


class BrowserError(Body):
    """What the client's error handler reports; all of it is untrusted text."""

    page: Annotated[str, Field(max_length=MAX_TEXT)] = ""
    name: Annotated[str, Field(max_length=MAX_TEXT)] = ""
    message: Annotated[str, Field(max_length=MAX_TEXT)] = ""
    stack: Annotated[str, Field(max_length=MAX_TEXT)] = ""


async def record(call: Call) -> Response:
    """Logs one error. A network over its limit gets the same response, but nothing is logged."""
    error = await call.body(BrowserError)
    try:
        await limits.take(call.context.sessions, limits.Limit(f"browser-errors:{call.context.network}", PER_HOUR, 3600))
    except TooManyRequests:
        return nothing()
    log.warning(
        "browser.error",
        error=error.name if _NAME.fullmatch(error.name) else "Error",
        page=page_kind(error.page),
        frames=frames(error.stack) or missing_scripts(error.message),
    )
    return nothing()


def frames(stack: str) -> list[str]:
    """Locations in the shop's own scripts, innermost first: "index-Bx1.js:1:2034"."""
    return [":".join(found) for found in _FRAME.findall(stack)[:MAX_FRAMES]]


def missing_scripts(message: str) -> list[str]:
    """The name of a script that a page could not load, in a list of at most one."""
    return [f"{name} missing" for name in _MISSING.findall(message)[:1]]


def page_kind(path: str) -> str:
    """The first segment of a path, such as "product"; the rest may hold personal data."""
    found = _PAGE.match(path)
    return found[1] if found else "home"


routes = [route("POST", "/browser-errors", record, allows=Access.ANYONE)]
