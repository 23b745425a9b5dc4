"""Pages of the owner's: drafts that nobody's work is lost in, publication, versions, and the log of it all."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.audit.service import AuditActor
from server.catalog import pictures
from server.content import service
from server.content.models import Document, DocumentImage, DocumentVersion
from server.content.pages import PageContent, PageTexts
from server.media.models import Image
from server.platform.core import clock
from server.platform.core.db import Sessions
from server.platform.core.jobs import JobEnvironment
from server.platform.core.models import Job
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import Storefront, ask, graphql, working
from tests.clocks import clock_moved_by
from tests.content.written import (
    CANCEL,
    CREATE,
    DELETE,
    PUBLISH,
    REVERT,
    UNPUBLISH,
    UPDATE,
    VERSIONS,
    created,
    published,
    read,
    text,
    updated,
)
from tests.media.drawings import drawn

SHELF = """{ page(path: "/pages/cotton") { blocks { ... on ShelfBlock { sort products { name price } } } } }"""
ADMIN_PAGES = """query ($search: String, $after: String) { admin { pages(search: $search, first: 2, after: $after) {
  totalCount nodes { key } pageInfo { endCursor }
} } }"""


async def log_of(session: AsyncSession) -> list[tuple[str, str, str]]:
    entries = await session.scalars(select(AuditEntry).order_by(AuditEntry.id))
    return [(entry.actor_email, entry.action, entry.subject_label) for entry in entries]


async def uploaded(shop: Storefront) -> str:
    answer = await shop.admin.post("/uploads/images", content=drawn("PNG"), headers={"content-type": "image/png"})
    return str(answer.json()["id"])


async def test_a_page_is_created_written_published_and_read(storefront: Storefront, session: AsyncSession) -> None:
    page = await created(storefront)
    draft = await updated(storefront, page, text("# Care\n\nWash *cold*."), description="What it is made of.")
    before = await read(storefront)
    live = await published(storefront, draft)

    assert (page["path"], page["version"], page["isPublished"]) == ("/pages/cotton", 1, False)
    assert (draft["version"], draft["isPublished"], draft["updatedBy"]) == (2, False, "owner@shop.test")
    assert before is None
    assert (live["version"], live["isPublished"], live["hasChanges"]) == (2, True, False)
    assert await read(storefront) == {
        "title": "Our cotton",
        "description": "What it is made of.",
        "blocks": [
            {
                "__typename": "FreeTextBlock",
                "text": {
                    "source": "# Care\n\nWash *cold*.",
                    "html": "<h2>Care</h2>\n<p>Wash <em>cold</em>.</p>\n",
                },
            }
        ],
    }
    assert await log_of(session) == [
        ("owner@shop.test", "page created", "/pages/cotton"),
        ("owner@shop.test", "page changed", "/pages/cotton"),
        ("owner@shop.test", "page published", "/pages/cotton"),
    ]


@pytest.mark.spec("guards.publication")
async def test_a_changed_draft_is_not_seen_until_it_is_published(storefront: Storefront) -> None:
    live = await published(storefront, await updated(storefront, await created(storefront), text("One")))

    draft = await updated(storefront, live, text("Two"))
    seen = await read(storefront)
    await published(storefront, draft)

    assert (draft["isPublished"], draft["hasChanges"]) == (True, True)
    assert seen["blocks"][0]["text"]["source"] == "One"
    assert (await read(storefront))["blocks"][0]["text"]["source"] == "Two"


@pytest.mark.spec("guards.draft")
async def test_of_two_admins_on_one_page_the_second_sees_what_the_first_changed(
    storefront: Storefront, session: AsyncSession
) -> None:
    page = await created(storefront)
    await updated(storefront, page, text("Mine"), text("Same"))

    refused = await updated(storefront, page, text("Yours"), text("Same"), title="Cotton")
    late = await published(storefront, page)

    assert refused == {
        "__typename": "PageChangedMeanwhile",
        "message": "Somebody else has changed this in the meantime. Nothing of yours is saved yet, and nothing lost.",
        "differences": ["title", "block 1"],
        "page": {"version": 2, "title": "Our cotton"},
    }
    assert (late["__typename"], late["differences"]) == ("PageChangedMeanwhile", [])
    [stored] = await session.scalars(select(Document))
    assert PageContent.from_json(stored.draft).to_json()["blocks"][0]["text"] == "Mine"
    assert stored.published is None


async def test_two_drafts_sent_at_once_are_not_mixed(storefront: Storefront, session: AsyncSession) -> None:
    page = await created(storefront)

    answers = await asyncio.gather(*(updated(storefront, page, text(words)) for words in ("Mine", "Yours")))

    assert sorted(each["__typename"] for each in answers) == ["EditablePage", "PageChangedMeanwhile"]
    assert (await session.scalars(select(Document.version))).all() == [2]


async def test_a_version_that_was_published_comes_back_as_the_draft(
    storefront: Storefront, session: AsyncSession
) -> None:
    page = await created(storefront)
    for words in ("One", "Two"):
        page = await published(storefront, await updated(storefront, page, text(words), title=f"Cotton {words}"))
    page = await updated(storefront, page, text("Three"))

    listed = await ask(storefront.primary, VERSIONS, id=page["id"])
    back = await ask(storefront.primary, REVERT, id=page["id"], version=page["version"], number=1)
    unseen = await read(storefront)
    discarded = await ask(storefront.primary, REVERT, id=page["id"], version=back["revertPage"]["version"])

    assert listed["admin"]["page"]["versions"] == [
        {"number": 2, "title": "Cotton Two", "publishedBy": "owner@shop.test"},
        {"number": 1, "title": "Cotton One", "publishedBy": "owner@shop.test"},
    ]
    assert (back["revertPage"]["title"], back["revertPage"]["hasChanges"]) == ("Cotton One", True)
    assert unseen["title"] == "Cotton Two"
    assert (discarded["revertPage"]["title"], discarded["revertPage"]["hasChanges"]) == ("Cotton Two", False)
    [_, *entries] = [each for each in await log_of(session) if each[1] == "page reverted"]
    assert len(entries) == 1


async def test_going_back_needs_something_that_was_published(storefront: Storefront) -> None:
    page = await created(storefront)

    refused = await ask(storefront.primary, REVERT, id=page["id"], version=1)
    unknown = await graphql(storefront.primary, REVERT, id=page["id"], version=1, number=3)

    assert refused["revertPage"]["errors"] == [{"field": "number", "message": "This page is not published"}]
    assert unknown["errors"][0]["message"] == "This version does not exist."


async def test_a_page_taken_off_or_deleted_is_gone_at_once(storefront: Storefront, session: AsyncSession) -> None:
    page = await published(storefront, await updated(storefront, await created(storefront), text("One")))

    off = await ask(storefront.primary, UNPUBLISH, id=page["id"])
    seen_off = await read(storefront)
    again = await published(storefront, page)
    seen_again = await read(storefront)
    await ask(storefront.primary, DELETE, id=page["id"])

    assert (off["unpublishPage"]["isPublished"], seen_off) == (False, None)
    assert (again["isPublished"], seen_again["title"]) == (True, "Our cotton")
    assert await read(storefront) is None
    assert (await session.scalars(select(DocumentVersion))).all() == []
    [*_, last] = await session.scalars(select(AuditEntry).order_by(AuditEntry.id))
    assert (last.action, last.before["block 1"]["text"]) == ("page deleted", "One")


@pytest.mark.parametrize(
    ("key", "title", "errors"),
    [
        ("Cotton", "A", {"key": service.KEY_RULE}),
        ("a--b", "A", {"key": service.KEY_RULE}),
        ("-a", "A", {"key": service.KEY_RULE}),
        ("a/b", "A", {"key": service.KEY_RULE}),
        ("a\n", "A", None),
        ("", " ", {"key": service.KEY_RULE, "title": "Give it a title"}),
        ("x" * 61, "A", {"key": service.KEY_RULE}),
        ("é", "A", {"key": service.KEY_RULE}),
        ("taken", "A", {"key": "There is a page at this address already"}),
        ("good", "x" * 121, {"title": "At most 120 characters"}),
    ],
)
async def test_an_address_is_checked(
    storefront: Storefront, key: str, title: str, errors: dict[str, str] | None
) -> None:
    await created(storefront, "taken")

    answer = (await ask(storefront.primary, CREATE, input={"key": key, "title": title}))["createPage"]

    if errors is None:
        assert answer["key"] == key.strip()
    else:
        assert {each["field"]: each["message"] for each in answer["errors"]} == errors


async def test_what_is_wrong_with_a_draft_is_said_with_its_place(storefront: Storefront, session: AsyncSession) -> None:
    page = await created(storefront)

    links = await updated(storefront, page, text("Fine"), text("[x](javascript:alert(1))"), title="")
    image = {"pictureWithWords": {"picture": {"imageId": str(uuid4())}}}
    missing = await updated(storefront, page, image)
    shelf = await updated(storefront, page, {"shelf": {"department": "cats"}})

    assert [each["field"] for each in links["errors"]] == ["title", "blocks.1.text"]
    assert missing["errors"] == [{"field": "blocks.0.picture.imageId", "message": "Upload this picture again"}]
    assert [each["field"] for each in shelf["errors"]] == ["blocks.0.department"]
    assert (await session.scalars(select(Document.version))).all() == [1]


async def test_a_draft_of_a_later_version_of_the_shop_is_left_alone(
    storefront: Storefront, session: AsyncSession
) -> None:
    page = await created(storefront)
    draft = {"title": "Later", "description": "", "blocks": [{"kind": "hologram"}]}
    await session.execute(update(Document).values(draft=draft))
    await session.commit()

    values = {"title": "Now", "blocks": []}
    answers = [
        await graphql(storefront.primary, UPDATE, id=page["id"], version=1, input=values),
        await graphql(storefront.primary, PUBLISH, id=page["id"], version=1),
    ]

    assert [each["errors"][0]["message"] for each in answers] == [service.NEWER] * 2
    session.expire_all()
    assert (await session.scalars(select(Document.draft))).all() == [draft]


async def test_a_page_is_published_at_its_time(
    storefront: Storefront, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await updated(storefront, await created(storefront), text("Soon"))
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    scheduled = await published(storefront, page, tomorrow.isoformat())
    replaced = await published(storefront, page, (tomorrow + timedelta(days=1)).isoformat())
    draft = await updated(storefront, page, text("Later"))
    unseen = await read(storefront)

    # Two days pass, in the database as well.
    earlier = timedelta(days=2, seconds=1)
    await session.execute(update(Job).values(run_at=Job.run_at - earlier))
    await session.execute(update(Document).values(publish_at=Document.publish_at - earlier))
    await session.commit()
    async with working(storefront), asyncio.timeout(30):
        while (seen := await read(storefront)) is None:  # noqa: ASYNC110 - it is what a shopper sees
            await asyncio.sleep(0.05)

    assert scheduled["publishAt"] != replaced["publishAt"]
    assert (scheduled["isPublished"], unseen, draft["version"]) == (False, None, 3)
    assert seen["blocks"][0]["text"]["source"] == "Later"
    session.expire_all()
    [row] = await session.scalars(select(Document))
    assert (row.publish_at, row.publications) == (None, 1)
    assert (await log_of(session))[-1] == ("owner@shop.test", "page published", "/pages/cotton")


async def test_a_host_with_a_wrong_clock_publishes_nothing_early(
    storefront: Storefront, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await updated(storefront, await created(storefront), text("Soon"))
    await published(storefront, page, (datetime.now(UTC) + timedelta(hours=2)).isoformat())
    # What this host finds out about the database's clock is forgotten after the test.
    monkeypatch.setattr(clock, "_ahead", clock._ahead)
    monkeypatch.setattr(clock, "datetime", clock_moved_by(timedelta(days=1)))

    async with working(storefront):
        await asyncio.sleep(1.5)

    assert await read(storefront) is None


async def test_a_time_is_forgotten_and_never_in_the_past(storefront: Storefront, session: AsyncSession) -> None:
    page = await created(storefront)
    later = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    await published(storefront, page, later)

    forgotten = await ask(storefront.primary, CANCEL, id=page["id"])
    past = await published(storefront, page, "2020-01-01T00:00:00Z")

    assert forgotten["cancelPublication"]["publishAt"] is None
    assert past["errors"] == [{"field": "at", "message": "A time to come"}]
    assert (await session.scalars(select(Job.kind).where(Job.kind == service.PUBLISH))).all() == []


async def test_a_page_published_by_hand_is_not_published_again_at_its_time(
    storefront: Storefront, session: AsyncSession
) -> None:
    page = await created(storefront)
    await published(storefront, page, (datetime.now(UTC) + timedelta(days=1)).isoformat())

    now = await published(storefront, page)

    assert (now["isPublished"], now["publishAt"]) == (True, None)
    assert (await session.scalars(select(Job.kind).where(Job.kind == service.PUBLISH))).all() == []


async def test_images_of_pages_are_kept_while_the_page_is(
    storefront: Storefront, session: AsyncSession, sessions: Sessions
) -> None:
    used, unused = [await uploaded(storefront) for _ in range(2)]
    page = await created(storefront)
    image = {"hero": {"slides": [{"heading": "Cotton", "picture": {"imageId": used, "alt": "A field"}}]}}
    page = await updated(storefront, page, image)
    page = await updated(storefront, page, text("No picture any more"))
    await session.execute(update(Image).values(created_at=datetime.now(UTC) - timedelta(days=2)))
    await session.commit()
    env = JobEnvironment(sessions, storefront.app.state.shop.resources)

    await pictures.tidy(env)
    kept = [str(each) for each in await session.scalars(select(Image.id))]
    await ask(storefront.primary, DELETE, id=page["id"])
    await pictures.tidy(env)

    assert kept == [used] != [unused]
    assert (await session.scalars(select(Image.id))).all() == []
    assert (await session.scalars(select(DocumentImage))).all() == []


async def test_a_shelf_shows_the_products_of_now(storefront: Storefront, session: AsyncSession) -> None:
    await put_on_offer(session, "Dear", price=9_000)
    await put_on_offer(session, "Cheap", price=2_000)
    shelf = {"shelf": {"department": "men", "productKind": "shirts", "sort": "PRICE_ASCENDING", "most": 2}}
    await published(storefront, await updated(storefront, await created(storefront), shelf))

    before = await ask(storefront.visitor, SHELF)
    await put_on_offer(session, "Cheaper", price=1_000)
    after = await ask(storefront.visitor, SHELF)

    assert before["page"]["blocks"] == [
        {
            "sort": "PRICE_ASCENDING",
            "products": [{"name": "Cheap", "price": "20.00"}, {"name": "Dear", "price": "90.00"}],
        }
    ]
    assert [each["name"] for each in after["page"]["blocks"][0]["products"]] == ["Cheaper", "Cheap"]


async def test_pages_are_listed_newest_first_and_searched(storefront: Storefront) -> None:
    for key in ("linen", "cotton", "wool"):
        await created(storefront, key, f"Our {key}")

    first = (await ask(storefront.primary, ADMIN_PAGES))["admin"]["pages"]
    rest = (await ask(storefront.primary, ADMIN_PAGES, after=first["pageInfo"]["endCursor"]))["admin"]["pages"]
    matches = (await ask(storefront.primary, ADMIN_PAGES, search="OUR COT"))["admin"]["pages"]

    assert (first["totalCount"], [each["key"] for each in first["nodes"]]) == (3, ["wool", "cotton"])
    assert [each["key"] for each in rest["nodes"]] == ["linen"]
    assert [each["key"] for each in matches["nodes"]] == ["cotton"]


async def test_a_job_of_a_time_that_was_given_before_publishes_nothing(
    storefront: Storefront, session: AsyncSession
) -> None:
    """It may have been claimed at the moment at which the page got another time."""
    page = await created(storefront)
    await published(storefront, page, (datetime.now(UTC) + timedelta(hours=1)).isoformat())

    assert not await service.publish_due(session, AuditActor(None, "owner@shop.test"), UUID(page["id"]))
    assert (await session.scalars(select(Document.publications))).all() == [0]


async def test_a_job_of_a_page_that_is_gone_does_nothing(session: AsyncSession) -> None:
    assert not await service.publish_due(session, AuditActor(None, "owner@shop.test"), uuid4())


def test_the_texts_of_a_page_are_its_own() -> None:
    assert PageContent(PageTexts("A")).to_json() == {"title": "A", "description": "", "blocks": []}
