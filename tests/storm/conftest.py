"""A shop in this process for the books, and for the storm a whole one that can be killed piece by piece."""

from tests.payments.conftest import open_shop, provider, running_provider, settings

__all__ = ["open_shop", "provider", "running_provider", "settings"]
