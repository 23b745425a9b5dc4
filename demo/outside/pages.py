"""Templates, static files and the headers that pages carry."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from demo.outside import keys
from demo.outside.settings import Settings

HERE = Path(__file__).parent
STATIC = HERE / "static"
TYPES = {".css": "text/css", ".js": "text/javascript", ".woff2": "font/woff2", ".txt": "text/plain"}
FOR_THE_SHOP = {"stripe.js": keys.STRIPE_SCRIPT_PATH, "gsi.js": keys.GOOGLE_SCRIPT_PATH}


class Pages:
    """Renders the stand-ins' HTML, each page with its security headers."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._environment = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= {"money": money, "moment": moment, "card": grouped}
        self._environment.globals |= {"shop": settings.shop}

    def render(self, template: str, values: Mapping[str, Any]) -> str:
        """A template as HTML."""
        return self._environment.get_template(template).render(values)

    def page(self, template: str, values: Mapping[str, Any], status: int = 200) -> Response:
        """A page of its own, which must not be framed."""
        return HTMLResponse(self.render(template, values), status, self._headers("'none'", "frame-src 'self'"))

    def framed(self, template: str, values: Mapping[str, Any], status: int = 200) -> Response:
        """A page that only the shop may frame."""
        ancestors = " ".join(self._settings.shop_origins)
        return HTMLResponse(self.render(template, values), status, self._headers(ancestors, "frame-src 'none'"))

    def pop_up(self, template: str, values: Mapping[str, Any], status: int = 200) -> Response:
        """A page that opens in a pop-up window."""
        return HTMLResponse(self.render(template, values), status, self._headers("'none'", "frame-src 'none'"))

    def mail_body(self, html: str) -> Response:
        """A stranger's HTML: no script, no form, no request but for pictures, links into a new tab."""
        images = " ".join(self._settings.shop_origins)
        policy = (
            f"default-src 'none'; img-src {images} data:; style-src 'unsafe-inline'; font-src data:; base-uri 'self';"
            " frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        )
        headers = {"content-security-policy": policy, "x-content-type-options": "nosniff", "cache-control": "no-store"}
        return HTMLResponse(f'<base target="_blank">{html}', headers=headers)

    def _headers(self, ancestors: str, frames: str) -> dict[str, str]:
        images = " ".join(self._settings.shop_origins)
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self';"
            f" img-src 'self' data: {images}; form-action 'self'; base-uri 'none'; {frames};"
            f" frame-ancestors {ancestors}"
        )
        return {
            "content-security-policy": policy,
            "x-content-type-options": "nosniff",
            "referrer-policy": "same-origin",
            "cache-control": "no-store",
        }


def routes() -> list[Route]:
    """The static files."""

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        kind = TYPES.get(Path(name).suffix)
        file = STATIC / name
        if kind is None or not file.is_file():
            return Response("Not found", 404)
        return FileResponse(file, media_type=kind, headers={"cache-control": "no-cache"})

    def script(name: str, path: str) -> Route:
        async def endpoint(request: Request) -> Response:
            headers = {"cache-control": "no-cache", "cross-origin-resource-policy": "cross-origin"}
            return FileResponse(STATIC / name, media_type="text/javascript", headers=headers)

        return Route(path, endpoint)

    return [Route("/static/{name}", static), *(script(name, path) for name, path in FOR_THE_SHOP.items())]


def money(cents: int) -> str:
    """Cents as dollars: "$1,990.00"."""
    return f"${cents // 100:,}.{cents % 100:02}"


def moment(value: float | str) -> str:
    """Day and time in UTC, as short as the day allows."""
    at = datetime.fromisoformat(value) if isinstance(value, str) else datetime.fromtimestamp(value, UTC)
    return f"{at:%H:%M:%S}" if at.date() == datetime.now(UTC).date() else f"{at:%d %b %H:%M}"


def grouped(number: str) -> str:
    """A number in groups of four digits."""
    return " ".join(number[at : at + 4] for at in range(0, len(number), 4))
