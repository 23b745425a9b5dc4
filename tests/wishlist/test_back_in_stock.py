"""One mail to each address that waits for a sold-out variant."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest
from httpx import Response
from sqlalchemy import func, insert, select, update

from server.catalog.models import Product, Variant
from server.catalog.service import RESTOCKED, announce_restock
from server.identity.models import User
from server.mail import service as mail
from server.mail.gateway import compose
from server.mail.models import Mail
from server.platform.core.db import begin
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.models import Job, RateLimit
from server.wishlist import back_in_stock, unsubscribing
from server.wishlist.models import StockAlert
from tests.api.asking import ask
from tests.api.conftest import Shop
from tests.due_jobs import run_due

NOTIFY = """
mutation ($variant: ID!, $email: String) {
  notifyWhenBack(variantId: $variant, email: $email) {
    __typename
    ... on StockAlert { variantId email }
    ... on AlreadyInStock { variantId available }
    ... on UserError { message field }
  }
}
"""


def env(shop: Shop) -> JobEnvironment:
    return JobEnvironment(shop.sessions, shop.app.state.shop.resources)


async def set_stock(shop: Shop, stock: int) -> None:
    async with begin(shop.sessions) as session:
        await session.execute(update(Variant).values(stock=stock))


async def wish(shop: Shop, email: str | None, *, role: str = "visitor", variant: object = None) -> dict[str, object]:
    variant_id = str(variant or shop.people.variants[0])
    result: dict[str, object] = (await ask(shop, role, NOTIFY, variant=variant_id, email=email))["notifyWhenBack"]
    return result


async def a_minute_passes(shop: Shop) -> None:
    earlier = StockAlert.back_at - timedelta(seconds=61)
    async with begin(shop.sessions) as session:
        await session.execute(update(StockAlert).values(back_at=earlier))


async def work(shop: Shop, kind: str = RESTOCKED) -> None:
    """Until every job of the kind is done, by this worker or the shop's own."""
    worker = Worker(env(shop), back_in_stock.HANDLERS | unsubscribing.HANDLERS)
    async with asyncio.timeout(20), shop.sessions() as session:
        while await session.scalar(select(func.count()).where(Job.kind == kind)):
            await run_due(worker)
            await session.rollback()
            await asyncio.sleep(0.02)


async def mails(shop: Shop) -> list[tuple[str, str]]:
    async with shop.sessions() as session:
        rows = await session.execute(select(Mail.recipient, Mail.subject).order_by(Mail.recipient, Mail.id))
        return [(row.recipient, row.subject) for row in rows]


async def link(shop: Shop) -> str:
    """The path of the unsubscribe link in the latest mail."""
    async with shop.sessions() as session:
        body = (await session.scalars(select(Mail.text_body).order_by(Mail.id.desc()).limit(1))).one()
    match = re.search(r"http://localhost:23200(/unsubscribe\?token=[\w-]{43})", body)
    assert match is not None
    return match[1]


async def test_everybody_who_waits_gets_one_mail_once_it_has_been_back_for_a_minute(shop: Shop) -> None:
    await set_stock(shop, 0)
    for email in ("ann@b.test", " ANN@b.test", "bob@b.test"):
        assert (await wish(shop, email))["__typename"] == "StockAlert"

    await back_in_stock.sweep(env(shop))
    await set_stock(shop, 1)
    await back_in_stock.sweep(env(shop))
    too_early = await mails(shop)
    await a_minute_passes(shop)
    for _ in range(2):
        await asyncio.gather(*(back_in_stock.sweep(env(shop)) for _ in range(4)))

    assert too_early == []
    assert await mails(shop) == [
        ("ann@b.test", "Oxford Shirt is back in S"),
        ("bob@b.test", "Oxford Shirt is back in S"),
    ]


async def test_a_released_piece_that_is_taken_again_within_the_minute_does_not_count(shop: Shop) -> None:
    await set_stock(shop, 0)
    await wish(shop, "ann@b.test")

    await set_stock(shop, 1)
    await back_in_stock.sweep(env(shop))
    await a_minute_passes(shop)
    await set_stock(shop, 0)
    await back_in_stock.sweep(env(shop))
    await set_stock(shop, 1)
    await back_in_stock.sweep(env(shop))

    assert await mails(shop) == []


