"""Open reservations in the back office, and their end by an admin."""

import asyncio
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.cart import service as cart
from server.identity.models import User
from server.orders import checkouts
from server.orders.checkouts import HELD_FOR, Buyer
from server.orders.models import Checkout, Order
from server.orders.service import CheckoutOutcome, SettledCheckout
from server.payments import service as payments
from server.payments.errors import PaymentProviderDown
from server.platform.core.db import begin
from server.platform.core.errors import NotFound
from tests.cart.stock import make_product, make_shopper, number_of, stock_of
from tests.payments.conftest import Customer, OpenShop, Till
from tests.payments.provider import Provider
from tests.payments.refunds import ADMIN

LIST = """
query ($first: Int!, $after: String) { admin { reservations(first: $first, after: $after) {
  totalCount
  pageInfo { hasNextPage endCursor }
  nodes { id buyerId name email total hasPaymentForm since until lines { name color size sku quantity variantId } }
} } }
"""
END = """
mutation ($id: ID!) { releaseReservation(id: $id) {
  __typename
  ... on UserError { message }
  ... on ReservationOrdered { order { number paymentStatus } }
} }
"""


async def end(till: Till, checkout_id: UUID) -> SettledCheckout:
    return await payments.end_reservation(till.env, checkout_id, actor=ADMIN)


async def entries(session: AsyncSession) -> list[AuditEntry]:
    await session.rollback()
    return list(await session.scalars(select(AuditEntry).where(AuditEntry.subject_kind == "reservation")))


async def unattached(till: Till) -> UUID:
    """A reservation whose session has not been created, or not been stored yet."""
    async with begin(till.env.sessions) as own:
        return (await checkouts.reserve(own, till.buyer, None)).checkout.id


