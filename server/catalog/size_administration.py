"""Administration of size systems: creating, changing and deleting them.

A change gives the whole system, sizes in their order. Changes are serialized with those of categories, and every one is
in the audit log.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Text, cast, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.service import AuditSubject
from server.catalog.category_models import Category, SizeSystem
from server.catalog.category_rules import NAME, key_problem, refuse
from server.catalog.errors import ChangedMeanwhile, SizesInUse
from server.catalog.models import Product, Variant
from server.catalog.sizes import BEHIND_SYSTEM, LETTERS, SizeAxis, SizeLabel, names_of, stored_axes
from server.catalog.sizes import SizeSystem as SizeFacts
from server.platform.core import locks
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.locks import Lock
from server.platform.core.rules import TextRule
from server.platform.core.viewer import Viewer

MOST_SYSTEMS, MOST_VALUES, MOST_SIZES, MOST_LABELS = 50, 60, 400, 6
"""`MOST_VALUES` of an axis; `MOST_SIZES` of a system: with two axes each value with each."""
LONGEST_MARKET, LONGEST_SIZE = 20, 20
_SIZE = TextRule(LONGEST_SIZE, missing="A size needs a name")
_MARKET = TextRule(LONGEST_MARKET, missing="Another name of a size needs its market")


@dataclass(frozen=True)
class SizeSystemDraft:
    """A size system as it shall be; see `sizes.SizeSystem`."""

    name: str
    market: str
    axes: tuple[SizeAxis, ...]


@dataclass(frozen=True)
class ListedSizeSystem:
    """A system, with the keys of the categories that name it."""

    facts: SizeFacts
    categories: tuple[str, ...]


async def size_systems(session: AsyncSession) -> list[ListedSizeSystem]:
    """All systems, letters first, the others by name."""
    used = select(func.array_agg(Category.key)).where(Category.size_system == SizeSystem.key).scalar_subquery()
    rows = await session.execute(
        select(
            *(SizeSystem.key, SizeSystem.name, SizeSystem.market, cast(SizeSystem.axes, Text), SizeSystem.version),
            used,
        ).order_by(SizeSystem.key != LETTERS, SizeSystem.name, SizeSystem.key)
    )
    return [ListedSizeSystem(SizeFacts.of(*values), tuple(sorted(keys or ()))) for *values, keys in rows]


async def create_size_system(session: AsyncSession, key: str, draft: SizeSystemDraft, actor: Viewer) -> None:
    """Creates a system that no category names yet. Raises InvalidInput."""
    systems = await _systems(session)
    is_full = len(systems) >= MOST_SYSTEMS
    refuse(
        {
            "key": f"At most {MOST_SYSTEMS} size systems" if is_full else key_problem(key, list(systems)),
            **_problems(draft),
        }
    )
    await session.execute(insert(SizeSystem).values(key=key, **_values(draft)))
    await audit.record(session, actor, "created", _subject(key, draft.name), after=_readable(draft))


async def update_size_system(
    session: AsyncSession, key: str, version: int, draft: SizeSystemDraft, actor: Viewer
) -> None:
    """Makes a system what the draft says.

    Raises NotFound, InvalidInput, ChangedMeanwhile when it has another version, or SizesInUse when products are made in
    a size that would be gone.
    """
    before = _one(await _systems(session), key).facts
    refuse(_problems(draft))
    if before.version != version:
        raise ChangedMeanwhile
    await _check_unused(session, key, set(before.sizes) - set(names_of(draft.axes)))
    values = {**_values(draft), "version": SizeSystem.version + 1}
    await session.execute(update(SizeSystem).where(SizeSystem.key == key).values(values))
    old = SizeSystemDraft(before.name, before.market, before.axes)
    if old != draft:
        subject = _subject(key, draft.name)
        await audit.record(session, actor, "edited", subject, before=_readable(old), after=_readable(draft))


async def delete_size_system(session: AsyncSession, key: str, actor: Viewer) -> None:
    """Deletes a system that no category names. Raises NotFound or InvalidInput."""
    system = _one(await _systems(session), key)
    if key == LETTERS:
        raise InvalidInput({"key": "New categories begin with it"})
    if system.categories:
        raise InvalidInput({"key": f"{', '.join(system.categories)} has it. Give it another one first"})
    await session.execute(delete(SizeSystem).where(SizeSystem.key == key))
    subject = _subject(key, system.facts.name)
    draft = SizeSystemDraft(system.facts.name, system.facts.market, system.facts.axes)
    await audit.record(session, actor, "deleted", subject, before=_readable(draft))


async def made_in(session: AsyncSession, category: str) -> list[str]:
    """The sizes of a category's products, sold out or retired, from which none comes until the transaction ends."""
    await session.execute(select(Category.key).where(Category.key == category).with_for_update())
    sizes = select(Variant.size).join(Product, Product.id == Variant.product_id).distinct()
    return list(await session.scalars(sizes.where(Product.category == category, Variant.retired_at.is_(None))))


