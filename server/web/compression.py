"""Content coding negotiation (RFC 9110, 12.5.3)."""

from collections.abc import Iterable


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
