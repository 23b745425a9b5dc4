"""Administration of departments and categories: creating, changing, ordering, merging and deleting them.

Changes are serialized, so that each sees the others' keys, addresses and places. Every change is in the audit log.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, case, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.service import AuditSubject
from server.catalog import category_queries, size_administration
from server.catalog.categories import SALE, Categories, CategoryFacts, DepartmentFacts, KindFacts
from server.catalog.category_models import Category, Department, Kind, Redirect
from server.catalog.category_rules import NAME, key_problem, refuse, words_problem
from server.catalog.errors import CategoryHasProducts, ChangedMeanwhile
from server.catalog.measurements import POINTS
from server.catalog.models import Product
from server.catalog.sizes import LETTERS
from server.media.models import Image
from server.platform.core import locks
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.locks import Lock
from server.platform.core.rules import OneOf, TextRule
from server.platform.core.viewer import Viewer

LONGEST_HEADING, LONGEST_DESCRIPTION = 120, 600
MOST_CATEGORIES = 500
"""All of them are in each process's memory and in the menu."""
HEADING = TextRule(LONGEST_HEADING)
DESCRIPTION = TextRule(LONGEST_DESCRIPTION)

Row = TypeVar("Row", CategoryFacts, DepartmentFacts, KindFacts)


@dataclass(frozen=True)
class DepartmentDraft:
    """A department as it shall be."""

    name: str
    heading: str
    slug: str
    is_hidden: bool = False
    gender: str | None = None
    age_group: str = "adult"


@dataclass(frozen=True)
class CategoryDraft:
    """A category as it shall be; `heading` is its department's when empty, `image_id` a UUID.

    Without a `size_system` it keeps its own; a new one has letters.
    """

    name: str
    heading: str
    slug: str
    points: tuple[str, ...] = ()
    is_hidden: bool = False
    size_system: str | None = None
    description: str = ""
    image_id: str | None = None


async def create_department(session: AsyncSession, key: str, draft: DepartmentDraft, actor: Viewer) -> None:
    """Creates a department at the end of the menu. Raises InvalidInput."""
    categories = await _categories(session)
    refuse(
        {
            "key": key_problem(key, [*SALE, *(each.key for each in categories.departments)]),
            **_of(draft, categories, None),
        }
    )
    place = len(categories.departments) + 1
    await session.execute(insert(Department).values(key=key, position=place, **_department_values(draft)))
    await audit.record(session, actor, "created", AuditSubject("department", key, draft.name), after=asdict(draft))
    await _reach(session, f"/category/{draft.slug}")


async def create_category(
    session: AsyncSession, department: str, kind: str, draft: CategoryDraft, actor: Viewer
) -> None:
    """Creates a category as the last of its department, and its kind unless there is one. Raises InvalidInput."""
    categories = await _categories(session)
    whom = next((each for each in categories.departments if each.key == department), None)
    siblings = categories.kinds_of(department)
    draft = replace(draft, size_system=draft.size_system or LETTERS)
    refuse(
        {
            "department": categories.department_rule.problem(department),
            "kind": key_problem(kind, siblings),
            "sizeSystem": await _size_system_problem(session, draft.size_system),
            "key": f"At most {MOST_CATEGORIES} categories" if len(categories.rows) >= MOST_CATEGORIES else None,
            **_of_category(draft, categories, department, None),
        }
    )
    await _check_image(session, draft)
    await session.execute(upsert(Kind).values(key=kind, name=draft.name.strip()).on_conflict_do_nothing())
    values = {"department": department, "kind": kind, "position": len(siblings) + 1, **_category_values(draft)}
    await session.execute(insert(Category).values(values))
    key = f"{department}_{kind}"
    await audit.record(session, actor, "created", AuditSubject("category", key, draft.name), after=asdict(draft))
    if whom:
        await _reach(session, f"{whom.path}/{draft.slug}")


