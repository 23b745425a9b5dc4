"""JavaScript errors, as the client's error handler reports them.

Only text that cannot hold personal data is read: the error's name, stack frames in the shop's own scripts, and the kind
of page.
"""

import re
from typing import Any

import orjson

MAX_FRAMES = 8
_FRAME = re.compile(r"/assets/([\w-]{1,60}\.js):(\d{1,7}):(\d{1,7})", re.ASCII)
_NAME = re.compile(r"[A-Z][A-Za-z]{0,39}", re.ASCII)
_MISSING = re.compile(r"/assets/([\w-]{1,60}\.js) could not be loaded", re.ASCII)
_PAGE = re.compile(r"/([a-z-]{1,20})(?:/|\Z)", re.ASCII)


def read(body: bytes) -> list[dict[str, Any]]:
    """The log's fields of the error in a body; none for a body that is no such report."""
    try:
        sent = orjson.loads(body)
    except orjson.JSONDecodeError:
        return []
    if not isinstance(sent, dict):
        return []
    name, page, stack, message = (_text(sent.get(field)) for field in ("name", "page", "stack", "message"))
    return [
        {
            "error": name if _NAME.fullmatch(name) else "Error",
            "page": page_kind(page),
            "frames": frames(stack) or missing_scripts(message),
        }
    ]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def frames(stack: str) -> list[str]:
    """Locations in the shop's own scripts, innermost first: "index-Bx1.js:1:2034"."""
    return [":".join(groups) for groups in _FRAME.findall(stack)[:MAX_FRAMES]]


def missing_scripts(message: str) -> list[str]:
    """The name of a script that a page could not load, in a list of at most one."""
    return [f"{name} missing" for name in _MISSING.findall(message)[:1]]


def page_kind(path: str) -> str:
    """The first segment of a path, such as "product"; the rest may hold personal data."""
    match = _PAGE.match(path)
    return match[1] if match else "home"
