"""The long-lived objects of a process (gateways, stores, pools): made in app.py, found by their type."""

from typing import TypeVar

T = TypeVar("T")


class Resources:
    """`resources.get(StripeGateway)` is the one instance of that class in this process."""

    def __init__(self, *instances: object) -> None:
        self._by_type: dict[type, object] = {type(instance): instance for instance in instances}

    def add(self, instance: object, kind: type | None = None) -> None:
        """Registers an instance under its class, or under `kind`, such as the protocol that it implements."""
        self._by_type[kind or type(instance)] = instance

    def get(self, kind: type[T]) -> T:
        """The instance of that class. Raises KeyError when app.py has made none, which is a bug."""
        instance = self._by_type[kind]
        assert isinstance(instance, kind)  # noqa: S101
        return instance

    def find(self, kind: type[T]) -> T | None:
        """The instance of that class; None in a process that has none."""
        instance = self._by_type.get(kind)
        return instance if isinstance(instance, kind) else None
