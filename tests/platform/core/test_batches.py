"""Long work on the event loop lets other tasks run between its batches."""

import asyncio

from server.platform.core.batches import slices


async def test_every_item_comes_once_and_in_order() -> None:
    parts = [list(part) async for part in slices(range(7), 3)]

    assert parts == [[0, 1, 2], [3, 4, 5], [6]]


async def test_nothing_has_no_slices() -> None:
    nothing: list[int] = []

    parts = [part async for part in slices(nothing, 3)]

    assert parts == []


async def test_others_have_a_turn_between_two_slices() -> None:
    order: list[str] = []

    async def long_work() -> None:
        async for part in slices("abcd", 2):
            order.append(str(part))

    async def somebody_else() -> None:
        order.append("else")

    await asyncio.gather(long_work(), somebody_else())

    assert order == ["ab", "else", "cd"]