async def test_added_stock_counts_at_once(shop: Shop) -> None:
    await set_stock(shop, 0)
    await wish(shop, "ann@b.test")
    await wish(shop, "ann@b.test", variant=shop.people.variants[1])

    async with begin(shop.sessions) as session:
        await session.execute(update(Variant).values(stock=3))
        await announce_restock(session, [shop.people.variants[1]])
    await work(shop)

    assert await mails(shop) == [("ann@b.test", "Oxford Shirt is back in M")]


async def test_a_thousand_stock_alerts_are_sent_in_short_transactions(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(back_in_stock, "BATCH", 2)
    await set_stock(shop, 0)
    people = [f"ann{number}@b.test" for number in range(7)]
    async with begin(shop.sessions) as session:
        waiting = [{"variant_id": shop.people.variants[0], "email": email} for email in people]
        await session.execute(insert(StockAlert), waiting)
    await set_stock(shop, 9)
    enqueue, tries = mail.enqueue, []

    async def failing_once(*args: Any, **named: Any) -> bool:
        tries.append(named["to"])
        if len(tries) == 4:
            raise ConnectionError
        return await enqueue(*args, **named)

    monkeypatch.setattr(mail, "enqueue", failing_once)
    payload = {"variant_id": str(shop.people.variants[0])}

    with pytest.raises(ConnectionError):
        await back_in_stock.handle_restock(env(shop), payload)
    told_before_it_failed = [email for email, _ in await mails(shop)]
    await back_in_stock.handle_restock(env(shop), payload)

    assert told_before_it_failed == people[:2]
    assert [email for email, _ in await mails(shop)] == people


async def test_added_stock_that_is_gone_again_is_not_told_of(shop: Shop) -> None:
    await set_stock(shop, 0)
    await wish(shop, "ann@b.test")

    async with begin(shop.sessions) as session:
        await announce_restock(session, [shop.people.variants[0]])
    await work(shop)

    assert await mails(shop) == []


async def test_a_retired_product_is_not_told_of(shop: Shop) -> None:
    await set_stock(shop, 0)
    await wish(shop, "ann@b.test")

    async with begin(shop.sessions) as session:
        await session.execute(update(Variant).values(stock=1))
        await session.execute(update(Product).values(retired_at=func.now()))
    for _ in range(2):
        await back_in_stock.sweep(env(shop))
        await a_minute_passes(shop)

    assert await mails(shop) == []


async def test_who_was_told_may_wait_again(shop: Shop) -> None:
    for _ in range(2):
        await set_stock(shop, 0)
        await wish(shop, "ann@b.test")
        await set_stock(shop, 1)
        await back_in_stock.sweep(env(shop))
        await a_minute_passes(shop)
        await back_in_stock.sweep(env(shop))

    assert await mails(shop) == [("ann@b.test", "Oxford Shirt is back in S")] * 2


async def test_what_is_in_stock_need_not_be_waited_for(shop: Shop) -> None:
    answer = await wish(shop, "ann@b.test")

    assert (answer["__typename"], answer["variantId"], answer["available"], answer["message"]) == (
        "AlreadyInStock",
        str(shop.people.variants[0]),
        5,
        "This is in stock right now.",
    )


@pytest.mark.parametrize("email", ["", "ann", "ann@b", "a b@c.test", "x" * 250 + "@b.test", "ann\x00@b.test", None])
async def test_a_visitor_needs_a_real_address(shop: Shop, email: str | None) -> None:
    await set_stock(shop, 0)

    answer = await wish(shop, email)

    assert (answer["__typename"], answer["field"]) == ("InvalidInput", "email")
    assert answer["message"] == "Please enter a valid email"


async def test_who_is_signed_in_need_not_type_an_address_and_sees_what_is_waited_for(shop: Shop) -> None:
    await set_stock(shop, 0)

    answer = await wish(shop, None, role="shopper")
    seen = await ask(shop, "shopper", "{ viewer { stockAlerts { variantId email } } }")

    alert = {"variantId": str(shop.people.variants[0]), "email": "shopper@shop.test"}
    assert answer == {"__typename": "StockAlert", **alert}
    assert seen == {"viewer": {"stockAlerts": [alert]}}


@pytest.mark.parametrize("variant", ["made-up", uuid4(), "retired"])
async def test_what_is_not_sold_cannot_be_waited_for(shop: Shop, variant: object) -> None:
    async with begin(shop.sessions) as session:
        await session.execute(update(Product).values(retired_at=func.now()))
    variant_id = str(shop.people.variants[0] if variant == "retired" else variant)

    body = {"query": NOTIFY, "variables": {"variant": variant_id, "email": "ann@b.test"}}
    answer = await shop.clients["visitor"].post("/graphql", json=body)

    assert answer.json()["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_wishes_are_limited_by_e_mail_and_by_address(shop: Shop) -> None:
    await set_stock(shop, 0)

    same = [(await wish(shop, "ann@b.test"))["__typename"] for _ in range(21)]
    others = [(await wish(shop, f"{number}@b.test"))["__typename"] for number in range(11)]

    assert same == ["StockAlert"] * 20 + ["TooManyAttempts"]
    assert others == ["StockAlert"] * 10 + ["TooManyAttempts"]


async def tell(shop: Shop, *emails: str) -> None:
    await set_stock(shop, 0)
    for email in emails:
        await wish(shop, email)
    await set_stock(shop, 1)
    async with begin(shop.sessions) as session:
        await announce_restock(session, shop.people.variants)
    await work(shop)


async def left(shop: Shop) -> list[tuple[str, UUID]]:
    async with shop.sessions() as session:
        rows = select(StockAlert).where(StockAlert.mailed_at.is_(None)).order_by(StockAlert.email)
        return [(row.email, row.variant_id) for row in await session.scalars(rows)]


async def test_the_link_shows_a_button_and_the_button_ends_all_waiting_of_that_address(shop: Shop) -> None:
    await tell(shop, "ann@b.test")
    await set_stock(shop, 0)
    for email in ("ann@b.test", "bob@b.test"):
        await wish(shop, email, variant=shop.people.variants[1])
    path = await link(shop)
    visitor = shop.clients["visitor"]

    page = await visitor.get(path)
    after_looking = await left(shop)
    form = {"content-type": "application/x-www-form-urlencoded"}
    done = [await visitor.post(path, content="List-Unsubscribe=One-Click", headers=form) for _ in range(2)]

    assert (page.status_code, "Stop these mails?" in page.text) == (200, True)
    assert f'action="{path}"' in page.text
    assert [email for email, _ in after_looking] == ["ann@b.test", "bob@b.test"]
    assert [answer.status_code for answer in done] == [200, 200]
    assert "You will get no more of these mails" in done[0].text
    assert await left(shop) == [("bob@b.test", shop.people.variants[1])]


async def test_a_mail_program_may_end_it_without_a_page(shop: Shop) -> None:
    await tell(shop, "ann@b.test")
    path = await link(shop)
    async with shop.sessions() as session:
        message = compose((await session.scalars(select(Mail))).one(), "Minimal <shop@minimal.test>")
    visitor = shop.clients["visitor"]
    visitor.headers.pop("sec-fetch-site")
    form = {"content-type": "application/x-www-form-urlencoded"}

    answer = await visitor.post(path, content="List-Unsubscribe=One-Click", headers=form)

    assert answer.status_code == 200
    assert f"List-Unsubscribe: <http://localhost:23200{path}>\r\n".encode() in message.as_bytes()
    assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in message.as_bytes()


async def test_a_link_that_nobody_was_sent_ends_nothing(shop: Shop) -> None:
    await set_stock(shop, 0)
    await wish(shop, "ann@b.test")

    for query in ("", "?token=", '?token="><script>', "?token=%ED%A0%80", "?token=%00"):
        pages = [await shop.clients["visitor"].request(method, f"/unsubscribe{query}") for method in ("GET", "POST")]
        assert [page.status_code for page in pages] == [404, 404]
        assert "<script" not in pages[0].text
    assert [email for email, _ in await left(shop)] == ["ann@b.test"]


async def ask_for_link(shop: Shop, email: str) -> Response:
    form = {"content-type": "application/x-www-form-urlencoded"}
    return await shop.clients["visitor"].post("/unsubscribe/link", content=urlencode({"email": email}), headers=form)


async def mail_links(shop: Shop) -> None:
    async with begin(shop.sessions) as session:
        await session.execute(update(Job).where(Job.kind == unsubscribing.JOB).values(run_at=func.now()))
    await work(shop, unsubscribing.JOB)


async def test_the_page_of_an_expired_link_sends_a_new_one(shop: Shop) -> None:
    await set_stock(shop, 0)
    for variant in shop.people.variants[:2]:
        await wish(shop, "ann@b.test", variant=variant)
    await wish(shop, "bob@b.test")
    visitor = shop.clients["visitor"]

    expired = await visitor.get("/unsubscribe?token=made-up")
    sent = await ask_for_link(shop, " Ann@b.test")
    await mail_links(shop)
    path = await link(shop)
    done = [await visitor.post(path) for _ in range(2)]

    assert (expired.status_code, 'action="/unsubscribe/link"' in expired.text) == (404, True)
    assert (sent.status_code, "A new link is on its way" in sent.text) == (200, True)
    assert await mails(shop) == [("ann@b.test", "Your link to stop our mails")]
    assert [answer.status_code for answer in done] == [200, 200]
    assert [email for email, _ in await left(shop)] == ["bob@b.test"]


async def test_a_new_link_does_not_reveal_whether_alerts_wait(shop: Shop) -> None:
    await set_stock(shop, 0)
    await wish(shop, "ann@b.test")

    pages = [await ask_for_link(shop, email) for email in ("ann@b.test", "nobody@b.test")]
    await mail_links(shop)

    assert pages[0].text == pages[1].text
    assert [email for email, _ in await mails(shop)] == ["ann@b.test"]


async def test_the_mail_of_an_alert_has_a_link_in_the_place_of_the_one_asked_for(shop: Shop) -> None:
    await set_stock(shop, 0)
    await wish(shop, "ann@b.test")
    await ask_for_link(shop, "ann@b.test")
    await mail_links(shop)
    earlier = await link(shop)

    await set_stock(shop, 1)
    async with begin(shop.sessions) as session:
        await announce_restock(session, shop.people.variants)
    await work(shop)

    visitor = shop.clients["visitor"]
    assert [(await visitor.get(path)).status_code for path in (earlier, await link(shop))] == [404, 200]


@pytest.mark.parametrize("email", ["", "ann", '"><script>', "ann\x00@b.test"])
async def test_the_form_of_an_expired_link_says_what_is_wrong(shop: Shop, email: str) -> None:
    page = await ask_for_link(shop, email)

    assert page.status_code == 400
    assert "Please enter a valid email" in page.text
    assert "<script" not in page.text


async def test_new_links_are_limited_by_address(shop: Shop) -> None:
    pages = [await ask_for_link(shop, f"{number}@b.test") for number in range(31)]

    assert [page.status_code for page in pages] == [200] * 30 + [429]
    assert "Send a new link" in pages[-1].text
    assert int(pages[-1].headers["retry-after"]) > 0


async def test_another_sites_form_ends_nothing(shop: Shop) -> None:
    await tell(shop, "ann@b.test")
    path = await link(shop)
    foreign = {"sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded"}

    answer = await shop.clients["visitor"].post(path, content="", headers=foreign)

    assert answer.status_code == 403


async def test_leaving_the_shop_ends_waiting(shop: Shop) -> None:
    await set_stock(shop, 0)
    await wish(shop, "friend@b.test", role="shopper")
    await wish(shop, "shopper@shop.test")
    await wish(shop, "ann@b.test")
    async with begin(shop.sessions) as session:
        await session.execute(update(User).values(email_verified_at=datetime.now(UTC)))

    file = (await shop.clients["shopper"].get("/account/data")).json()
    await ask(shop, "shopper", "mutation { deleteAccount { __typename } }")

    assert [wish["email"] for wish in file["backInStockMails"]] == ["friend@b.test", "shopper@shop.test"]
    assert [email for email, _ in await left(shop)] == ["ann@b.test"]


async def test_old_links_are_forgotten(shop: Shop) -> None:
    await tell(shop, "ann@b.test", "bob@b.test")
    long_ago = datetime.now(UTC) - timedelta(days=61)
    async with begin(shop.sessions) as session:
        await session.execute(update(StockAlert).where(StockAlert.email == "ann@b.test").values(mailed_at=long_ago))

    await unsubscribing.tidy(env(shop))

    async with shop.sessions() as session:
        assert (await session.scalars(select(StockAlert.email))).all() == ["bob@b.test"]
        assert await session.scalar(select(func.count()).select_from(RateLimit)) == 3
