from uuid import uuid4

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.models import AuditEntry


async def test_an_entry_keeps_only_what_differs(session: AsyncSession) -> None:
    subject = audit.AuditSubject("product", uuid4(), "Oxford Shirt")

    await audit.record(
        session,
        None,
        "price changed",
        subject,
        before={"price_cents": 8900, "name": "Oxford Shirt"},
        after={"price_cents": 9900, "name": "Oxford Shirt"},
    )

    [entry] = (await session.scalars(select(AuditEntry))).all()
    assert (entry.actor_email, entry.action, entry.subject_label) == ("command line", "price changed", "Oxford Shirt")
    assert (entry.before, entry.after) == ({"price_cents": 8900}, {"price_cents": 9900})


@pytest.mark.parametrize(
    "statement",
    ["UPDATE audit_entries SET action = 'x'", "DELETE FROM audit_entries", "TRUNCATE audit_entries"],
)
async def test_the_database_refuses_to_rewrite_the_log(session: AsyncSession, statement: str) -> None:
    await audit.record(session, None, "retired", audit.AuditSubject("product", uuid4(), "Oxford Shirt"))
    await session.commit()

    with pytest.raises(DBAPIError, match="append-only"):
        await session.execute(text(statement))
