"""The stylesheet with the owner's color; a shop without one sends and loads none."""

from hashlib import sha256
from typing import cast

from starlette.requests import Request
from starlette.responses import Response

from server.platform.core.context import Context
from server.shop import service as shop
from server.shop.colors import accent_colors

PATH = "/theme.css"
_VERSION_LENGTH = 12


def link_to(accent: str) -> str:
    """The element that loads it; the address changes with the color."""
    return f'<link rel="stylesheet" href="{PATH}?v={_version(accent)}">' if accent else ""


async def stylesheet(request: Request) -> Response:
    """The colors as CSS variables; empty without a color."""
    accent = (await shop.current_or_last(cast(Context, request.state.context))).accent_color
    is_current = request.query_params.get("v") == _version(accent)
    kept = "public, max-age=31536000, immutable" if is_current else "no-cache"
    return Response(_css(accent), media_type="text/css", headers={"cache-control": kept})


def _css(accent: str) -> str:
    if not accent:
        return ""
    colors = accent_colors(accent)
    return (
        f":root{{--accent:light-dark({colors.light},{colors.dark});"
        f"--on-accent:light-dark({colors.on_light},{colors.on_dark})}}"
    )


def _version(accent: str) -> str:
    """Of all that it is made of, so that another rule of this module has another address."""
    return sha256(_css(accent).encode()).hexdigest()[:_VERSION_LENGTH]
