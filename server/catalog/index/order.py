"""Rows sorted by a key and their id, from which any page of any selection can be taken."""

from array import array
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from itertools import chain

from pyroaring import BitMap

BLOCK = 2_048
"""Rows in a block; a block of twice as many is split."""
GROUP = 32
"""Blocks that are skipped together where none of them has a selected row."""
FEW = 8
"""New rows are inserted where there are so many times as many others, else everything is sorted again."""
DENSE = 16
"""Blocks with more than one selected row in this many are scanned; in others the selected rows are sorted."""


Place = tuple[int, bytes]
"""A row's sort key and id; no two rows have the same."""


class _Block:
    __slots__ = ("members", "rows")

    def __init__(self, rows: Sequence[int]) -> None:
        self.rows = array("I", rows)
        self.members = BitMap(rows)


class SortOrder:
    """Blocks of rows, each with a bitmap of its members, as has each group of blocks, so that many are skipped at once.

    A page costs about the same wherever it begins and however few rows are selected.
    """

    def __init__(self, ids: Sequence[bytes]) -> None:
        """`ids` has the id of every row that is put here, by its number."""
        self._ids = ids
        self._values = array("q")
        self._blocks: list[_Block] = []
        self._unsorted: list[int] = []
        """Rows that were put here and are in no block yet."""
        self._groups: list[BitMap] = []
        """Members of each group of blocks, since the blocks have last changed; empty until they are needed."""

    def place(self, row: int) -> Place:
        """The place of a row that is in the order."""
        return self._values[row], self._ids[row]

    def put(self, row: int, value: int) -> None:
        """Adds a row that is not in the order. It is sorted in when it is needed."""
        if row >= len(self._values):
            self._values.extend([0] * (row + 1 - len(self._values)))
        self._values[row] = value
        self._unsorted.append(row)

    def sort(self) -> None:
        """Sorts what was put here since the last time; otherwise the next reader does."""
        if not self._unsorted:
            return
        rows, self._unsorted = self._unsorted, []
        self._groups.clear()
        if FEW * len(rows) <= sum(len(block.rows) for block in self._blocks):
            for row in rows:
                self._insert(row)
        else:
            rows += chain.from_iterable(block.rows for block in self._blocks)
            # Twice by functions of C takes an eighth of the time that once by place() takes.
            rows.sort(key=self._ids.__getitem__)
            rows.sort(key=self._values.__getitem__)
            self._blocks = [_Block(rows[start : start + BLOCK]) for start in range(0, len(rows), BLOCK)]

    def _insert(self, row: int) -> None:
        if not self._blocks:
            self._blocks.append(_Block([row]))
            return
        at = min(self._block_of(self.place(row)), len(self._blocks) - 1)
        block = self._blocks[at]
        insort(block.rows, row, key=self.place)
        block.members.add(row)
        if len(block.rows) >= 2 * BLOCK:
            self._blocks[at : at + 1] = [_Block(block.rows[:BLOCK]), _Block(block.rows[BLOCK:])]

    def discard(self, row: int) -> None:
        """Removes a row that is in the order."""
        self.sort()
        self._groups.clear()
        at = self._block_of(self.place(row))
        block = self._blocks[at]
        del block.rows[bisect_left(block.rows, self.place(row), key=self.place)]
        block.members.discard(row)
        if not block.rows:
            del self._blocks[at]

    def ascending(self, selected: BitMap, after: Place | None = None) -> Iterator[int]:
        """The selected rows in ascending order, from behind a place."""
        self.sort()
        start = 0 if after is None else self._block_of(after)
        for at in self._holding(selected, range(start, len(self._blocks))):
            for row in self._of_block(self._blocks[at], selected):
                if after is None or at > start or self.place(row) > after:
                    yield row

    def descending(self, selected: BitMap, before: Place | None = None) -> Iterator[int]:
        """The selected rows in descending order, from before a place."""
        self.sort()
        start = len(self._blocks) - 1 if before is None else min(self._block_of(before), len(self._blocks) - 1)
        for at in self._holding(selected, range(start, -1, -1)):
            for row in self._of_block(self._blocks[at], selected, reverse=True):
                if before is None or at < start or self.place(row) < before:
                    yield row

    def between(self, lowest: int | None, highest: int | None) -> BitMap:
        """The rows whose key is in the range, bounds included."""
        self.sort()
        first, start = (0, 0) if lowest is None else self._first_from((lowest, b""))
        last, end = (len(self._blocks), 0) if highest is None else self._first_from((highest + 1, b""))
        if first >= last:
            return BitMap(self._blocks[first].rows[start:end]) if first == last and start < end else BitMap()
        edges = []
        if start:
            edges.append(BitMap(self._blocks[first].rows[start:]))
            first += 1
        if end:
            edges.append(BitMap(self._blocks[last].rows[:end]))
        return BitMap.union(BitMap(), *edges, *self._members(first, last))

    def _first_from(self, place: Place) -> tuple[int, int]:
        """The block of the first row that is not before the place, and where in it that row is."""
        at = self._block_of(place)
        if at == len(self._blocks):
            return at, 0
        return at, bisect_left(self._blocks[at].rows, place, key=self.place)

    def _holding(self, selected: BitMap, places: range) -> Iterator[int]:
        """The blocks at these places, without those of groups that have no selected row."""
        if len(self._blocks) <= GROUP:
            yield from places
            return
        groups, looked_at, is_held = self._grouped(), -1, False
        for at in places:
            if at // GROUP != looked_at:
                looked_at = at // GROUP
                is_held = groups[looked_at].intersect(selected)
            if is_held:
                yield at

    def _members(self, start: int, end: int) -> Iterator[BitMap]:
        """Bitmaps that have together the rows of the blocks from `start` to before `end`."""
        while start < end:
            if start % GROUP or start + GROUP > end:
                yield self._blocks[start].members
                start += 1
            else:
                yield self._grouped()[start // GROUP]
                start += GROUP

    def _grouped(self) -> list[BitMap]:
        if not self._groups:
            for start in range(0, len(self._blocks), GROUP):
                members = (block.members for block in self._blocks[start : start + GROUP])
                self._groups.append(BitMap.union(BitMap(), *members))
        return self._groups

    def _of_block(self, block: _Block, selected: BitMap, *, reverse: bool = False) -> Iterator[int]:
        count = block.members.intersection_cardinality(selected)
        if not count:
            return iter(())
        if count * DENSE < len(block.rows):
            return iter(sorted(block.members & selected, key=self.place, reverse=reverse))
        rows = reversed(block.rows) if reverse else iter(block.rows)
        return (row for row in rows if row in selected)

    def _block_of(self, place: Place) -> int:
        """The first block whose last row is not before the place."""
        return bisect_left(self._blocks, place, key=lambda block: self.place(block.rows[-1]))
