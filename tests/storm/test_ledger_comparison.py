"""The comparison of ledgers finds each fault that it is for, and nothing else."""

import smtplib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from uuid import uuid4

import pytest
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import SalesDay
from server.cart import service as cart
from server.cart.models import CartLine
from server.catalog.models import Product, StockMovement, Variant
from server.config import Settings
from server.mail import service as mail
from server.mail.gateway import SmtpServer
from server.orders.checkouts import Buyer
from server.orders.models import Checkout, Order
from server.payments import service as payments
from server.payments.gateway import NewSession, SessionLineItem, StripeGateway
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.resources import Resources
from server.pricing.shipping_rates import ShippingRatesCache
from server.shop.service import SettingsCache
from server.wiring import payment_gateway
from tests.analytics.caught_up import facts_caught_up
from tests.cart.stock import Goods, Shopper, make_shopper
from tests.due_jobs import run_due
from tests.inventory.shelf import make_shelf
from tests.payments.provider import Provider
from tests.storm import books
from tests.storm.books import Told
from tests.storm.ledgers import read_provider, read_shop


@dataclass
class Purchase:
    """Two of five shirts at $49.00, paid and confirmed; a third one of them lies in the cart again."""

    session: AsyncSession
    env: JobEnvironment
    provider: Provider
    shopper: Shopper
    goods: Goods
    order: Order
    told: Told = field(default_factory=Told)

    async def problems(self) -> list[str]:
        await facts_caught_up(self.env.sessions)
        return books.problems(await read_shop(self.session), read_provider(self.provider.data), self.told)

    async def plant(self, *statements: object) -> None:
        """Writes what the shop would never write."""
        for statement in statements:
            await self.session.execute(statement)  # type: ignore[call-overload]
        await self.session.commit()

    async def sku(self) -> str:
        return (await self.session.scalars(select(Variant.sku).where(Variant.id == self.goods.variant_id))).one()

    async def start(self) -> Checkout:
        """Another checkout, of what is in the cart now."""
        return await payments.start_checkout(self.env, Buyer(self.shopper.id, self.shopper.email))

    def write(self, message_id: str) -> None:
        """A confirmation of the order, as the mail server gets it."""
        message = EmailMessage()
        message["To"], message["Subject"] = self.shopper.email, f"Your order {self.order.quoted}"
        message["Message-ID"] = message_id
        with smtplib.SMTP("127.0.0.1", self.provider.ports[2]) as mailbox:
            mailbox.send_message(message, "shop@minimal.test", [self.shopper.email])

    async def pay_elsewhere(self, cents: int) -> str:
        """A payment with the shop's account that the shop knows nothing of; returns its id."""
        gateway = self.env.resources.get(StripeGateway)
        until_then = datetime.now(UTC) + timedelta(hours=1)
        new = NewSession(uuid4(), [SessionLineItem("Shirt", "Blue, M", cents, 1)], "usd", "a@minimal.test", until_then)
        form = await gateway.create_session(new, key=str(new.reference))
        assert self.provider.pay(form.id) == 200
        paid = (await gateway.retrieve_session(form.id)).payment_intent_id
        assert paid is not None
        return paid


@pytest.fixture
async def purchase(settings: Settings, sessions: Sessions, provider: Provider, session: AsyncSession) -> Purchase:
    provider.tell("/_control/reset")
    provider.quiet()
    smtp, gateway = SmtpServer(settings.mail_server, settings.mail_from), payment_gateway(settings)
    env = JobEnvironment(sessions, Resources(settings, gateway, smtp, SettingsCache(settings), ShippingRatesCache()))
    goods, shopper = await make_shelf(session, price=4900, stock=5), await make_shopper(session)
    await put(sessions, shopper, goods, 2)
    form = (await payments.start_checkout(env, Buyer(shopper.id, shopper.email))).stripe_session_id or ""
    assert provider.pay(form) == 200
    await payments.complete_checkout(env, shopper.id, form)
    assert await run_due(Worker(env, mail.HANDLERS))
    await put(sessions, shopper, goods, 1)
    order = (await session.scalars(select(Order))).one()
    session.expunge_all()
    purchase = Purchase(session, env, provider, shopper, goods, order)
    purchase.told.put[shopper.email][goods.variant_id] = 3
    purchase.told.ordered.add(order.id)
    purchase.told.stocked[goods.variant_id] = 5
    return purchase


async def put(sessions: Sessions, shopper: Shopper, goods: Goods, pieces: int) -> None:
    async with begin(sessions) as session:
        await cart.add_line(session, shopper.id, goods.variant_id, pieces)


async def test_nothing_is_wrong_with_a_purchase(purchase: Purchase) -> None:
    assert await purchase.problems() == []


