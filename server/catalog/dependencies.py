"""What a cached response shows of the catalogue, recorded while it is made, so that it can be checked later."""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from server.catalog.contents import Fingerprints
from server.catalog.index.index import CatalogIndex

IndexQuery = Callable[[CatalogIndex], Any]

FRESH_SECONDS = 0.9
"""While a response was right so lately, it may be served; a notification takes the rest of a second at most."""
CHECK_SECONDS = 0.5
"""A response is checked at most so often, however many changes are announced; one with numbers of pieces is checked so
often even without, since those of many pieces change unannounced."""
PRODUCT_BYTES = 400
QUERY_BYTES = 2_000
"""Estimated bytes of a product's fingerprints or its place in a list, and of a query with its result."""


NEVER = Fingerprints(-1, -1, -1)
"""Fingerprints that no product has: -1 is no hash."""


@dataclass
class CacheDependencies:
    """Products with their fingerprints, queries of the index with their results, and versions of what else is shown.

    `as_of` is the moment, by `monotonic`, at which all of it was true.
    """

    as_of: float
    index_version: int
    """The index gave all queries the same results in this version."""
    products: dict[UUID, Fingerprints | None] = field(default_factory=dict)
    queries: list[tuple[IndexQuery, object]] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)
    """Of what the response shows beside the catalogue, as LiveCatalog counts them: `settings`, `pages`."""
    shows_variants: bool = False
    shows_stock: bool = False
    """Whether the response contains numbers of pieces, even from EXACT_STOCK_BELOW on."""
    request_bytes: int = 0
    """Of the request, which the queries refer to."""

    def add_products(self, products: Mapping[UUID, Fingerprints | None]) -> None:
        """Adds products, None for those that do not exist. One that has changed in between never counts as equal."""
        for product_id, fingerprints in products.items():
            earlier = self.products.setdefault(product_id, fingerprints)
            if earlier != fingerprints and not (earlier and fingerprints and earlier[:2] == fingerprints[:2]):
                self.products[product_id] = NEVER

    def add_version(self, what: str, version: int) -> None:
        """Adds the version of something beside the catalogue; of two the older one."""
        self.versions[what] = min(version, self.versions.get(what, version))

    def add(self, part: "CacheDependencies") -> None:
        """Adds those of a part of the response, apart from exact numbers of many pieces."""
        self.index_version = min(self.index_version, part.index_version)
        self.add_products(part.products)
        self.queries += part.queries
        for what, version in part.versions.items():
            self.add_version(what, version)
        self.shows_variants = self.shows_variants or part.shows_variants
        self.request_bytes += part.request_bytes

    def has_same_products(self, fingerprints: Mapping[UUID, Fingerprints]) -> bool:
        """Whether its products look the same by their present fingerprints."""
        part = "stock" if self.shows_stock else "page" if self.shows_variants else "list"
        return all(
            getattr(earlier, part, None) == getattr(fingerprints.get(product_id), part, None)
            for product_id, earlier in self.products.items()
        )

    @property
    def size(self) -> int:
        """Estimated bytes of memory."""
        return 2 * PRODUCT_BYTES * len(self.products) + QUERY_BYTES * len(self.queries) + self.request_bytes


CACHE_DEPENDENCIES: ContextVar[CacheDependencies | None] = ContextVar("CACHE_DEPENDENCIES", default=None)
"""Those of the response that is being made; None when it is not going to be cached."""
