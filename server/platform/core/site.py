"""What the platform requires of an application's settings."""

from typing import Protocol


class Site(Protocol):
    """The address under which the application is reached."""

    @property
    def public_url(self) -> str:
        """Scheme, host and port, without a path."""
        ...

    @property
    def is_https(self) -> bool:
        """Whether browsers reach it over TLS."""
        ...

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        ...
