"""Which content coding a client takes (RFC 9110, 12.5.3)."""

from collections.abc import Iterable


def accepts(accept_encoding: str, coding: str) -> bool:
    """Whether a client that sends this header takes the coding: named, or by `*`, and not with a weight of 0."""
    weights = dict(_weights(accept_encoding))
    return weights.get(coding, weights.get("*", 0.0)) > 0


def negotiate(accept_encoding: str, available: Iterable[str]) -> str | None:
    """The first available coding that the client accepts; None to send the body as it is."""
    return next((coding for coding in available if accepts(accept_encoding, coding)), None)


def _weights(accept_encoding: str) -> Iterable[tuple[str, float]]:
    for part in accept_encoding.lower().split(","):
        coding, _, parameters = part.partition(";")
        name, _, value = parameters.partition("=")
        yield coding.strip(), _weight(value) if name.strip() == "q" else 1.0


def _weight(value: str) -> float:
    """A weight that cannot be read refuses the coding: the plain body suits everybody."""
    try:
        return float(value.strip())
    except ValueError:
        return 0.0
