from tests.catalog.conftest import storefront

__all__ = ["storefront"]
