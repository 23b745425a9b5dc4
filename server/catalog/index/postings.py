"""Bitmaps of rows by key (an inverted index), and the words among the keys in alphabetical order."""

from array import array
from bisect import bisect_left, insort
from collections.abc import Iterable
from typing import NamedTuple

from pyroaring import BitMap

WHOLE = 0
"""The slot of keys of a product as a whole; its colors have the slots from 1 on."""
WORDS = frozenset({"name", "text", "color", "shade"})
"""Fields whose values are words."""


class Key(NamedTuple):
    """An attribute of a product, or of its color in that slot: `Key("stock", 2, "M")`."""

    field: str
    slot: int
    value: str


class Postings:
    """Which rows have which key.

    A row's keys are stored as numbers, so that a change touches only the bitmaps of added and removed keys.
    """

    def __init__(self) -> None:
        self.words: list[str] = []
        """Every word that a row has, sorted."""
        self.slots = 0
        """The largest number of colors of any row so far."""
        self._rows: dict[Key, BitMap] = {}
        self._numbers: dict[Key, int] = {}
        self._keys: list[Key | None] = []
        self._free: list[int] = []
        self._of_row: dict[int, array[int]] = {}
        self._fields_of_word: dict[str, int] = {}

    @property
    def keys(self) -> int:
        """How many different keys there are."""
        return len(self._rows)

    def rows(self, field: str, slot: int, value: str) -> BitMap:
        """The rows with the key; must not be modified."""
        return self._rows.get(Key(field, slot, value), _NONE)

    def union(self, field: str, slot: int, values: Iterable[str]) -> BitMap:
        """The rows that have one of the values."""
        found = [rows for value in values if (rows := self._rows.get(Key(field, slot, value))) is not None]
        return found[0] if len(found) == 1 else BitMap.union(*found) if found else _NONE

    def __contains__(self, word: str) -> bool:
        return word in self._fields_of_word

    def beginning_with(self, start: str) -> list[str]:
        """The words with this prefix, the word itself included."""
        first = bisect_left(self.words, start)
        return self.words[first : bisect_left(self.words, start + "\U0010ffff", first)]

    def put(self, row: int, keys: set[Key]) -> None:
        """Replaces the keys of a row."""
        before = {self._key(number) for number in self._of_row.get(row, ())}
        for key in before - keys:
            self._discard(row, key)
        for key in keys - before:
            self._add(row, key)
        if keys:
            self._of_row[row] = array("I", sorted(self._numbers[key] for key in keys))
        else:
            self._of_row.pop(row, None)

    def _key(self, number: int) -> Key:
        key = self._keys[number]
        assert key is not None  # noqa: S101 - a number in use has its key
        return key

    def _add(self, row: int, key: Key) -> None:
        rows = self._rows.get(key)
        if rows is None:
            rows = self._rows[key] = BitMap()
            self._number(key)
            self.slots = max(self.slots, key.slot)
            if key.field in WORDS:
                self._know(key.value)
        rows.add(row)

    def _discard(self, row: int, key: Key) -> None:
        rows = self._rows[key]
        rows.discard(row)
        if not rows:
            del self._rows[key]
            number = self._numbers.pop(key)
            self._keys[number] = None
            self._free.append(number)
            if key.field in WORDS:
                self._forget(key.value)

    def _number(self, key: Key) -> None:
        if self._free:
            number = self._free.pop()
            self._keys[number] = key
        else:
            number = len(self._keys)
            self._keys.append(key)
        self._numbers[key] = number

    def _know(self, word: str) -> None:
        fields = self._fields_of_word.get(word, 0)
        self._fields_of_word[word] = fields + 1
        if not fields:
            insort(self.words, word)

    def _forget(self, word: str) -> None:
        self._fields_of_word[word] -= 1
        if not self._fields_of_word[word]:
            del self._fields_of_word[word]
            del self.words[bisect_left(self.words, word)]


_NONE = BitMap()
