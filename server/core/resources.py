"""The long-lived things a process holds: gateways, stores, pools. Made in app.py, found by their type."""

from typing import TypeVar

T = TypeVar("T")


class Resources:
    """`resources.get(StripeGateway)` is the one instance of that class in this process."""

    def __init__(self, *instances: object) -> None:
        self._by_type: dict[type, object] = {type(instance): instance for instance in instances}

    def add(self, instance: object, kind: type | None = None) -> None:
        self._by_type[kind or type(instance)] = instance

    def get(self, kind: type[T]) -> T:
        """Raises KeyError when app.py made none: a defect, never a user's doing."""
        found = self._by_type[kind]
        assert isinstance(found, kind)  # noqa: S101
        return found
