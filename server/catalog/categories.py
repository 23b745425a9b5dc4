"""What the shop sells, for whom: departments, kinds and categories, as the owner has arranged them.

They are rows (`category_models.py`). Everything that lists categories reads these values, which each web process keeps
in memory with the index.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from server.catalog.sizes import FRESH, SizeChoices, SizeSystem
from server.media.service import ImageRow
from server.platform.core.rules import OneOf

SALE = ("sale", "sales")
"""In place of a department: what is discounted now."""


SIZE_COLUMNS = 5
"""Values of a size system's row, the arguments of `SizeSystem.of`."""


class DepartmentFacts(NamedTuple):
    """Whom garments are cut for. `slug` is its part of an address."""

    key: str
    name: str
    heading: str
    slug: str
    is_hidden: bool
    version: int
    gender: str | None = None
    """Of those who wear its garments, as product feeds have it; None for anyone."""
    age_group: str = "adult"

    @property
    def path(self) -> str:
        """Of its page."""
        return f"/category/{self.slug}"

    @property
    def shown_path(self) -> str:
        """Where shoppers find it: the front page while it is hidden."""
        return "/" if self.is_hidden else self.path


class KindFacts(NamedTuple):
    """A kind of clothing."""

    key: str
    name: str


class CategoryFacts(NamedTuple):
    """A kind in a department. `points` are where its garments are measured, in the order of the table."""

    key: str
    name: str
    own_heading: str | None
    slug: str
    points: tuple[str, ...]
    is_marked_hidden: bool
    version: int
    department: DepartmentFacts
    kind: KindFacts
    size_system: SizeSystem = FRESH

    @property
    def heading(self) -> str:
        """Above its page; its department's unless it has its own."""
        return self.own_heading or self.department.heading

    @property
    def path(self) -> str:
        """Of its page."""
        return f"{self.department.path}/{self.slug}"

    @property
    def is_hidden(self) -> bool:
        """Whether it is in no menu and has no page: its department may be hidden as a whole."""
        return self.is_marked_hidden or self.department.is_hidden

    @property
    def shown_path(self) -> str:
        """Where shoppers find it: its department's page while it is hidden."""
        return self.department.shown_path if self.is_hidden else self.path

    @classmethod
    def of(cls, values: Sequence[Any]) -> "CategoryFacts":
        """From the values of its own columns, its department's, its kind's and its size system's, in this order."""
        own = values[: len(cls._fields) - 3]
        others, system = values[len(own) : -SIZE_COLUMNS], values[-SIZE_COLUMNS:]
        key, name, heading, slug, points, *rest = own
        department, kind = others[: len(DepartmentFacts._fields)], others[len(DepartmentFacts._fields) :]
        whom, what = DepartmentFacts._make(department), KindFacts._make(kind)
        return cls._make([key, name, heading, slug, tuple(points), *rest, whom, what, SizeSystem.of(*system)])


class CategoryPage(NamedTuple):
    """What the page of a category shows beside its products. Rows of products are read without it."""

    description: str = ""
    image: ImageRow | None = None


PLAIN_PAGE = CategoryPage()


@dataclass(frozen=True)
class Categories:
    """All categories and departments in the order of the menu, hidden ones included."""

    rows: tuple[CategoryFacts, ...] = ()
    departments: tuple[DepartmentFacts, ...] = ()
    pages: Mapping[str, CategoryPage] = field(default_factory=dict)
    """By the keys of categories that have words or a picture."""

    @cached_property
    def by_key(self) -> dict[str, CategoryFacts]:
        """Categories by their keys."""
        return {each.key: each for each in self.rows}

    @cached_property
    def shown(self) -> tuple[CategoryFacts, ...]:
        """Those that shoppers see."""
        return tuple(each for each in self.rows if not each.is_hidden)

    @cached_property
    def shown_departments(self) -> tuple[DepartmentFacts, ...]:
        """Departments of the categories that shoppers see."""
        return tuple(dict.fromkeys(each.department for each in self.shown))

    @cached_property
    def kind_keys(self) -> tuple[str, ...]:
        """Keys of the kinds, each once."""
        return tuple(dict.fromkeys(each.kind.key for each in self.rows))

    @cached_property
    def kind_words(self) -> dict[str, str]:
        """What shoppers call the kinds that they see, by keys."""
        return {each.kind.key: each.kind.name.lower() for each in self.shown}

    @cached_property
    def department_rule(self) -> OneOf:
        """Holds for keys of departments."""
        return OneOf("department", tuple(each.key for each in self.departments))

    @cached_property
    def kind_rule(self) -> OneOf:
        """Holds for keys of kinds."""
        return OneOf("kind", self.kind_keys)

    @cached_property
    def rule(self) -> OneOf:
        """Holds for keys of categories."""
        return OneOf("category", tuple(self.by_key))

    @cached_property
    def size_systems(self) -> tuple[SizeSystem, ...]:
        """Systems of the sizes that products are made in, in the order of the menu."""
        return tuple({each.size_system.key: each.size_system for each in self.rows}.values()) or (FRESH,)

    @cached_property
    def size_choices(self) -> SizeChoices:
        """What a filter by size can be narrowed to."""
        return SizeChoices(self.size_systems)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Of all category pages that shoppers see, those of the sale included."""
        departments = self.shown_departments
        return (
            *(each.path for each in departments),
            "/category/sale",
            *(each.path for each in self.shown),
            *(f"/category/sale/{each.slug}" for each in departments),
        )

    def page_of(self, category: str) -> CategoryPage:
        """The words and the picture of a category; none for an unknown one."""
        return self.pages.get(category, PLAIN_PAGE)

    def kinds_of(self, department: str) -> list[str]:
        """Keys of the kinds in a department; none for an unknown one."""
        return [each.kind.key for each in self.rows if each.department.key == department]

    def sizes_of(self, category: str) -> SizeSystem:
        """What products of a category are made in; a fresh shop's sizes for an unknown one."""
        facts = self.by_key.get(category)
        return facts.size_system if facts else FRESH

    def points_of(self, category: str) -> tuple[str, ...]:
        """Where garments of a category are measured; nowhere for an unknown one."""
        facts = self.by_key.get(category)
        return facts.points if facts else ()
