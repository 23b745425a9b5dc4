"""What a cached response shows of the catalogue, noted while it is made, so that it can be held against the present."""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from server.catalog.contents import Marks
from server.catalog.index.index import CatalogIndex

Question = Callable[[CatalogIndex], Any]

PRODUCT_BYTES = 400
QUESTION_BYTES = 2_000
"""Estimated bytes of a product's marks or its place in a list, and of a question with its answer beside products."""


NEVER = Marks(-1, -1, -1)
"""Marks that no product has: -1 is no hash."""


@dataclass
class Shown:
    """Products with their marks, questions to the index with their answers, and whether the shop's settings are shown.

    `since` is the moment, by `monotonic`, at which all of it was known to be true.
    """

    since: float
    index_version: int
    """The index answered all questions alike in this version."""
    products: dict[UUID, Marks | None] = field(default_factory=dict)
    questions: list[tuple[Question, object]] = field(default_factory=list)
    shop_version: int | None = None
    """Of the settings that it shows; None when it shows none."""
    asks_variants: bool = False
    asks_stock: bool = False
    """Whether it tells how many pieces there are, even of many."""
    asked_bytes: int = 0
    """Of what was asked, which the questions hold on to."""

    def note(self, products: Mapping[UUID, Marks | None]) -> None:
        """Notes products, None for those that do not exist. One that has changed in between is right in no case."""
        for product_id, marks in products.items():
            was = self.products.setdefault(product_id, marks)
            if was != marks and not (was and marks and was[:2] == marks[:2]):
                self.products[product_id] = NEVER

    def add(self, other: "Shown") -> None:
        """Notes what a part of the response shows, apart from exact numbers of many pieces."""
        self.index_version = min(self.index_version, other.index_version)
        self.note(other.products)
        self.questions += other.questions
        versions = [each for each in (self.shop_version, other.shop_version) if each is not None]
        self.shop_version = min(versions, default=None)
        self.asks_variants = self.asks_variants or other.asks_variants
        self.asked_bytes += other.asked_bytes

    def is_seen_in(self, marks: Mapping[UUID, Marks]) -> bool:
        """Whether its products look the same by the marks of now."""
        part = "exact" if self.asks_stock else "whole" if self.asks_variants else "card"
        return all(
            getattr(was, part, None) == getattr(marks.get(product_id), part, None)
            for product_id, was in self.products.items()
        )

    @property
    def size(self) -> int:
        """Estimated bytes of memory."""
        return 2 * PRODUCT_BYTES * len(self.products) + QUESTION_BYTES * len(self.questions) + self.asked_bytes


SHOWN: ContextVar[Shown | None] = ContextVar("SHOWN", default=None)
"""What the response that is being made shows; None when it is not going to be cached."""
