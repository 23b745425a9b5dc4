"""Size systems of tests: shoes with names in three markets, jeans by waist and length, and random ones."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from sqlalchemy import insert, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import category_models
from server.catalog.sizes import FRESH, SizeAxis, SizeLabel, SizeSystem, SizeValue, stored_axes

EU = tuple(str(size) for size in range(36, 47))
WAISTS, LENGTHS = ("W28", "W30", "W32"), ("L30", "L32")


def system(key: str, *axes: tuple[str, Sequence[SizeValue]], market: str = "", name: str = "") -> SizeSystem:
    return SizeSystem(
        key, name or key.capitalize(), market, tuple(SizeAxis(title, tuple(values)) for title, values in axes), 1
    )


def shoe(size: str) -> SizeValue:
    """With the names of the usual table: EU 38 is UK 5 and US 7.5."""
    uk = int(size) - 33
    return SizeValue(size, (SizeLabel("UK", str(uk)), SizeLabel("US", f"{uk + 2}.5")))


SHOES = system("shoes", ("Size", [shoe(size) for size in EU]), market="EU")
JEANS = system("jeans", ("Waist", [*map(SizeValue, WAISTS)]), ("Length", [*map(SizeValue, LENGTHS)]))
ONE_SIZE = system("one-size", ("Size", [SizeValue("One size")]), name="One size")


def as_input(of: SizeSystem) -> dict[str, Any]:
    """What the API takes."""
    return {
        "name": of.name,
        "market": of.market,
        "axes": [
            {
                "name": axis.name,
                "values": [
                    {"name": value.name, "labels": [label._asdict() for label in value.labels]} for value in axis.values
                ],
            }
            for axis in of.axes
        ],
    }


async def give(session: AsyncSession, of: SizeSystem, *categories: str) -> None:
    """The categories get the system."""
    row = {"key": of.key, "name": of.name, "market": of.market, "sizes": list(of.sizes)}
    await session.execute(insert(category_models.SizeSystem).values(**row, axes=stored_axes(of.axes)))
    named = category_models.Category.key.in_(categories)
    await session.execute(update(category_models.Category).where(named).values(size_system=of.key))
    await session.commit()


_PARTS = st.text("ABCDW0123456789/½", min_size=1, max_size=4)
_WORDS = st.lists(_PARTS, min_size=1, max_size=2).map(" ".join)


def _axes(count: int) -> st.SearchStrategy[list[list[str]]]:
    names = _WORDS if count == 1 else _PARTS
    values = st.lists(names, min_size=count, max_size=6, unique_by=str.casefold)
    return values.map(lambda each: [each] if count == 1 else [each[: len(each) // 2], each[len(each) // 2 :]])


def systems(key: str) -> st.SearchStrategy[SizeSystem]:
    """Any system that the service takes."""
    axes = st.sampled_from((1, 2)).flatmap(_axes)
    return axes.map(
        lambda every: system(key, *((f"Axis {at}", [*map(SizeValue, values)]) for at, values in enumerate(every)))
    )


SEVERAL = st.tuples(systems("a"), systems("b")).map(lambda pair: (FRESH, *pair))
