"""Every URL of the shop's screens, from the table that the client's routers read as well: `client/routes.json`.

The table says of each screen of the shop how it is sent: `indexed` and `open` ones are rendered and the same for
everybody, `indexed` ones are also for search engines; `form` ones, whose links carry the query along, are rendered like
`open` ones and not cached for offline visits; `own` ones are rendered for the signed-in account; `private` ones are not
rendered, nor are `mailed` ones, to which links in mails lead with a token that is in no Referer. The back office is a
document of its own and not rendered.
"""

import re
from collections.abc import Iterable
from typing import TypedDict

import orjson

from server.catalog.categories import Categories
from server.platform.core.package_data import package_data


class _Table(TypedDict):
    shop: dict[str, str]
    backOffice: dict[str, str]


_TABLE: _Table = orjson.loads(package_data("client/routes.json").read_bytes())
_ID = re.compile(r":\w+")


def _paths(*kinds: str) -> list[str]:
    return [path for path, kind in _TABLE["shop"].items() if kind in kinds]


def _pattern(paths: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(_ID.sub("[^/]+", path) for path in paths))


def _closed() -> list[str]:
    """What stands before an id, since robots.txt names beginnings; without those that a shorter one covers."""
    paths = [*_paths("open", "form", "own", "private", "mailed"), *_TABLE["backOffice"].values()]
    beginnings = sorted({_ID.split(path)[0] for path in paths})
    return [path for path in beginnings if not any(path.startswith(f"{other}/") for other in beginnings)]


PUBLIC = _pattern(_paths("indexed", "open"))
"""Categories are rows: see `is_page`."""
FORM = _pattern(_paths("form"))
OWN = _pattern(_paths("own"))
PRIVATE = _pattern(_paths("private", "mailed"))
BACK_OFFICE = _pattern(_TABLE["backOffice"].values())
SCREENS = re.compile("|".join(each.pattern for each in (PUBLIC, FORM, OWN, PRIVATE, BACK_OFFICE)))

MAILED = _pattern(_paths("mailed"))
INDEXED = [path for path in _paths("indexed") if ":" not in path]
"""Paths for the sitemap that need no id."""
CLOSED = _closed()
"""Beginnings of the paths that are not for search engines."""
CATEGORY = "/category/"
"""Beginning of the paths of category pages."""


def is_page(path: str, categories: Categories) -> bool:
    """Whether a public page is at this path: of a category only where shoppers see that category."""
    return PUBLIC.fullmatch(path) is not None and (not path.startswith(CATEGORY) or path in categories.paths)
