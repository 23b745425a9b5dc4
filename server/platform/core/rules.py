"""Rules of the values that people enter. `problem` of each says what is wrong with a value; None when nothing is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from server.platform.core.text import text_problem


@dataclass(frozen=True)
class TextRule:
    """A text of limited length. `missing` is the message about an empty one; without it the text may be empty."""

    longest: int
    missing: str | None = None

    def problem(self, text: str) -> str | None:
        """By `text_problem`."""
        return text_problem(text, self.longest, self.missing)


@dataclass(frozen=True)
class NumberRule:
    """A whole number within bounds, both included."""

    least: int
    most: int
    own_message: str | None = None
    """Replaces the bounds and their unit as the message."""
    unit: str = ""
    is_optional: bool = False

    @property
    def bounds(self) -> str:
        """ "1 to 100"."""
        return f"{self.least:,} to {self.most:,}"

    @property
    def message(self) -> str:
        """About a number out of bounds."""
        return self.own_message or f"{self.bounds} {self.unit}".rstrip()

    def problem(self, number: int | None) -> str | None:
        """The message if the number breaks the rule."""
        is_valid = self.is_optional if number is None else self.least <= number <= self.most
        return None if is_valid else self.message


@dataclass(frozen=True)
class CheckedBy:
    """The rule that a function has."""

    problem: Callable[[Any], str | None]


@dataclass(frozen=True)
class OneOf:
    """A key of a fixed set. `noun` is what it is a key of; None passes."""

    noun: str
    keys: tuple[str, ...]

    def problem(self, key: str | None) -> str | None:
        """The message for an unknown key, which says which there are."""
        if key is None or key in self.keys:
            return None
        return f"There is no {self.noun} {key[:60]!r}: {', '.join(self.keys)}."


ANYTHING = CheckedBy(lambda _: None)
Rule = TextRule | NumberRule | OneOf | CheckedBy