async def update_department(
    session: AsyncSession, key: str, version: int, draft: DepartmentDraft, actor: Viewer
) -> None:
    """Makes a department what the draft says; what leads to its former addresses leads to the new ones.

    Raises NotFound, InvalidInput, or ChangedMeanwhile when it has another version.
    """
    categories = await _categories(session)
    before = _one(categories.departments, key, "This department")
    refuse(_of(draft, categories, key))
    _check_version(before, version)
    values = {**_department_values(draft, Department.hidden_at), "version": Department.version + 1}
    await session.execute(update(Department).where(Department.key == key).values(values))
    moved = [
        (before.path, f"/category/{draft.slug}"),
        (f"/category/sale/{before.slug}", f"/category/sale/{draft.slug}"),
    ]
    moved += [
        (each.path, f"/category/{draft.slug}/{each.slug}") for each in categories.rows if each.department.key == key
    ]
    for path, target in moved:
        await _redirect(session, path, target)
    await _record_change(session, actor, AuditSubject("department", key, draft.name), _department_draft(before), draft)


async def update_category(session: AsyncSession, key: str, version: int, draft: CategoryDraft, actor: Viewer) -> None:
    """Makes a category what the draft says; its former address leads to the new one.

    Raises NotFound, InvalidInput, or ChangedMeanwhile when it has another version.
    """
    categories = await _categories(session)
    before = _one(categories.rows, key, "This category")
    refuse(_of_category(draft, categories, before.department.key, key))
    _check_version(before, version)
    draft = replace(draft, size_system=draft.size_system or before.size_system.key)
    if draft.size_system != before.size_system.key:
        refuse({"sizeSystem": await _size_system_problem(session, draft.size_system, of_category=key)})
    await _check_image(session, draft)
    values = {**_category_values(draft, Category.hidden_at), "version": Category.version + 1}
    await session.execute(update(Category).where(Category.key == key).values(values))
    await _redirect(session, before.path, f"{before.department.path}/{draft.slug}")
    was = _category_draft(before, categories)
    await _record_change(session, actor, AuditSubject("category", key, draft.name), was, draft)


async def rename_kind(session: AsyncSession, key: str, name: str, actor: Viewer) -> None:
    """Raises NotFound or InvalidInput."""
    before = _one([each.kind for each in (await _categories(session)).rows], key, "This kind")
    refuse({"name": NAME.problem(name)})
    after = name.strip()
    await session.execute(update(Kind).where(Kind.key == key).values(name=after))
    subject = AuditSubject("kind", key, after)
    await audit.record(session, actor, "renamed", subject, before={"name": before.name}, after={"name": after})


async def move_department(session: AsyncSession, key: str, before: str | None, actor: Viewer) -> None:
    """Places a department before another one, or last. Raises NotFound."""
    categories = await _categories(session)
    keys = [each.key for each in categories.departments]
    moved = _one(categories.departments, key, "This department")
    after = _moved(keys, key, before, "This department")
    await session.execute(update(Department).values(position=_places(Department.key, after)))
    subject = AuditSubject("department", key, moved.name)
    await audit.record(session, actor, "moved", subject, before={"order": keys}, after={"order": after})


async def move_category(session: AsyncSession, key: str, before: str | None, actor: Viewer) -> None:
    """Places a category before another one of its department, or last. Raises NotFound."""
    categories = await _categories(session)
    moved = _one(categories.rows, key, "This category")
    keys = [each.key for each in categories.rows if each.department == moved.department]
    after = _moved(keys, key, before, "This category")
    own = Category.department == moved.department.key
    await session.execute(update(Category).where(own).values(position=_places(Category.key, after)))
    subject = AuditSubject("category", key, moved.name)
    await audit.record(session, actor, "moved", subject, before={"order": keys}, after={"order": after})