async def _systems(session: AsyncSession) -> dict[str, ListedSizeSystem]:
    await locks.acquire(session, Lock.CATEGORIES)
    return {each.facts.key: each for each in await size_systems(session)}


async def _check_unused(session: AsyncSession, key: str, sizes: set[str]) -> None:
    """Raises SizesInUse. Changes of products lock their size system first: those under way end before."""
    await session.execute(select(SizeSystem.key).where(SizeSystem.key == key).with_for_update())
    categories = select(Category.key).where(Category.size_system == key)
    uses = (
        select(Variant.size, func.count(Variant.product_id.distinct()))
        .join(Product, Product.id == Variant.product_id)
        .where(Product.category.in_(categories), Variant.size.in_(sizes), Variant.retired_at.is_(None))
        .group_by(Variant.size)
    )
    if counts := {row[0]: row[1] for row in await session.execute(uses)}:
        raise SizesInUse(counts)


def _one(systems: dict[str, ListedSizeSystem], key: str) -> ListedSizeSystem:
    if key not in systems:
        raise NotFound("This size system")
    return systems[key]


def _subject(key: str, name: str) -> AuditSubject:
    return AuditSubject("size system", key, name)


def _values(draft: SizeSystemDraft) -> dict[str, Any]:
    return {**asdict(draft), "axes": stored_axes(draft.axes), "sizes": list(names_of(draft.axes))}


def _readable(draft: SizeSystemDraft) -> dict[str, Any]:
    """For the audit log: `38 = UK 5, US 7.5`."""
    return {
        "name": draft.name,
        "market": draft.market,
        **{
            axis.name: [
                " = ".join([value.name, ", ".join(f"{market} {name}" for market, name in value.labels)]).rstrip(" =")
                for value in axis.values
            ]
            for axis in draft.axes
        },
    }


def _problems(draft: SizeSystemDraft) -> dict[str, str | None]:
    return {
        "name": NAME.problem(draft.name),
        "market": TextRule(LONGEST_MARKET).problem(draft.market),
        "axes": next(_problems_of_axes(draft), None),
    }


def _problems_of_axes(draft: SizeSystemDraft) -> Iterator[str]:
    if not 1 <= len(draft.axes) <= 2:
        yield "A size is chosen by one axis or two"
    for axis in draft.axes:
        if problem := NAME.problem(axis.name):
            yield problem
        if not 1 <= len(axis.values) <= MOST_VALUES:
            yield f"{axis.name} has 1 to {MOST_VALUES} values, not {len(axis.values)}"
        for value in axis.values:
            yield from _problems_of_size(value.name, is_part=len(draft.axes) > 1)
            yield from _problems_of_labels(value.name, value.labels, draft.market)
    if len({axis.name.casefold() for axis in draft.axes}) < len(draft.axes):
        yield "Both axes have the same name"
    if twice := _twice(value.name for axis in draft.axes for value in axis.values):
        yield f"{twice} is there twice"
    if len(names_of(draft.axes[:2])) > MOST_SIZES:
        yield f"At most {MOST_SIZES} sizes: each value with each makes {len(names_of(draft.axes[:2])):,}"


def _problems_of_size(name: str, *, is_part: bool) -> Iterator[str]:
    if problem := _SIZE.problem(name):
        yield problem
    if BEHIND_SYSTEM in name:
        yield f"{name}: a size is written without {BEHIND_SYSTEM!r}"
    if name != " ".join(name.split()):
        yield f"{name}: one space at most between words"
    if is_part and len(name.split()) > 1:
        yield f"{name}: where there are two axes, a value is written without spaces"


def _problems_of_labels(size: str, labels: Sequence[SizeLabel], own: str) -> Iterator[str]:
    if len(labels) > MOST_LABELS:
        yield f"{size} has more than {MOST_LABELS} other names"
    for label in labels:
        if problem := _MARKET.problem(label.market) or _SIZE.problem(label.name):
            yield f"{size}: {problem}"
    if twice := _twice([own, *(label.market for label in labels)]):
        yield f"{size} has two names for {twice}"


def _twice(names: Iterable[str]) -> str | None:
    """A name that is there twice, whatever the case of its letters."""
    counts = Counter(name.casefold() for name in (each for each in names if each))
    return next((name for name, count in counts.items() if count > 1), None)
