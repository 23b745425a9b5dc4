"""Texts that no rule caught before they came to the database."""

from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.core.errors import InvalidInput
from server.core.models import Job, ShopFact

NUL = "a\x00b"


@pytest.mark.parametrize("row", [ShopFact(name=NUL), Job(kind="mail", payload={"to": NUL})], ids=["text", "JSON"])
async def test_a_nul_is_refused_in_words_wherever_it_was_to_be_kept(session: AsyncSession, row: Any) -> None:
    session.add(row)

    with pytest.raises(InvalidInput, match="contains characters that cannot be stored"):
        await session.flush()


async def test_a_nul_is_refused_in_words_where_it_was_looked_for(session: AsyncSession) -> None:
    with pytest.raises(InvalidInput, match="contains characters that cannot be stored"):
        await session.scalar(select(ShopFact).where(ShopFact.name == NUL))
