"""Published pages in memory: no statement once they are read, a change within a second, bounded in bytes."""

import asyncio
from time import monotonic
from uuid import UUID

import orjson
import pytest
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncSession

from server.content.published import CACHE_BYTES, PublishedPages
from server.platform.core.byte_cache import sizes
from server.platform.core.db import Sessions
from tests.catalog.storefront import Storefront, client_of
from tests.content.written import READ, created, published, read, text, updated
from tests.statements import counted_statements


async def test_a_page_costs_no_statement_once_it_is_in_memory(storefront: Storefront, sessions: Sessions) -> None:
    await published(storefront, await updated(storefront, await created(storefront), text("One")))
    pages: PublishedPages = storefront.app.state.shop.resources.get(PublishedPages)
    await pages.get(sessions, "cotton")

    with counted_statements() as statements:
        view = await pages.get(sessions, "cotton")
        missing = await pages.get(sessions, "wool")

    assert view is not None
    assert (view.content.texts.title, missing) == ("Our cotton", None)
    assert statements == []


@pytest.mark.spec("guards.publication")
async def test_a_change_is_seen_within_a_second(storefront: Storefront) -> None:
    page = await published(storefront, await updated(storefront, await created(storefront), text("1")))
    visitor = client_of(storefront.app)

    for words in ("2", "3"):
        page = await published(storefront, await updated(storefront, page, text(words)))
        began = monotonic()
        while monotonic() - began < 1.0:
            answer = await visitor.post("/graphql", json={"query": READ, "variables": {"path": "/pages/cotton"}})
            if answer.json()["data"]["page"]["blocks"][0]["text"]["source"] == words:
                break
            await asyncio.sleep(0.01)
        else:
            pytest.fail(f"{words} is not seen within a second")
    await visitor.aclose()


async def test_without_notifications_each_reading_asks_the_database(sessions: Sessions, session: AsyncSession) -> None:
    await _put(session, UUID(int=1), "cotton", "One")
    pages = PublishedPages()
    pages.changed()
    before = await pages.get(sessions, "cotton")
    pages.connection_lost()

    await session.execute(
        sql("UPDATE documents SET published = jsonb_set(published, '{title}', '\"Two\"'), publications = 2")
    )
    await session.commit()
    after = await pages.get(sessions, "cotton")

    assert before is not None
    assert after is not None
    assert (before.content.texts.title, after.content.texts.title) == ("One", "Two")


async def test_a_page_counts_as_published_until_the_list_is_read_anew(
    sessions: Sessions, session: AsyncSession
) -> None:
    """Otherwise each change of any page would make all others endless addresses for a moment."""
    await _put(session, UUID(int=1), "cotton", "One")
    pages = PublishedPages()
    pages.changed()
    before = pages.is_published("cotton")
    await pages.get(sessions, "cotton")
    await session.execute(sql("DELETE FROM documents"))
    await session.commit()

    pages.changed("any")
    meanwhile = pages.is_published("cotton")
    await pages.get(sessions, "cotton")

    assert (before, meanwhile, pages.is_published("cotton")) == (False, True, False)


async def test_a_page_of_another_number_is_never_taken_for_the_published_one(
    sessions: Sessions, session: AsyncSession
) -> None:
    """A notification arrives while the page is being read: what was read is not believed later."""
    await _put(session, UUID(int=1), "cotton", "One")
    pages = PublishedPages()
    pages.changed()
    await pages.get(sessions, "cotton")

    await session.execute(
        sql("UPDATE documents SET published = jsonb_set(published, '{title}', '\"Two\"'), publications = 2")
    )
    await session.commit()
    stale = await pages.get(sessions, "cotton")
    pages.changed("any")
    fresh = await pages.get(sessions, "cotton")

    assert stale is not None
    assert fresh is not None
    assert (stale.content.texts.title, fresh.content.texts.title) == ("One", "Two")


async def test_pages_in_memory_are_bounded_in_bytes(sessions: Sessions, session: AsyncSession) -> None:
    for at in range(40):
        await _put(session, UUID(int=at + 1), f"page-{at}", "x", "y" * 50_000)
    pages = PublishedPages()
    pages.changed()

    for at in range(40):
        assert await pages.get(sessions, f"page-{at}") is not None

    assert 0 < sizes()["published pages"].bytes <= sizes()["published pages"].limit
    assert pages._views.size.bytes <= CACHE_BYTES
    assert len(pages._views) < 40


async def test_a_published_page_is_in_the_cache_of_answers(storefront: Storefront) -> None:
    await published(storefront, await updated(storefront, await created(storefront), text("One")))
    await read(storefront)

    with counted_statements() as statements:
        await read(storefront)

    assert [each for each in statements if "documents" in each] == []


async def _put(session: AsyncSession, page_id: UUID, key: str, title: str, words: str = "Words") -> None:
    content = {"title": title, "description": "", "blocks": [{"kind": "free_text", "text": words}]}
    await session.execute(
        sql(
            "INSERT INTO documents (id, kind, key, draft, published, published_at, publications, updated_by)"
            " VALUES (:id, 'page', :key, :content, :content, now(), 1, 'owner@shop.test')"
        ),
        {"id": page_id, "key": key, "content": orjson.dumps(content).decode()},
    )
    await session.commit()
