"""Systems of sizes: what a category's products are made in, from small to large, along one axis or two.

They are rows (`category_models.SizeSystem`), which categories name. A size is known by its name within its system; a
filter, which may span systems, names it by a key.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, NamedTuple

import orjson

from server.platform.core.rules import OneOf

LETTERS, LETTER_SIZES = "letters", ("XS", "S", "M", "L", "XL", "XXL")
"""The system that a fresh shop has. The keys of its sizes are their names, which links and programs have."""
BETWEEN_AXES = " "
BEHIND_SYSTEM = ":"
"""Between the parts of a key: `shoes:38`."""


class SizeLabel(NamedTuple):
    """What a size is called in another market: 5 in the UK."""

    market: str
    name: str


class SizeValue(NamedTuple):
    """A value of an axis, with its names in other markets."""

    name: str
    labels: tuple[SizeLabel, ...] = ()


class SizeAxis(NamedTuple):
    """What is chosen at once: a size, or a waist beside a length. Values are in their order."""

    name: str
    values: tuple[SizeValue, ...]


class SizeChoice(NamedTuple):
    """What a filter can be narrowed to: a size, or in a system of two axes a value of one."""

    key: str
    name: str
    group: str
    """The axis, or the system of one axis."""


@dataclass(frozen=True, repr=False)
class SizeSystem:
    """`market` is the one whose names the sizes have: EU; empty when they are called so everywhere."""

    key: str
    name: str
    market: str
    axes: tuple[SizeAxis, ...]
    version: int

    def __repr__(self) -> str:
        """Short, as products are compared and measured by what they are written as."""
        return f"SizeSystem({self.key} {self.version})"

    @cached_property
    def sizes(self) -> tuple[str, ...]:
        """Names of all sizes in order; of two axes each value with each: W30 L32."""
        return names_of(self.axes)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {size: place for place, size in enumerate(self.sizes)}

    @cached_property
    def _by_folded_name(self) -> dict[str, str]:
        return {size.casefold(): size for size in self.sizes}

    def place(self, size: str) -> int:
        """For sorting; a size that the system no longer has comes last."""
        return self._places.get(size, len(self._places))

    def in_order(self, sizes: Iterable[str]) -> list[str]:
        """Each of these sizes once, from small to large."""
        return sorted(dict.fromkeys(sizes), key=self.place)

    def named(self, text: str) -> str | None:
        """The size that a text means, whatever the case of its letters."""
        return self._by_folded_name.get(" ".join(text.split()).casefold())

    def problem(self, sizes: Iterable[str]) -> str | None:
        """The message about sizes that the system does not have."""
        return None if self._places.keys() >= set(sizes) else f"Sizes are {', '.join(self.sizes)}"

    def key_of(self, name: str) -> str:
        """What filters know a size by, or a value of an axis."""
        return key_in(self.key, name)

    @staticmethod
    @lru_cache(maxsize=64)
    def of(key: str, name: str, market: str, axes: str, version: int) -> "SizeSystem":
        """From a row, whose axes are JSON. Remembered, since products of a category share it."""
        return SizeSystem(key, name, market, axes_of(orjson.loads(axes)), version)


def key_in(system: str, name: str) -> str:
    """What filters know a size of a system by, or a value of an axis."""
    return name if system == LETTERS and name in LETTER_SIZES else f"{system}{BEHIND_SYSTEM}{name}"


def names_of(axes: Sequence[SizeAxis]) -> tuple[str, ...]:
    """Names of all sizes in order."""
    return tuple(
        BETWEEN_AXES.join(value.name for value in values) for values in product(*(axis.values for axis in axes))
    )


def axes_of(stored: Sequence[Mapping[str, Any]]) -> tuple[SizeAxis, ...]:
    """From JSON as stored."""
    return tuple(
        SizeAxis(
            axis["name"],
            tuple(
                SizeValue(value["name"], tuple(SizeLabel(*label) for label in value["labels"]))
                for value in axis["values"]
            ),
        )
        for axis in stored
    )


def stored_axes(axes: Sequence[SizeAxis]) -> list[dict[str, Any]]:
    """As JSON that the column stores."""
    return [
        {
            "name": axis.name,
            "values": [
                {"name": value.name, "labels": [list(label) for label in value.labels]} for value in axis.values
            ],
        }
        for axis in axes
    ]


FRESH = SizeSystem(LETTERS, "Letters", "", (SizeAxis("Size", tuple(map(SizeValue, LETTER_SIZES))),), 1)
"""The system that a fresh shop has."""


@dataclass(frozen=True)
class SizeChoices:
    """What a filter by size can be narrowed to, in systems in their order."""

    systems: tuple[SizeSystem, ...]

    @cached_property
    def all(self) -> tuple[SizeChoice, ...]:
        """In the order of systems, axes and values."""
        return tuple(choice for choice, *_ in self._choices())

    def _choices(self) -> Iterator[tuple[SizeChoice, SizeSystem, int]]:
        for system in self.systems:
            for at, axis in enumerate(system.axes):
                group = system.name if len(system.axes) == 1 else axis.name
                for value in axis.values:
                    yield SizeChoice(system.key_of(value.name), value.name, group), system, at

    @cached_property
    def _by_key(self) -> dict[str, tuple[SizeSystem, int, str]]:
        return {choice.key: (system, at, choice.name) for choice, system, at in self._choices()}

    @cached_property
    def _keys_by_name(self) -> dict[str, tuple[str, ...]]:
        """Of values of axes and whole sizes, of which several systems may have one of a name."""
        keys: dict[str, tuple[str, ...]] = {}
        for system in self.systems:
            for name in dict.fromkeys([value.name for axis in system.axes for value in axis.values] + [*system.sizes]):
                keys[name] = (*keys.get(name, ()), system.key_of(name))
        return keys

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all sizes, each once."""
        return tuple(dict.fromkeys(size for system in self.systems for size in system.sizes))

    def named(self, text: str) -> str | None:
        """The size that a text means in the first system that has it, whatever the case of its letters."""
        return next((size for system in self.systems if (size := system.named(text))), None)

    @cached_property
    def rule(self) -> OneOf:
        """Holds for names of sizes."""
        return OneOf("size", self.names)

    def keys_of(self, text: str) -> tuple[str, ...]:
        """The keys that a key or the name of a size means; none for an unknown one."""
        if text in self._by_key:
            return (text,)
        if BEHIND_SYSTEM in text:
            return (text,) if any(text in map(system.key_of, system.sizes) for system in self.systems) else ()
        return self._keys_by_name.get(text, ())

    def made_in(self, chosen: Sequence[str]) -> tuple[str, ...]:
        """Keys of the sizes that match any of the chosen keys; of two axes of one system both have to match."""
        sizes: dict[str, None] = {}
        by_system: dict[str, list[list[str]]] = {}
        for key in chosen:
            place = self._by_key.get(key)
            if place is None or len(place[0].axes) == 1:
                sizes[key] = None
                continue
            system, at, name = place
            by_system.setdefault(system.key, [[] for _ in system.axes])[at].append(name)
        for system in self.systems:
            if names := by_system.get(system.key):
                every = [[value.name for value in axis.values] for axis in system.axes]
                values = [own or some for own, some in zip(names, every, strict=True)]
                sizes |= dict.fromkeys(system.key_of(BETWEEN_AXES.join(each)) for each in product(*values))
        return tuple(sizes)

    def made_in_instead(self, chosen: Sequence[str], key: str) -> tuple[str, ...]:
        """As `made_in`, with this choice in place of the chosen ones but those along the other axis of its system."""
        system, at, _ = self._by_key[key]
        if len(system.axes) == 1:
            return (key,)
        places = [(each, self._by_key[each]) for each in chosen if each in self._by_key]
        others = [each for each, (own, axis, _) in places if own.key == system.key and axis != at]
        return self.made_in([key, *others])