async def merge_categories(session: AsyncSession, key: str, into: str, actor: Viewer) -> int:
    """Moves all products of a category into another one and deletes it; its address leads there. Returns how many.

    Raises NotFound, or InvalidInput when both are the same, or the target's size system lacks sizes of the products.
    """
    categories = await _categories(session)
    source, target = _one(categories.rows, key, "This category"), _one(categories.rows, into, "This category")
    if source == target:
        raise InvalidInput({"into": "A category cannot be merged into itself"})
    # Changes of products lock their category before the products: those under way end first.
    if problem := target.size_system.problem(await size_administration.made_in(session, key)):
        raise InvalidInput({"into": f"{problem} there: products of {source.name} are made in others"})
    own = (Product.gender == source.department.key) & (Product.subcategory == source.kind.key)
    ids = list(
        await session.scalars(select(Product.id).where(own).order_by(Product.id).with_for_update(key_share=True))
    )
    values = {"gender": target.department.key, "subcategory": target.kind.key}
    changed = {"version": Product.version + 1, "updated_at": func.now()}
    await session.execute(
        update(Product).where(own).values(**values, **changed).execution_options(synchronize_session=False)
    )
    await _delete(session, source)
    await _redirect(session, source.path, target.path)
    subject = AuditSubject("category", key, source.name)
    facts = {"category": into, "products": len(ids)}
    await audit.record(session, actor, "merged", subject, before={"category": key, "products": 0}, after=facts)
    return len(ids)


async def delete_department(session: AsyncSession, key: str, actor: Viewer) -> None:
    """Deletes a department without categories. Raises NotFound, or InvalidInput when it has some."""
    categories = await _categories(session)
    department = _one(categories.departments, key, "This department")
    if categories.kinds_of(key):
        raise InvalidInput({"key": f"{department.name} still has categories. Delete or merge them first"})
    await session.execute(delete(Department).where(Department.key == key))
    subject = AuditSubject("department", key, department.name)
    await audit.record(session, actor, "deleted", subject, before=asdict(_department_draft(department)))


async def delete_category(session: AsyncSession, key: str, actor: Viewer) -> None:
    """Deletes a category without products. Raises NotFound, or CategoryHasProducts, retired ones included."""
    categories = await _categories(session)
    category = _one(categories.rows, key, "This category")
    await session.execute(select(Category.key).where(Category.key == key).with_for_update())
    own = (Product.gender == category.department.key) & (Product.subcategory == category.kind.key)
    if products := await session.scalar(select(func.count()).select_from(Product).where(own)):
        raise CategoryHasProducts(products)
    await _delete(session, category)
    subject = AuditSubject("category", key, category.name)
    await audit.record(session, actor, "deleted", subject, before=asdict(_category_draft(category, categories)))


async def _categories(session: AsyncSession) -> Categories:
    await locks.acquire(session, Lock.CATEGORIES)
    return await category_queries.categories(session)


def _one(rows: Sequence[Row], key: str, what: str) -> Row:
    found = next((each for each in rows if each.key == key), None)
    if found is None:
        raise NotFound(what)
    return found


def _check_version(row: CategoryFacts | DepartmentFacts, version: int) -> None:
    if row.version != version:
        raise ChangedMeanwhile


async def _size_system_problem(session: AsyncSession, key: str | None, of_category: str | None = None) -> str | None:
    """What is wrong with a size system for a category, whose products are made in its sizes; None when nothing is."""
    systems = {each.facts.key: each.facts for each in await size_administration.size_systems(session)}
    if key not in systems:
        return OneOf("size system", tuple(systems)).problem(key)
    made_in = await size_administration.made_in(session, of_category) if of_category else []
    problem = systems[key].problem(made_in)
    return problem and f"{problem} there, and products of this category are made in others"


def _slug_problem(slug: str, taken: Sequence[str]) -> str | None:
    if problem := words_problem(slug):
        return problem
    return f"The address {slug} is taken" if slug in taken else None


def _of(draft: DepartmentDraft, categories: Categories, key: str | None) -> dict[str, str | None]:
    """What is wrong with a department, by input; `key` is its own."""
    slugs = [*SALE, *(each.slug for each in categories.departments if each.key != key)]
    return {
        "name": NAME.problem(draft.name),
        "heading": TextRule(LONGEST_HEADING, missing="A heading is required").problem(draft.heading),
        "slug": _slug_problem(draft.slug, slugs),
    }


