"""Bitmaps of rows by key (an inverted index), and the words among the keys in alphabetical order."""

from array import array
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from pyroaring import BitMap

WHOLE = 0
"""The slot of keys of a product as a whole; its colors have the slots from 1 on."""
WORDS = frozenset({"name", "text", "color", "shade"})
"""Fields whose values are words."""
MAX_GROUPS = 1_024


class Key(NamedTuple):
    """An attribute of a product, or of its color in that slot: `Key("stock", 2, "M")`."""

    field: str
    slot: int
    value: str


class KeyGroup:
    """Keys that many rows have together. Two groups are never equal, so that looking one up costs nothing."""

    __slots__ = ("keys",)

    def __init__(self, keys: Iterable[Key]) -> None:
        self.keys = tuple(keys)


class Postings:
    """Which rows have which key.

    A row's keys are stored as numbers, so that a change touches only the bitmaps of added and removed keys.
    """

    def __init__(self) -> None:
        self.words: list[str] = []
        """Every word that a row has, sorted."""
        self.slots = 0
        """The largest number of colors of any row so far."""
        self._numbers: dict[Key, int] = {}
        self._keys: list[Key | None] = []
        self._rows: list[BitMap] = []
        """By the number of the key."""
        self._free: list[int] = []
        self._of_row: dict[int, array[int]] = {}
        self._fields_of_word: dict[str, int] = {}
        self._of_length: dict[int, dict[str, None]] = {}
        """The words that begin with a letter, by their length."""
        self._groups: dict[KeyGroup, frozenset[int]] = {}
        """The numbers of groups, as long as no number is taken back."""

    @property
    def keys(self) -> int:
        """How many different keys there are."""
        return len(self._numbers)

    def rows(self, field: str, slot: int, value: str) -> BitMap:
        """The rows with the key; must not be modified."""
        number = self._numbers.get(Key(field, slot, value))
        return _NONE if number is None else self._rows[number]

    def union(self, field: str, slot: int, values: Iterable[str]) -> BitMap:
        """The rows that have one of the values; must not be modified."""
        return union_of(self.each(field, slot, values))

    def each(self, field: str, slot: int, values: Iterable[str]) -> list[BitMap]:
        """The rows of each value that any row has; must not be modified."""
        numbers = [number for each in values if (number := self._numbers.get(Key(field, slot, each))) is not None]
        return [self._rows[number] for number in numbers]

    def __contains__(self, word: str) -> bool:
        return word in self._fields_of_word

    def beginning_with(self, start: str) -> list[str]:
        """The words with this prefix, the word itself included."""
        first = bisect_left(self.words, start)
        return self.words[first : bisect_left(self.words, start + "\U0010ffff", first)]

    def about_as_long(self, word: str, difference: int) -> Iterator[str]:
        """The words that begin with a letter and have at most so many characters more or less."""
        lengths = range(len(word) - difference, len(word) + difference + 1)
        return chain.from_iterable(self._of_length.get(length, ()) for length in lengths)

    def put(self, row: int, keys: Iterable[Key], groups: Iterable[KeyGroup] = ()) -> None:
        """Replaces the keys of a row. Those of a group are looked up once for all rows that have it."""
        number_of = self._numbers
        numbers = {number_of[key] if key in number_of else self._new(key) for key in keys}
        numbers.update(*map(self._of_group, groups))
        before = self._of_row.pop(row, ())
        for number in numbers.difference(before) if before else numbers:
            self._rows[number].add(row)
        for number in set(before) - numbers:
            self._discard(row, number)
        if numbers:
            self._of_row[row] = array("I", numbers)

    def _of_group(self, group: KeyGroup) -> frozenset[int]:
        numbers = self._groups.get(group)
        if numbers is None:
            if len(self._groups) >= MAX_GROUPS:
                self._groups.clear()
            number_of = self._numbers
            numbers = frozenset(number_of[key] if key in number_of else self._new(key) for key in group.keys)
            self._groups[group] = numbers
        return numbers

    def _discard(self, row: int, number: int) -> None:
        rows = self._rows[number]
        rows.discard(row)
        if rows:
            return
        key = self._keys[number]
        assert key is not None  # noqa: S101 - a number in use has its key
        del self._numbers[key]
        self._keys[number] = None
        self._free.append(number)
        self._groups.clear()
        if key.field in WORDS:
            self._forget(key.value)

    def _new(self, key: Key) -> int:
        """The number of a key that no row has yet."""
        if self._free:
            number = self._free.pop()
            self._keys[number] = key
        else:
            number = len(self._keys)
            self._keys.append(key)
            self._rows.append(BitMap())
        self._numbers[key] = number
        self.slots = max(self.slots, key.slot)
        if key.field in WORDS:
            self._know(key.value)
        return number

    def _know(self, word: str) -> None:
        fields = self._fields_of_word.get(word, 0)
        self._fields_of_word[word] = fields + 1
        if not fields:
            insort(self.words, word)
            if word[:1].isalpha():
                self._of_length.setdefault(len(word), {})[word] = None

    def _forget(self, word: str) -> None:
        self._fields_of_word[word] -= 1
        if not self._fields_of_word[word]:
            del self._fields_of_word[word]
            del self.words[bisect_left(self.words, word)]
            self._of_length.get(len(word), {}).pop(word, None)


def union_of(bitmaps: Iterable[BitMap]) -> BitMap:
    """The rows of any of them. One that is alone is not copied, so the result must not be modified."""
    some = [each for each in bitmaps if each]
    return some[0] if len(some) == 1 else BitMap.union(*some) if some else _NONE


_NONE = BitMap()