async def test_a_payment_without_an_order_is_found(purchase: Purchase) -> None:
    payment = await purchase.pay_elsewhere(1_234)

    assert await purchase.problems() == [f"Payment {payment} of 1234 cents has no order, and 0 cents of it went back."]


async def test_a_partly_refunded_payment_needs_an_order_and_a_fully_refunded_one_does_not(
    purchase: Purchase,
) -> None:
    payment = await purchase.pay_elsewhere(1_234)
    purchase.provider.tell(f"/_control/payments/{payment}/refund", amount=1_000)
    in_part = await purchase.problems()
    purchase.provider.tell(f"/_control/payments/{payment}/refund", amount=234)

    assert in_part == [f"Payment {payment} of 1234 cents has no order, and 1000 cents of it went back."]
    assert await purchase.problems() == []


async def test_a_second_order_of_one_payment_is_found(purchase: Purchase) -> None:
    first = purchase.order
    copied = {column.name: getattr(first, column.key) for column in Order.__table__.columns if not column.computed}
    number = first.number + 1
    own = {"id": uuid4(), "number": number, "checkout_id": None, "stripe_session_id": None}
    await purchase.plant(insert(Order.__table__).values({**copied, **own}))  # type: ignore[arg-type]
    purchase.order = (await purchase.session.scalars(select(Order).where(Order.number == number))).one()
    purchase.session.expunge_all()
    purchase.write("<second@localhost>")

    assert await purchase.problems() == [f"Payment {first.payment_intent_id} has 2 orders: {first.quoted}, M-{number}."]


async def test_an_order_without_a_payment_is_found(purchase: Purchase) -> None:
    await purchase.plant(update(Order).values(payment_intent_id="pi_nobodys"))

    assert await purchase.problems() == [
        f"Payment {purchase.order.payment_intent_id} of 9800 cents has no order, and 0 cents of it went back.",
        f"Order {purchase.order.quoted} has 0 captured payments.",
    ]


async def test_an_order_of_another_amount_than_was_paid_is_found(purchase: Purchase) -> None:
    await purchase.plant(update(Order).values(total_cents=9_799))

    assert await purchase.problems() == [f"Order {purchase.order.quoted} comes to 9799 cents, 9800 were paid."]


async def test_a_paid_order_that_counts_as_failed_is_found(purchase: Purchase) -> None:
    payment = purchase.order.payment_intent_id
    await purchase.plant(update(Order).values(payment_status="failed"), update(Variant).values(stock=5))
    movement = {"variant_id": purchase.goods.variant_id, "quantity": 2, "reason": "adjustment"}
    await purchase.plant(insert(StockMovement).values(movement))

    assert await purchase.problems() == [
        f"Payment {payment} of 9800 cents has no order, and 0 cents of it went back.",
        f"Order {purchase.order.quoted} counts as failed, but it was paid.",
        f"Order {purchase.order.quoted} was confirmed, but it is failed.",
        f"1 pieces of {await purchase.sku()} are in the cart of {purchase.order.email}; 3 should be.",
    ]


async def test_a_refund_that_the_shop_does_not_know_of_is_found(purchase: Purchase) -> None:
    purchase.provider.quiet()
    purchase.provider.tell(f"/_control/payments/{purchase.order.payment_intent_id}/refund", amount=500)

    assert await purchase.problems() == [f"Of order {purchase.order.quoted} 500 cents went back, the shop knows of 0."]


async def test_a_canceled_order_whose_money_stays_is_found(purchase: Purchase) -> None:
    back = {"variant_id": purchase.goods.variant_id, "quantity": 2, "reason": "cancellation"}
    await purchase.plant(
        update(Order).values(canceled_at=datetime.now(UTC)),
        update(Variant).values(stock=5),
        insert(StockMovement).values(**back, order_id=purchase.order.id),
    )

    assert await purchase.problems() == [f"Order {purchase.order.quoted} is canceled, but only 0 cents went back."]


async def test_a_missing_confirmation_is_found(purchase: Purchase) -> None:
    await purchase.plant(update(Order).values(number=purchase.order.number + 1))

    assert await purchase.problems() == [f"Order M-{purchase.order.number + 1} was confirmed by 0 mails."]


async def test_a_second_message_id_is_found_and_the_same_one_again_is_no_fault(purchase: Purchase) -> None:
    [message_id] = [letter.message_id for letter in read_provider(purchase.provider.data).letters]
    purchase.write(message_id)
    repeated = await purchase.problems()
    purchase.write("<second@localhost>")

    assert repeated == []
    assert await purchase.problems() == [f"Order {purchase.order.quoted} was confirmed by 2 mails."]


async def test_a_lost_piece_is_found(purchase: Purchase) -> None:
    await purchase.plant(update(Variant).values(stock=2))

    assert await purchase.problems() == [
        f"{await purchase.sku()}: -1 pieces of the stock are not explained by its ledger."
    ]


