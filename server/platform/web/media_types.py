"""Negotiation of a response's media type by the Accept header (RFC 9110, 12.5.1)."""

from collections.abc import Iterable
from functools import lru_cache

JSON = "application/json"
HTML = "text/html"
LONGEST_KEPT = 200
"""Characters of a header whose result is kept."""
MOST_RANGES = 50
"""Ranges of a header that are read; browsers send ten."""
_EXACT, _SUBTYPE, _ANY = 2, 1, 0
_Match = tuple[float, int, int]
"""Weight, precision and negated position of the range in the header: the greatest is preferred."""


def preferred(accept: str | None, offered: tuple[str, ...]) -> str | None:
    """The offered media type that the client prefers, of equal ones the first; None when it accepts none.

    A client without a preference gets the first.
    """
    if not accept or accept == "*/*":
        return offered[0]
    # Clients send the same few headers again and again.
    return _preferred(accept, offered) if len(accept) <= LONGEST_KEPT else _preferred.__wrapped__(accept, offered)


@lru_cache(maxsize=256)
def _preferred(accept: str, offered: tuple[str, ...]) -> str | None:
    ranges = list(_ranges(accept.lower()))
    best = max(offered, key=lambda each: _match(each, ranges))
    return best if _match(best, ranges)[0] > 0 else None


def prefers_html(accept: str | None) -> bool:
    """Whether a request is a browser's for a page rather than a client's for data."""
    return preferred(accept, (JSON, HTML)) == HTML


def _match(media_type: str, ranges: list[tuple[str, float]]) -> _Match:
    """How well the most precise range admits the media type."""
    main = media_type.partition("/")[0]
    precisions = {media_type: _EXACT, f"{main}/*": _SUBTYPE, "*/*": _ANY}
    matches = [
        (precisions[name], weight, -position) for position, (name, weight) in enumerate(ranges) if name in precisions
    ]
    precision, weight, position = max(matches, default=(_ANY, 0.0, 0))
    return weight, precision, position


def _ranges(accept: str) -> Iterable[tuple[str, float]]:
    for part in accept.split(",", MOST_RANGES)[:MOST_RANGES]:
        name, *parameters = (each.strip() for each in part.split(";"))
        weights = [each[2:] for each in parameters if each.startswith("q=")]
        yield name, _weight(weights[0]) if weights else 1.0


def _weight(value: str) -> float:
    """0 when it cannot be parsed, as in `compression`."""
    try:
        return float(value)
    except ValueError:
        return 0.0
