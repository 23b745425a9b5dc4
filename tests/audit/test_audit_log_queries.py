"""Reading the audit log: newest first, filtered, with pages that new entries do not shift."""

from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import queries
from server.audit import service as audit
from server.audit.graphql import AuditEntry
from server.audit.models import AuditEntry as Row
from server.audit.queries import AuditEntryFilter

SHIRT = audit.AuditSubject("product", "p1", "Oxford Shirt")
ADA = audit.AuditSubject("user", "u1", "ada@minimal.test")


async def write(session: AsyncSession, *actions: str, about: audit.AuditSubject = SHIRT) -> None:
    """Each in a transaction, and so at a moment, of its own."""
    for action in actions:
        await audit.record(session, None, action, about)
        await session.commit()


async def found(session: AsyncSession, **wanted: Any) -> list[str]:
    entries = await queries.entries(session, AuditEntryFilter(**wanted), limit=50)
    assert await queries.total(session, AuditEntryFilter(**wanted)) == len(entries)
    return [entry.action for entry in entries]


async def test_pages_go_on_where_they_ended_while_more_is_written(session: AsyncSession) -> None:
    await write(session, "a", "b", "c", "d")
    first = await queries.entries(session, AuditEntryFilter(), limit=2)
    await write(session, "late")

    last = first[-1]
    second = await queries.entries(session, AuditEntryFilter(), limit=2, after=(last.created_at, last.id))

    assert [entry.action for entry in (*first, *second)] == ["d", "c", "b", "a"]
    assert await queries.total(session, AuditEntryFilter()) == 5


async def test_each_filter_narrows_and_all_of_them_together(session: AsyncSession) -> None:
    await write(session, "price changed", "retired")
    await write(session, "made admin", about=ADA)
    middle = (await queries.entries(session, AuditEntryFilter(action="retired"), limit=1))[0].created_at

    assert await found(session) == ["made admin", "retired", "price changed"]
    assert await found(session, kind="product") == ["retired", "price changed"]
    assert await found(session, action="retired") == ["retired"]
    assert await found(session, subject_id="u1") == ["made admin"]
    assert await found(session, actor="command line", kind="user") == ["made admin"]
    assert await found(session, actor="ada@minimal.test") == []
    assert await found(session, since=middle) == ["made admin", "retired"]
    assert await found(session, before=middle) == ["price changed"]
    assert await found(session, search="OXFORD") == ["retired", "price changed"]
    assert await found(session, search="ada@", kind="product") == []
    assert await found(session, search="%") == []


async def test_what_can_be_chosen_is_what_stands_there_each_once(session: AsyncSession) -> None:
    nothing = await queries.choices(session)

    await write(session, "retired", "retired", "created")
    await write(session, "made admin", about=ADA)

    assert nothing == queries.AuditFilterChoices([], [], [])
    assert await queries.choices(session) == queries.AuditFilterChoices(
        actors=["command line"], actions=["created", "made admin", "retired"], kinds=["product", "user"]
    )


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"price_cents": 8900}, {"price_cents": 123_456}, [("price", "89.00", "1234.56", True)]),
        ({"discounted_price_cents": None}, {"discounted_price_cents": 5}, [("discounted price", None, "0.05", True)]),
        ({"is_retired": False}, {"is_retired": True}, [("is retired", "no", "yes", False)]),
        ({}, {"sizes": ["S", "M"], "stock": 7}, [("sizes", None, "S, M", False), ("stock", None, "7", False)]),
        ({"address": {"city": "Leeds", "zip": "1"}}, {"address": {"city": "York", "zip": "1"}},
         [("address, city", "Leeds", "York", False)]),
        ({}, {"lines": [{"name": "Shirt", "amount_cents": 100}]},
         [("lines", None, "name Shirt, amount 1.00", False)]),
        ({}, {}, []),
    ],
)  # fmt: skip
async def test_an_entry_tells_before_and_after_in_words(
    session: AsyncSession, before: dict[str, Any], after: dict[str, Any], told: list[tuple[object, ...]]
) -> None:
    await audit.record(session, None, "changed", SHIRT, before=before, after=after)
    [row] = await queries.entries(session, AuditEntryFilter(), limit=1)

    changes = AuditEntry.of(row).changes

    assert [(each.name, each.before, each.after, each.is_money) for each in changes] == told


async def test_a_long_log_is_read_along_its_indexes(session: AsyncSession) -> None:
    await session.execute(
        text(
            "INSERT INTO audit_entries (created_at, actor_email, action, subject_kind, subject_id, subject_label,"
            " before, after) SELECT now() - n * interval '1 minute', 'a' || n % 5, 'b' || n % 9, 'product', n::text,"
            " 'Shirt', '{}', '{}' FROM generate_series(1, 20000) n"
        )
    )
    await session.execute(text("ANALYZE audit_entries"))
    plans = []
    for where in ("true", "actor_email = 'a1'", "action = 'b3'", "subject_kind = 'product' AND subject_id = '77'"):
        page = f"SELECT * FROM {Row.__tablename__} WHERE {where} ORDER BY created_at DESC, id DESC LIMIT 51"
        plans.append("\n".join(await session.scalars(text(f"EXPLAIN {page}"))))

    assert all("Seq Scan" not in plan for plan in plans)
    assert len((await queries.choices(session)).actions) == 9