def _of_category(
    draft: CategoryDraft, categories: Categories, department: str, key: str | None
) -> dict[str, str | None]:
    """What is wrong with a category, by input; `key` is its own."""
    slugs = [each.slug for each in categories.rows if each.department.key == department and each.key != key]
    is_twice = len(set(draft.points)) < len(draft.points)
    unknown = [point for point in draft.points if point not in POINTS]
    return {
        "name": NAME.problem(draft.name),
        "heading": HEADING.problem(draft.heading),
        "description": DESCRIPTION.problem(draft.description),
        "slug": _slug_problem(draft.slug, slugs),
        "measurementPoints": "A point is named twice" if is_twice or unknown else None,
    }


def _department_values(draft: DepartmentDraft, hidden_at: Any = None) -> dict[str, Any]:
    return {
        "name": draft.name.strip(),
        "heading": draft.heading.strip(),
        "slug": draft.slug,
        "gender": draft.gender,
        "age_group": draft.age_group,
        "hidden_at": func.coalesce(hidden_at, func.now()) if draft.is_hidden else None,
    }


def _category_values(draft: CategoryDraft, hidden_at: Any = None) -> dict[str, Any]:
    return {
        "name": draft.name.strip(),
        "heading": draft.heading.strip() or None,
        "slug": draft.slug,
        "measuring_points": list(draft.points),
        "size_system": draft.size_system,
        "description": draft.description.strip(),
        "image_id": draft.image_id and UUID(draft.image_id),
        "hidden_at": func.coalesce(hidden_at, func.now()) if draft.is_hidden else None,
    }


def _department_draft(row: DepartmentFacts) -> DepartmentDraft:
    return DepartmentDraft(row.name, row.heading, row.slug, row.is_hidden, row.gender, row.age_group)


def _category_draft(row: CategoryFacts, categories: Categories) -> CategoryDraft:
    description, image = categories.page_of(row.key)
    image_id = None if image is None else str(image.id)
    return CategoryDraft(
        *(row.name, row.own_heading or "", row.slug, row.points, row.is_marked_hidden, row.size_system.key),
        *(description, image_id),
    )


async def _check_image(session: AsyncSession, draft: CategoryDraft) -> None:
    """Locks the draft's picture against deletion. Raises InvalidInput when there is no such picture."""
    if draft.image_id is None:
        return
    image = select(Image.id).where(Image.id == UUID(draft.image_id)).with_for_update(read=True, key_share=True)
    if await session.scalar(image) is None:
        raise InvalidInput({"imageId": "Upload this picture again"})


def _moved(keys: Sequence[str], key: str, before: str | None, what: str) -> list[str]:
    """The keys with one of them before another, or last. Raises NotFound."""
    others = [each for each in keys if each != key]
    if before is None:
        return [*others, key]
    if before not in others:
        raise NotFound(what)
    place = others.index(before)
    return [*others[:place], key, *others[place:]]


def _places(column: Any, keys: Sequence[str]) -> ColumnElement[int]:
    return case({key: place for place, key in enumerate(keys, start=1)}, value=column)


async def _record_change(
    session: AsyncSession,
    actor: Viewer,
    subject: AuditSubject,
    before: DepartmentDraft | CategoryDraft,
    after: DepartmentDraft | CategoryDraft,
) -> None:
    if before != after:
        await audit.record(session, actor, "edited", subject, before=asdict(before), after=asdict(after))


async def _delete(session: AsyncSession, category: CategoryFacts) -> None:
    await session.execute(delete(Category).where(Category.key == category.key))


async def _redirect(session: AsyncSession, path: str, target: str) -> None:
    """Leads a path, and all that led there, to another one."""
    await _reach(session, target)
    if path == target:
        return
    await session.execute(update(Redirect).where(Redirect.target == path).values(target=target))
    row = upsert(Redirect).values(path=path, target=target)
    changed = row.on_conflict_do_update(index_elements=[Redirect.path], set_={"target": target})
    await session.execute(changed)


async def _reach(session: AsyncSession, path: str) -> None:
    """Ends the redirect of a path, which has a page of its own."""
    await session.execute(delete(Redirect).where(Redirect.path == path))
