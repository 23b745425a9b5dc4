"""Content codings: their negotiation (RFC 9110, 12.5.3), and gzip for what is made on request."""

from collections.abc import Iterable

from isal import igzip

LEVEL = 2
"""Of four. 140 kB take 0.09 ms, where zlib's level 6 takes 1.7 ms for 2 percent less."""


def gzip(body: bytes) -> bytes:
    """The body as gzip, the same bytes each time."""
    return igzip.compress(body, LEVEL, mtime=0)


def accepts(accept_encoding: str, coding: str) -> bool:
    """Whether an Accept-Encoding header admits the coding, by name or by `*`, with a weight above 0."""
    weights = dict(_weights(accept_encoding))
    return weights.get(coding, weights.get("*", 0.0)) > 0


def negotiate(accept_encoding: str, available: Iterable[str]) -> str | None:
    """The first available coding that the client accepts; None to send the body uncompressed."""
    return next((coding for coding in available if accepts(accept_encoding, coding)), None)


def _weights(accept_encoding: str) -> Iterable[tuple[str, float]]:
    for part in accept_encoding.lower().split(","):
        coding, _, parameters = part.partition(";")
        name, _, value = parameters.partition("=")
        yield coding.strip(), _weight(value) if name.strip() == "q" else 1.0


def _weight(value: str) -> float:
    """The weight of a coding; 0 when it cannot be parsed, since every client accepts an uncompressed body."""
    try:
        return float(value.strip())
    except ValueError:
        return 0.0
