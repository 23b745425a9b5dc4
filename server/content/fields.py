"""Kinds of fields that blocks have: what each accepts, and how it is stored as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from server.content import markdown
from server.content.links import link_problem
from server.platform.core.declarations import Declaration, declarations
from server.platform.core.rules import NumberRule
from server.platform.core.text import camel_case, text_problem

Problems = Iterator[tuple[str, str]]
"""Places in the input, such as `blocks.0.heading`, each with a message."""


@dataclass(frozen=True, kw_only=True)
class Field(Declaration):
    """What a block declares of an attribute. Its description is that of the API's field."""

    control: ClassVar[str]
    """How it is entered in a form."""

    description: str
    label: str = ""
    """In forms; the name in words when empty."""

    def problems(self, value: Any, place: str) -> Problems:
        """What is wrong with a value."""
        problem = self.problem(value)
        if problem:
            yield place, problem

    def problem(self, value: Any) -> str | None:
        """What is wrong with a simple value; None when nothing is."""
        return None

    def to_json(self, value: Any) -> Any:
        """The value as it is stored."""
        return value

    def from_json(self, stored: Any) -> Any:
        """The value that is stored so."""
        return stored


@dataclass(frozen=True, kw_only=True)
class TextField(Field):
    """Plain text; empty is allowed without `missing`."""

    control: ClassVar[str] = "text"

    longest: int = 200
    missing: str | None = None

    def problem(self, value: Any) -> str | None:
        """By the rules of every text."""
        return text_problem(value, self.longest, self.missing)


@dataclass(frozen=True, kw_only=True)
class MarkdownField(TextField):
    """Text in Markdown."""

    control: ClassVar[str] = "markdown"

    longest: int = 20_000

    def problem(self, value: Any) -> str | None:
        """Of the text, or of a link in it."""
        return super().problem(value) or markdown.problem_of(value)


@dataclass(frozen=True, kw_only=True)
class CatalogKeyField(TextField):
    """Key of something in the catalogue, which is for the edge to look up; empty for all."""

    longest: int = 60


@dataclass(frozen=True, kw_only=True)
class DepartmentField(CatalogKeyField):
    """Key of a department."""

    control: ClassVar[str] = "department"


@dataclass(frozen=True, kw_only=True)
class ProductKindField(CatalogKeyField):
    """Key of a kind of clothing."""

    control: ClassVar[str] = "product_kind"


@dataclass(frozen=True, kw_only=True)
class LinkField(Field):
    """Where a button leads; empty for no button."""

    control: ClassVar[str] = "link"

    def problem(self, value: Any) -> str | None:
        """Of the address."""
        return link_problem(value) if value else None


@dataclass(frozen=True, kw_only=True)
class NumberField(Field):
    """A whole number."""

    control: ClassVar[str] = "number"

    rule: NumberRule

    def problem(self, value: Any) -> str | None:
        """By its bounds."""
        return self.rule.problem(value)


@dataclass(frozen=True, kw_only=True)
class FlagField(Field):
    """Yes or no."""

    control: ClassVar[str] = "flag"


@dataclass(frozen=True, kw_only=True)
class ChoiceField(Field):
    """One of a few keys, which are values of an enum of the API called `enum`."""

    control: ClassVar[str] = "choice"

    enum: str
    about: str
    """Describes the enum."""
    options: Mapping[str, str]
    """Descriptions by keys."""

    def problem(self, value: Any) -> str | None:
        """Of a key that there is not."""
        return None if value in self.options else f"One of {', '.join(self.options)}"


@dataclass(frozen=True)
class Picture:
    """An uploaded image, and what it shows in words; no words where it only decorates."""

    image_id: UUID
    alt: str = ""


@dataclass(frozen=True, kw_only=True)
class PictureField(Field):
    """A picture, or None."""

    control: ClassVar[str] = "picture"

    longest_alt: int = 200

    def problems(self, value: Picture | None, place: str) -> Problems:
        """Of its words. Whether the image exists is for the service to say, which asks the database once."""
        problem = text_problem(value.alt, self.longest_alt) if value else None
        if problem:
            yield f"{place}.alt", problem

    def to_json(self, value: Picture | None) -> Any:
        """Its id and words."""
        return None if value is None else {"imageId": str(value.image_id), "alt": value.alt}

    def from_json(self, stored: Any) -> Picture | None:
        """From its id and words."""
        return None if stored is None else Picture(UUID(stored["imageId"]), stored["alt"])


class Part:
    """A dataclass whose attributes are declared by fields."""

    def problems(self, place: str = "") -> Problems:
        """What is wrong with its values, each with its place in the input."""
        for each in fields_of(type(self)):
            yield from each.problems(getattr(self, each.name), f"{place}{camel_case(each.name)}")

    def to_json(self) -> dict[str, Any]:
        """Its values as they are stored."""
        return {each.name: each.to_json(getattr(self, each.name)) for each in fields_of(type(self))}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Any:
        """From stored values. What a version before has not written has its default."""
        return cls(**{each.name: each.from_json(stored[each.name]) for each in fields_of(cls) if each.name in stored})

    def pictures(self) -> Iterator[tuple[str, Picture]]:
        """Every picture in it, with its place in the input."""
        for each in fields_of(type(self)):
            value, place = getattr(self, each.name), camel_case(each.name)
            if isinstance(value, Picture):
                yield place, value
            elif isinstance(each, PartsField):
                for at, part in enumerate(value):
                    yield from ((f"{place}.{at}.{inner}", picture) for inner, picture in part.pictures())


@dataclass(frozen=True, kw_only=True)
class PartsField(Field):
    """Some parts of one kind, in order."""

    control: ClassVar[str] = "parts"

    of: type[Part]
    least: int = 1
    most: int

    def problems(self, value: Sequence[Part], place: str) -> Problems:
        """Of their number, and of each."""
        if not self.least <= len(value) <= self.most:
            yield place, f"{self.least} to {self.most}"
        for at, part in enumerate(value):
            yield from part.problems(f"{place}.{at}.")

    def to_json(self, value: Sequence[Part]) -> Any:
        """One after the other."""
        return [part.to_json() for part in value]

    def from_json(self, stored: Any) -> tuple[Part, ...]:
        """One after the other."""
        return tuple(self.of.from_json(each) for each in stored)


_FIELDS: dict[type[Part], tuple[Field, ...]] = {}


def fields_of(kind: type[Part]) -> tuple[Field, ...]:
    """The fields of a block or a part of one, in their order."""
    if kind not in _FIELDS:
        _FIELDS[kind] = declarations(kind, Field)
    return _FIELDS[kind]
