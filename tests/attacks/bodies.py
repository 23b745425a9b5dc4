"""The bodies that routes read, below their models."""

from collections.abc import Iterator

from server.platform.web.rest import Body


def bodies_below(kind: type[Body]) -> Iterator[type[Body]]:
    for below in kind.__subclasses__():
        if below.__module__.startswith("server."):
            yield below
            yield from bodies_below(below)