async def test_ending_expires_the_session_and_returns_the_stock_once(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    checkout = await till.start()
    sku = (await checkouts.lines_of(session, checkout.id))[0].sku

    ended = [await end(till, checkout.id) for _ in range(2)]

    assert [each.outcome for each in ended] == [CheckoutOutcome.RELEASED] * 2
    assert provider.session(checkout.stripe_session_id or "")["status"] == "expired"
    assert provider.pay(checkout.stripe_session_id or "") == 409
    assert await stock_of(session, till.goods.variant_id) == 5
    [entry] = await entries(session)
    assert (entry.action, entry.actor_email) == ("reservation ended", ADMIN.email)
    assert (entry.subject_id, entry.subject_label) == (str(checkout.id), till.shopper.email)
    assert entry.before == {
        "items": [f"2 x {sku}"],
        "total_cents": 9800,
        "expires_at": checkout.expires_at.isoformat(),
    }


async def test_two_admins_at_once_end_a_reservation_once(till: Till, session: AsyncSession) -> None:
    checkout = await till.start()

    ended = await asyncio.gather(*(end(till, checkout.id) for _ in range(4)))

    assert {each.outcome for each in ended} == {CheckoutOutcome.RELEASED}
    assert await stock_of(session, till.goods.variant_id) == 5
    assert len(await entries(session)) == 1


async def test_ended_reservation_may_be_followed_by_another(till: Till, session: AsyncSession) -> None:
    first = await till.start()
    await end(till, first.id)

    second = await till.start()

    assert second.id != first.id
    assert await stock_of(session, till.goods.variant_id) == 3


@pytest.mark.parametrize("state", ["paid", "processing"])
async def test_reservation_paid_meanwhile_becomes_its_order(
    till: Till, provider: Provider, session: AsyncSession, state: str
) -> None:
    checkout = await till.start()
    card = {"paid": "4242424242424242", "processing": "4000000000000077"}[state]
    assert provider.pay(checkout.stripe_session_id or "", card) == 200

    settled = await end(till, checkout.id)
    again = await end(till, checkout.id)

    assert settled.order is not None
    assert again.order is not None
    assert again.order.id == settled.order.id
    assert settled.outcome is {"paid": CheckoutOutcome.ORDERED, "processing": CheckoutOutcome.PROCESSING}[state]
    assert await number_of(session, Order) == 1
    assert await stock_of(session, till.goods.variant_id) == 3
    assert await entries(session) == []


async def test_reservation_without_a_stored_session_can_no_longer_be_paid(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    checkout_id = await unattached(till)

    ended = await end(till, checkout_id)

    assert ended.outcome is CheckoutOutcome.RELEASED
    sessions = [each for each in provider.ledger("sessions") if each["client_reference_id"] == str(checkout_id)]
    assert [each["status"] for each in sessions] == ["expired"]
    assert await stock_of(session, till.goods.variant_id) == 5


async def test_reservation_stays_while_the_provider_is_down(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    checkout = await till.start()
    provider.fail("unavailable", count=50)

    with pytest.raises(PaymentProviderDown):
        await end(till, checkout.id)

    provider.quiet()
    assert await stock_of(session, till.goods.variant_id) == 3
    assert await entries(session) == []
    assert (await end(till, checkout.id)).outcome is CheckoutOutcome.RELEASED
    provider.fail("unavailable", count=50)
    assert (await end(till, checkout.id)).outcome is CheckoutOutcome.RELEASED


async def test_no_such_reservation_is_not_found(till: Till) -> None:
    with pytest.raises(NotFound):
        await end(till, uuid4())


async def let_in_as(open_shop: OpenShop, session: AsyncSession, role: str) -> Customer:
    person = await make_shopper(session, "Grace Hopper")
    await session.execute(update(User).where(User.id == person.id).values(role=role))
    await session.commit()
    return await open_shop.let_in(person)


async def test_admins_list_and_end_reservations(
    till: Till, open_shop: OpenShop, provider: Provider, session: AsyncSession
) -> None:
    admin = await let_in_as(open_shop, session, "admin")
    socks = await make_product(session, name="Socks", price=900)
    await cart.add_line(session, till.shopper.id, socks.variant_id, 3)
    await session.commit()
    checkout = await till.start()

    [node] = (await admin.ask(LIST, first=10))["admin"]["reservations"]["nodes"]
    ended = await admin.ask(END, id=node["id"])
    after = (await admin.ask(LIST, first=10))["admin"]["reservations"]

    pieces = [(line["name"], line["color"], line["size"], line["quantity"]) for line in node.pop("lines")]
    assert sorted(pieces) == [("Oxford Shirt", "Indigo", "M", 2), ("Socks", "Indigo", "M", 3)]
    assert node == {
        "id": str(checkout.id),
        "buyerId": str(till.shopper.id),
        "name": "Ada Lovelace",
        "email": till.shopper.email,
        "total": "125.00",
        "hasPaymentForm": True,
        "since": node["since"],
        "until": node["until"],
    }
    assert ended == {"releaseReservation": {"__typename": "ReservationReleased"}}
    assert (after["nodes"], after["totalCount"]) == ([], 0)
    assert provider.session(checkout.stripe_session_id or "")["status"] == "expired"
    assert await stock_of(session, socks.variant_id) == 5


async def test_list_is_paged_and_costs_no_statement_per_row(
    till: Till, open_shop: OpenShop, session: AsyncSession
) -> None:
    admin = await let_in_as(open_shop, session, "admin")
    ids = []
    for _ in range(5):
        shopper, goods = await make_shopper(session), await make_product(session)
        await cart.add_line(session, shopper.id, goods.variant_id)
        await session.commit()
        async with begin(till.env.sessions) as own:
            ids.append((await checkouts.reserve(own, Buyer(shopper.id, shopper.email), None)).checkout.id)
    await session.execute(update(Checkout).values(check_at=func.now() + HELD_FOR))
    await session.commit()
    await admin.ask(LIST, first=1)

    answer, statements = await admin.ask_counted(LIST, first=3)
    first = answer["admin"]["reservations"]
    second = (await admin.ask(LIST, first=3, after=first["pageInfo"]["endCursor"]))["admin"]["reservations"]

    pages = [[UUID(node["id"]) for node in page["nodes"]] for page in (first, second)]
    assert pages == [ids[:1:-1], ids[1::-1]]
    assert [page["pageInfo"]["hasNextPage"] for page in (first, second)] == [True, False]
    assert first["totalCount"] == 5
    assert not first["nodes"][0]["hasPaymentForm"]
    assert 1 < len(statements) <= 4, statements


async def test_reservation_paid_before_its_end_is_shown_as_its_order(
    till: Till, open_shop: OpenShop, provider: Provider, session: AsyncSession
) -> None:
    provider.quiet()
    admin = await let_in_as(open_shop, session, "admin")
    checkout = await till.start()
    assert provider.pay(checkout.stripe_session_id or "") == 200

    ended = (await admin.ask(END, id=str(checkout.id)))["releaseReservation"]

    assert ended["__typename"] == "ReservationOrdered"
    assert ended["order"]["paymentStatus"] == "PAID"


async def test_shoppers_neither_see_nor_end_reservations(
    till: Till, open_shop: OpenShop, provider: Provider, session: AsyncSession
) -> None:
    checkout = await till.start()
    shopper = await open_shop.let_in(till.shopper)

    seen = await shopper.ask(LIST, first=10)
    refused: httpx.Response = await shopper.browser.post(
        "/graphql", json={"query": END, "variables": {"id": str(checkout.id)}}
    )

    assert seen == {"admin": None}
    assert refused.json()["errors"][0]["extensions"]["code"] == "FORBIDDEN"
    assert provider.session(checkout.stripe_session_id or "")["status"] == "open"
    assert await stock_of(session, till.goods.variant_id) == 3
