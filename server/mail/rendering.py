"""Renders messages into the text and HTML of a mail."""

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from server.mail.messages import Message
from server.platform.core import money

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _templates() -> "Environment":
    """Loads Jinja with the first mail: most processes start without one."""
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    templates = Environment(
        loader=PackageLoader("server.mail"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    templates.filters["dollars"] = money.dollars
    return templates


def render(message: Message, shop_url: str, shop_name: str) -> tuple[str, str]:
    """The mail's plain text and its HTML."""

    def link(path: str) -> str:
        return urljoin(f"{shop_url}/", path)

    variables = {field.name: getattr(message, field.name) for field in fields(message)}
    text, html = (
        _templates()
        .get_template(f"{message.template}.{kind}")
        .render(variables, subject=message.subject_of(shop_name), link=link, shop_name=shop_name)
        for kind in ("txt", "html")
    )
    return text, html
