"""Headers of a request as the server received them. Starlette's `Headers` decodes and encodes for each look."""

from starlette.requests import HTTPConnection
from starlette.types import Scope


def header(scope: Scope, name: bytes) -> bytes | None:
    """The first header of this name, in lower case; None without one."""
    for each, value in scope["headers"]:
        if each == name:
            first: bytes = value
            return first
    return None


def headers(scope: Scope, name: bytes) -> list[str]:
    """All headers of this name, in lower case."""
    return [value.decode("latin-1") for each, value in scope["headers"] if each == name]


def cookies(scope: Scope) -> dict[str, str]:
    """The request's cookies by their names."""
    return {} if header(scope, b"cookie") is None else HTTPConnection(scope).cookies


def decoded(scope: Scope) -> dict[str, str]:
    """Each header by its name; the first of several, as Starlette has it."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