async def test_pieces_that_are_sold_twice_are_found_though_the_stock_ledger_adds_up(purchase: Purchase) -> None:
    sale = {"variant_id": purchase.goods.variant_id, "quantity": -2, "reason": "sale", "order_id": purchase.order.id}
    await purchase.plant(update(Variant).values(stock=1), insert(StockMovement).values(sale))

    assert await purchase.problems() == [
        f"{await purchase.sku()}: 5 pieces at first, 2 sold, 0 held and 0 returned leave 3, and there are 1."
    ]


async def canceled(purchase: Purchase, restocked: int) -> None:
    """Calls the order off and sends all its money back; so many pieces come back, with a movement for each two."""
    purchase.provider.tell(f"/_control/payments/{purchase.order.payment_intent_id}/refund", amount=9_800)
    order = {"canceled_at": datetime.now(UTC), "refunded_cents": 9_800, "payment_status": "refunded"}
    back = {"variant_id": purchase.goods.variant_id, "quantity": 2, "reason": "cancellation"}
    moved = [insert(StockMovement).values(**back, order_id=purchase.order.id) for _ in range(restocked // 2)]
    await purchase.plant(update(Order).values(**order), update(Variant).values(stock=3 + restocked), *moved)


async def test_nothing_is_wrong_with_a_canceled_order_whose_pieces_came_back(purchase: Purchase) -> None:
    await canceled(purchase, restocked=2)

    assert await purchase.problems() == []


@pytest.mark.parametrize(("restocked", "there"), [(0, 3), (4, 7)])
async def test_items_returned_twice_or_never_are_found_in_a_consistent_ledger(
    purchase: Purchase, restocked: int, there: int
) -> None:
    await canceled(purchase, restocked)

    assert await purchase.problems() == [
        f"{await purchase.sku()}: 5 pieces at first, 2 sold, 0 held and 2 returned leave 5, and there are {there}."
    ]


async def test_pieces_that_reports_count_twice_or_products_never_are_found(purchase: Purchase) -> None:
    await purchase.problems()
    await purchase.plant(update(SalesDay).values(units=4), update(Product).values(popularity=0))

    assert await purchase.problems() == [
        "2 pieces were sold, and reports show 4.",
        "2 pieces were sold, and products are popular by 0.",
    ]


async def test_a_reservation_that_stays_is_found(purchase: Purchase) -> None:
    held = await purchase.start()
    email = purchase.shopper.email

    assert await purchase.problems() == [
        f"Checkout {held.id} of {email} still holds its pieces; its card form is open."
    ]


async def test_a_card_form_that_outlives_its_reservation_is_found(purchase: Purchase) -> None:
    held = await purchase.start()
    released = update(Checkout).where(Checkout.id == held.id).values(status="released")
    await purchase.plant(released, update(Variant).values(stock=3))
    email = purchase.shopper.email

    assert await purchase.problems() == [
        f"Checkout {held.id} of {email} is released, and its card form still takes money."
    ]


async def test_a_lost_line_of_a_cart_is_found(purchase: Purchase) -> None:
    await purchase.plant(delete(CartLine))

    email = purchase.shopper.email
    assert await purchase.problems() == [f"0 pieces of {await purchase.sku()} are in the cart of {email}; 1 should be."]


async def test_what_was_perhaps_put_into_a_cart_may_be_there_or_not(purchase: Purchase) -> None:
    purchase.told.perhaps[purchase.shopper.email][purchase.goods.variant_id] = 1
    without = await purchase.problems()
    await purchase.plant(update(CartLine).values(quantity=2))
    with_it = await purchase.problems()
    await purchase.plant(update(CartLine).values(quantity=3))

    assert (without, with_it) == ([], [])
    assert len(await purchase.problems()) == 1


async def test_an_order_that_its_buyer_saw_and_that_is_gone_is_found(purchase: Purchase) -> None:
    shown = uuid4()
    purchase.told.ordered.add(shown)

    assert await purchase.problems() == [f"A shopper was shown the order {shown}, which is not in the books."]


async def test_an_order_that_goes_on_though_its_buyer_was_told_otherwise_is_found(purchase: Purchase) -> None:
    purchase.told.canceled.add(purchase.order.id)

    assert await purchase.problems() == [
        f"The buyer of {purchase.order.quoted} was told that it is canceled, and it is not."
    ]


async def test_an_order_that_waits_for_its_payment_for_ever_is_found(purchase: Purchase) -> None:
    await purchase.plant(text("ALTER TABLE orders DISABLE TRIGGER ALL"))
    await purchase.plant(update(Order).values(payment_status="processing"), update(Variant).values(stock=5))
    movement = {"variant_id": purchase.goods.variant_id, "quantity": 2, "reason": "adjustment"}
    await purchase.plant(insert(StockMovement).values(movement))

    assert f"Order {purchase.order.quoted} still waits for its payment." in await purchase.problems()
