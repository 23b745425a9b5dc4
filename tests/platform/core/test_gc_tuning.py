"""Garbage collection of a server: on a timer, and not over objects of the start."""

import gc
import weakref
from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest

from server.platform.core import gc_tuning, memory
from server.platform.core.jobs import JobEnvironment

NO_ENV = cast(JobEnvironment, None)


class Knot:
    """Refers to itself, so that only a look for garbage finds it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    thresholds = gc.get_threshold()
    gc.unfreeze()
    monkeypatch.setattr(gc_tuning, "_is_frozen", False)
    monkeypatch.setattr(gc_tuning, "_collections", 0)
    gc.disable()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    gc.enable()


async def test_a_process_that_has_not_settled_is_left_alone() -> None:
    lost = weakref.ref(Knot())

    await gc_tuning.collect(NO_ENV)

    assert lost() is not None
    assert gc.get_freeze_count() == 0


async def test_what_was_made_since_is_found_and_what_is_still_used_stays_for_good() -> None:
    gc_tuning.freeze_startup_objects()
    lost, knots = weakref.ref(Knot()), [Knot() for _ in range(100)]

    await gc_tuning.collect(NO_ENV)

    assert lost() is None
    looked_through = {id(each) for each in gc.get_objects()}
    assert looked_through.isdisjoint(map(id, knots))


async def test_after_the_first_looks_nothing_more_stays_for_good() -> None:
    gc_tuning.freeze_startup_objects()
    for _ in range(gc_tuning.FREEZING_COLLECTIONS):
        await gc_tuning.collect(NO_ENV)
    knots = [Knot() for _ in range(100)]

    await gc_tuning.collect(NO_ENV)

    looked_through = {id(each) for each in gc.get_objects()}
    assert looked_through.issuperset(map(id, knots))


async def test_what_a_part_has_made_for_good_is_not_looked_through() -> None:
    knots = [Knot() for _ in range(100)]
    gc_tuning.freeze()
    assert gc.get_freeze_count() == 0, "a process that has not settled is left alone"
    gc_tuning.freeze_startup_objects()
    knots += [Knot() for _ in range(100)]

    gc_tuning.freeze()

    assert {id(each) for each in gc.get_objects()}.isdisjoint(map(id, knots))


async def test_what_is_free_goes_back_to_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    trimmed: list[int] = []
    monkeypatch.setattr(gc_tuning, "_is_frozen", True)
    monkeypatch.setattr(memory, "_LIBRARY", SimpleNamespace(malloc_trim=trimmed.append))

    await gc_tuning.collect(NO_ENV)

    assert trimmed == [0]
