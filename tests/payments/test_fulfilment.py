"""A paid session becomes one order, whichever report of it comes first, and however often."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.catalog.models import Product, Variant
from server.identity import service as identity
from server.identity.models import User
from server.mail.messages import PaymentFailed
from server.orders import cancellations, checkouts, emails, payment_issues, queries
from server.orders import service as orders
from server.orders.models import Checkout, Order, OrderLine
from server.orders.service import CheckoutOutcome, PaymentState, ProviderPayment
from server.payments import provider_sessions, reconciliation
from server.payments import service as payments
from server.payments.errors import PaymentProviderDown
from server.payments.gateway import ProviderEvent, ProviderSession
from server.payments.models import Refund, WebhookEvent
from server.platform.core.db import begin
from server.platform.core.errors import NotFound
from tests.analytics.caught_up import facts_caught_up
from tests.cart.stock import make_shopper, number_of, stock_of
from tests.payments.conftest import Till
from tests.payments.provider import Provider
from tests.statements import ended_or_blocked

CONFIRMED = "Your order M-10001"
FAILS_LATER, PAYS_LATER = "4000000000000341", "4000000000000077"


async def started(till: Till) -> str:
    """The session of a newly opened payment."""
    checkout = await till.start()
    assert checkout.stripe_session_id is not None
    return checkout.stripe_session_id


async def the_order(session: AsyncSession) -> Order:
    """The one order there is, read anew."""
    await session.rollback()
    session.expire_all()
    return (await session.scalars(select(Order))).one()


async def is_due(session: AsyncSession, *, expired: bool = False) -> None:
    """As if the time of the sweep's next look had come, and, if so, the session's end."""
    past = datetime.now(UTC) - timedelta(seconds=1)
    await session.execute(update(Checkout).values({"check_at": past} | ({"expires_at": past} if expired else {})))
    await session.commit()


async def test_the_return_page_makes_the_order_with_its_own_copy(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.pay(session_id)

    settled = await payments.complete_checkout(till.env, till.shopper.id, session_id)

    assert settled.outcome is CheckoutOutcome.ORDERED
    order = await the_order(session)
    [line] = (await session.scalars(select(OrderLine))).all()
    assert (order.payment_status, order.total_cents, order.user_id) == ("paid", 9800, till.shopper.id)
    assert order.shipping_address["address1"] == "1 Quiet Street"
    assert order.payment_intent_id == provider.session(session_id)["payment_intent"]
    assert (line.name, line.color, line.size, line.quantity, line.unit_price_cents) == (
        "Oxford Shirt",
        "Indigo",
        "M",
        2,
        4900,
    )
    assert await till.mails() == [CONFIRMED]
    assert await till.in_cart() == []
    assert await stock_of(session, till.goods.variant_id) == 3
    await facts_caught_up(till.env.sessions)
    assert await session.scalar(select(Product.popularity)) == 2


async def test_the_webhook_alone_makes_the_order(till: Till, provider: Provider, session: AsyncSession) -> None:
    session_id = await started(till)
    provider.pay(session_id)

    for event in provider.news_of(session_id):
        await reconciliation.handle_event(till.env, event)

    assert (await the_order(session)).payment_status == "paid"
    assert await till.mails() == [CONFIRMED]


async def test_the_sweep_alone_makes_the_order(till: Till, provider: Provider, session: AsyncSession) -> None:
    session_id = await started(till)
    provider.pay(session_id)
    await is_due(session)

    await payments.sweep(till.env)

    assert (await the_order(session)).stripe_session_id == session_id
    assert await till.mails() == [CONFIRMED]


@pytest.mark.spec("states.checkout.once")
async def test_webhook_return_page_and_sweep_at_once_make_one_order(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.pay(session_id)
    await is_due(session)
    [completed] = [event for event in provider.news_of(session_id) if event.type == "checkout.session.completed"]

    await asyncio.gather(
        *(payments.complete_checkout(till.env, till.shopper.id, session_id) for _ in range(3)),
        *(reconciliation.handle_event(till.env, completed) for _ in range(3)),
        *(payments.sweep(till.env) for _ in range(2)),
    )

    assert (await the_order(session)).total_cents == 9800
    assert await number_of(session, OrderLine) == 1
    assert await till.mails() == [CONFIRMED]
    await facts_caught_up(till.env.sessions)
    assert await session.scalar(select(Product.popularity)) == 2
    assert await stock_of(session, till.goods.variant_id) == 3


async def test_the_same_event_three_times_at_once_counts_once(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.pay(session_id)
    [completed] = [event for event in provider.news_of(session_id) if event.type == "checkout.session.completed"]

    await asyncio.gather(*(reconciliation.handle_event(till.env, completed) for _ in range(3)))

    assert await number_of(session, WebhookEvent) == 1
    assert await number_of(session, Order) == 1


async def test_an_event_whose_effect_failed_is_not_noted_so_that_its_repeat_counts(
    till: Till, provider: Provider, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = await started(till)
    provider.pay(session_id)
    [completed] = [event for event in provider.news_of(session_id) if event.type == "checkout.session.completed"]
    with monkeypatch.context() as broken:

        async def fails(*_: object, **__: object) -> None:
            raise RuntimeError("the disk is full")

        broken.setattr(emails, "send_confirmation", fails)
        with pytest.raises(RuntimeError):
            await reconciliation.handle_event(till.env, completed)
    assert await number_of(session, WebhookEvent) == 0
    assert await number_of(session, Order) == 0

    await reconciliation.handle_event(till.env, completed)

    order = await the_order(session)
    assert order.payment_status == "paid"
    assert await till.mails() == [f"Your order {order.quoted}"]


async def test_news_of_others_is_ignored(till: Till, session: AsyncSession) -> None:
    for event in (
        ProviderEvent("evt_1", "checkout.session.completed", "cs_test_of_another_shop", None),
        ProviderEvent("evt_2", "customer.created", "cus_1", None),
        ProviderEvent("evt_3", "charge.refunded", "ch_1", None),
    ):
        await reconciliation.handle_event(till.env, event)

    assert await number_of(session, WebhookEvent) == 0


async def test_a_declined_card_makes_no_order(till: Till, provider: Provider, session: AsyncSession) -> None:
    session_id = await started(till)
    assert provider.pay(session_id, "4000000000000002") == 402

    settled = await payments.complete_checkout(till.env, till.shopper.id, session_id)

    assert settled.outcome is CheckoutOutcome.WAITING
    assert await number_of(session, Order) == 0
    assert await till.in_cart() == [2]
    assert provider.pay(session_id) == 200


async def test_somebody_elses_session_does_not_exist(till: Till, provider: Provider, session: AsyncSession) -> None:
    session_id = await started(till)
    provider.pay(session_id)
    stranger = await make_shopper(session)

    for user_id, other_id in ((stranger.id, session_id), (till.shopper.id, "cs_made_up"), (till.shopper.id, "\x00")):
        with pytest.raises(NotFound):
            await payments.complete_checkout(till.env, user_id, other_id)

    assert await number_of(session, Order) == 0


async def test_an_abandoned_checkout_gives_its_stock_back_once(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    await is_due(session, expired=True)

    await asyncio.gather(*(payments.sweep(till.env) for _ in range(3)))
    for event in provider.news_of(session_id):
        await reconciliation.handle_event(till.env, event)

    assert await stock_of(session, till.goods.variant_id) == 5
    assert provider.pay(session_id) == 409
    assert await session.scalar(select(Checkout.status)) == "released"
    assert await till.in_cart() == [2]


async def test_a_session_that_ends_by_itself_gives_its_stock_back(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.tell(f"/_control/sessions/{session_id}/expire")
    for event in provider.news_of(session_id):
        await reconciliation.handle_event(till.env, event)
    assert await stock_of(session, till.goods.variant_id) == 3, "its shopper may be just replacing it"

    await is_due(session)
    await payments.sweep(till.env)

    assert await stock_of(session, till.goods.variant_id) == 5


async def test_a_checkout_paid_in_its_last_second_is_fulfilled_and_not_released(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.pay(session_id)
    await is_due(session, expired=True)

    await payments.sweep(till.env)

    assert (await the_order(session)).payment_status == "paid"
    assert await stock_of(session, till.goods.variant_id) == 3


async def test_a_reservation_whose_start_died_is_released_after_its_session_is_closed(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    async with begin(till.env.sessions) as own:
        reservation = await checkouts.reserve(own, till.buyer, None)
    lost = await provider_sessions.session_of(till.env, reservation)
    await is_due(session)

    await payments.sweep(till.env)

    assert provider.pay(lost.id) == 409
    assert await stock_of(session, till.goods.variant_id) == 5


async def test_a_reservation_that_never_reached_the_provider_is_released(till: Till, session: AsyncSession) -> None:
    async with begin(till.env.sessions) as own:
        await checkouts.reserve(own, till.buyer, None)
    await is_due(session, expired=True)

    await payments.sweep(till.env)

    assert await stock_of(session, till.goods.variant_id) == 5


async def test_a_failure_that_the_provider_repeats_for_a_day_holds_nothing(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    await died_with_a_kept_failure(till, provider)
    await is_due(session)

    await payments.sweep(till.env)

    assert await stock_of(session, till.goods.variant_id) == 5


async def test_a_repeated_provider_failure_does_not_block_a_changed_cart(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    await died_with_a_kept_failure(till, provider)
    await till.put(3)

    checkout = await till.start()

    assert checkout.total_cents == 14_700
    assert await stock_of(session, till.goods.variant_id) == 2


async def died_with_a_kept_failure(till: Till, provider: Provider) -> None:
    """A start that the provider answered with a failure, and that died before it let its reservation go."""
    async with begin(till.env.sessions) as own:
        reservation = await checkouts.reserve(own, till.buyer, None)
    provider.fail("error", path="/v1/checkout/sessions")
    with pytest.raises(PaymentProviderDown):
        await provider_sessions.session_of(till.env, reservation)


async def test_a_sweep_waits_for_a_provider_that_is_away(till: Till, provider: Provider, session: AsyncSession) -> None:
    session_id = await started(till)
    provider.pay(session_id)
    await is_due(session, expired=True)
    provider.fail("unavailable", 3)

    await payments.sweep(till.env)
    assert await stock_of(session, till.goods.variant_id) == 3

    await is_due(session, expired=True)
    await payments.sweep(till.env)
    assert (await the_order(session)).payment_status == "paid"


async def test_checkouts_that_cannot_be_dealt_with_hold_up_none_of_a_sweep_s_others(
    till: Till, provider: Provider, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The provider answers nothing about the first, and what it answers about the second makes no sense."""
    tills = [till, *[Till(till.env, await make_shopper(session), till.goods) for _ in range(2)]]
    for each in tills[1:]:
        await cart.add_line(session, each.shopper.id, till.goods.variant_id, 1)
    await session.commit()
    silent, senseless, good = [await started(each) for each in tills]
    for session_id in (silent, senseless, good):
        provider.pay(session_id)
    await is_due(session)
    for place, session_id in enumerate((silent, senseless, good)):
        due = datetime.now(UTC) - timedelta(seconds=10 - place)
        await session.execute(update(Checkout).where(Checkout.stripe_session_id == session_id).values(check_at=due))
    await session.commit()
    provider.fail("unavailable", 10, path=f"/v1/checkout/sessions/{silent}")
    payment_of = reconciliation._report

    def bewildered(state: ProviderSession) -> ProviderPayment | None:
        if state.id == senseless:
            raise KeyError("amount_total")
        return payment_of(state)

    monkeypatch.setattr(reconciliation, "_report", bewildered)

    await payments.sweep(till.env)

    assert (await the_order(session)).user_id == tills[2].shopper.id
    waiting = select(Checkout.stripe_session_id, Checkout.check_at > func.now()).where(Checkout.status == "open")
    assert {tuple(row) for row in await session.execute(waiting)} == {(silent, True), (senseless, True)}


async def test_the_sweep_asks_less_often_as_a_checkout_ages_but_always_at_its_end(
    till: Till, session: AsyncSession
) -> None:
    await started(till)
    now = datetime.now(UTC)
    waits = []

    for age, left in ((1, 34), (20, 15), (33, 2), (60, -25)):
        created, expires = now - timedelta(minutes=age), now + timedelta(minutes=left)
        await session.execute(update(Checkout).values(created_at=created, expires_at=expires, check_at=now))
        await session.commit()
        async with begin(till.env.sessions) as own:
            [claimed] = await checkouts.due(own, 10)
        waits.append(round((claimed.check_at - now) / timedelta(minutes=1)))

    assert waits == [1, 10, 2, 10]


async def test_a_payment_on_its_way_is_an_order_that_waits(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.tell("/_control/settings", settle_after_ms=600_000)
    provider.pay(session_id, PAYS_LATER)

    settled = await payments.complete_checkout(till.env, till.shopper.id, session_id)

    assert settled.outcome is CheckoutOutcome.PROCESSING
    assert (await the_order(session)).payment_status == "processing"
    assert await till.mails() == []
    assert await till.in_cart() == []


async def test_money_that_arrives_later_makes_the_waiting_order_paid(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.tell("/_control/settings", settle_after_ms=600_000)
    provider.pay(session_id, PAYS_LATER)
    await payments.complete_checkout(till.env, till.shopper.id, session_id)
    provider.tell(f"/_control/payments/{provider.session(session_id)['payment_intent']}/settle")

    for event in provider.news_of(session_id):
        await reconciliation.handle_event(till.env, event)

    order = await the_order(session)
    assert order.payment_status == "paid"
    assert order.paid_at is not None
    assert await till.mails() == [CONFIRMED]
    assert await stock_of(session, till.goods.variant_id) == 3


async def test_money_that_does_not_arrive_fails_the_order_and_frees_its_stock_once(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.tell("/_control/settings", settle_after_ms=600_000)
    provider.pay(session_id, FAILS_LATER)
    await payments.complete_checkout(till.env, till.shopper.id, session_id)
    provider.tell(f"/_control/payments/{provider.session(session_id)['payment_intent']}/settle")

    for event in [*provider.news_of(session_id), *provider.news_of(session_id)]:
        await reconciliation.handle_event(till.env, event)
    settled = await payments.complete_checkout(till.env, till.shopper.id, session_id)

    assert settled.outcome is CheckoutOutcome.RELEASED
    assert (await the_order(session)).payment_status == "failed"
    assert await till.mails() == [PaymentFailed.subject]
    assert await stock_of(session, till.goods.variant_id) == 5
    assert await till.in_cart() == [2]


async def test_a_failed_payment_that_is_paid_after_all_takes_its_items_from_the_cart(
    till: Till, provider: Provider
) -> None:
    checkout = await till.start()
    session_id = str(checkout.stripe_session_id)
    for state in (PaymentState.PROCESSING, PaymentState.FAILED, PaymentState.PAID):
        async with begin(till.env.sessions) as own:
            report = ProviderPayment(session_id, checkout.id, state, 9800, "usd", "pi_1")
            settled = await orders.settle(own, report, shop_url="http://shop.test")

    assert settled.outcome is CheckoutOutcome.ORDERED
    assert await till.in_cart() == []


async def test_a_delayed_payment_first_heard_of_when_it_has_failed_is_a_failed_order_too(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.tell("/_control/settings", settle_after_ms=600_000)
    provider.pay(session_id, FAILS_LATER)
    provider.tell(f"/_control/payments/{provider.session(session_id)['payment_intent']}/settle")

    for event in provider.news_of(session_id):
        await reconciliation.handle_event(till.env, event)

    assert (await the_order(session)).payment_status == "failed"
    assert await till.mails() == [PaymentFailed.subject]
    assert await stock_of(session, till.goods.variant_id) == 5
    assert await till.in_cart() == [2]


@pytest.mark.parametrize(
    "late", [PaymentState.OPEN, PaymentState.PROCESSING, PaymentState.FAILED, PaymentState.EXPIRED]
)
async def test_old_news_never_undoes_paid(
    till: Till, provider: Provider, session: AsyncSession, late: PaymentState
) -> None:
    session_id = await started(till)
    provider.pay(session_id)
    settled = await payments.complete_checkout(till.env, till.shopper.id, session_id)

    async with begin(till.env.sessions) as own:
        again = await orders.settle(
            own, ProviderPayment(session_id, settled.checkout.id, late, 9800, "usd", None), shop_url="http://shop.test"
        )

    assert again.outcome is CheckoutOutcome.ORDERED
    assert (await the_order(session)).payment_status == "paid"
    assert await stock_of(session, till.goods.variant_id) == 3


async def test_what_was_put_in_after_the_payment_began_stays_in_the_cart(till: Till, provider: Provider) -> None:
    session_id = await started(till)
    await till.put(3)
    provider.pay(session_id)

    await payments.complete_checkout(till.env, till.shopper.id, session_id)

    assert await till.in_cart() == [1]


async def test_paid_after_release_is_fulfilled_while_there_is_stock(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    async with begin(till.env.sessions) as own:
        await checkouts.release(own, (await session.scalars(select(Checkout.id))).one())
    provider.pay(session_id)

    settled = await payments.complete_checkout(till.env, till.shopper.id, session_id)

    assert settled.outcome is CheckoutOutcome.ORDERED
    assert await stock_of(session, till.goods.variant_id) == 3


async def test_paid_but_no_longer_to_be_had_is_refunded_once_and_the_shopper_told(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    async with begin(till.env.sessions) as own:
        await checkouts.release(own, (await session.scalars(select(Checkout.id))).one())
    await session.execute(update(Variant).where(Variant.id == till.goods.variant_id).values(stock=1))
    await session.commit()
    provider.pay(session_id)

    outcomes = [await payments.complete_checkout(till.env, till.shopper.id, session_id) for _ in range(2)]
    for event in provider.news_of(session_id):
        await reconciliation.handle_event(till.env, event)
    await till.work()
    await till.work()

    assert [settled.outcome for settled in outcomes] == [CheckoutOutcome.UNFULFILLABLE] * 2
    assert provider.refunds_of(provider.session(session_id)["payment_intent"]) == [9800]
    assert await number_of(session, Order) == 0
    assert await session.scalar(select(Checkout.status)) == "refunding"
    assert (await session.scalars(select(Refund.status))).all() == ["succeeded"]
    assert await till.mails() == ["Your payment is refunded"]
    assert await stock_of(session, till.goods.variant_id) == 1


@pytest.mark.parametrize("in_dashboard", [3000, 9800])
async def test_a_payment_without_an_order_gets_back_only_what_the_dashboard_has_left(
    till: Till, provider: Provider, session: AsyncSession, in_dashboard: int
) -> None:
    session_id = await started(till)
    async with begin(till.env.sessions) as own:
        await checkouts.release(own, (await session.scalars(select(Checkout.id))).one())
    await session.execute(update(Variant).where(Variant.id == till.goods.variant_id).values(stock=1))
    await session.commit()
    provider.pay(session_id)
    intent = provider.session(session_id)["payment_intent"]
    provider.tell(f"/_control/payments/{intent}/refund", amount=in_dashboard)

    for event in provider.news_of(intent):
        await reconciliation.handle_event(till.env, event)
    await till.work()

    assert provider.refunds_of(intent) == ([9800] if in_dashboard == 9800 else [3000, 6800])
    assert (await session.scalars(select(Refund.status))).all() == ["succeeded"]
    assert await payment_issues.troubles(session, open_only=True, limit=10) == []


@pytest.mark.parametrize(("amount", "currency"), [(9799, "usd"), (9801, "usd"), (9800, "eur")])
async def test_a_payment_that_is_not_the_total_to_the_cent_makes_no_order(
    till: Till, session: AsyncSession, amount: int, currency: str
) -> None:
    checkout = await till.start()
    payment = ProviderPayment(
        checkout.stripe_session_id or "", checkout.id, PaymentState.PAID, amount, currency, "pi_elsewhere"
    )

    async with begin(till.env.sessions) as own:
        settled = await orders.settle(own, payment, shop_url="http://shop.test")

    assert settled.outcome is CheckoutOutcome.UNFULFILLABLE
    assert await number_of(session, Order) == 0
    assert await stock_of(session, till.goods.variant_id) == 5


async def test_a_total_of_nothing_needs_no_card(till: Till, session: AsyncSession) -> None:
    checkout = await till.start()
    await session.execute(update(Checkout).values(total_cents=0))
    await session.commit()
    payment = ProviderPayment(checkout.stripe_session_id or "", checkout.id, PaymentState.PAID, 0, "usd", None)

    async with begin(till.env.sessions) as own:
        settled = await orders.settle(own, payment, shop_url="http://shop.test")

    assert settled.outcome is CheckoutOutcome.ORDERED
    assert (await the_order(session)).total_cents == 0


async def test_an_account_deleted_while_its_payment_is_open_still_gets_its_order(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.pay(session_id)
    await session.execute(delete(User).where(User.id == till.shopper.id))
    await session.commit()

    for event in provider.news_of(session_id):
        await reconciliation.handle_event(till.env, event)

    order = await the_order(session)
    assert (order.user_id, order.email, order.payment_status) == (None, till.shopper.email, "paid")
    assert await till.mails() == [CONFIRMED]


async def deny_email(session: AsyncSession, user_id: UUID) -> None:
    """As who receives the account's mail does, up to the commit."""
    user = (await session.scalars(select(User).where(User.id == user_id).with_for_update())).one()
    has_bought = await queries.have_bought(session, user_id)
    await identity.give_up_email(session, user, None, has_bought=has_bought, shop_url="http://shop.test")


async def test_a_payment_during_an_email_denial_becomes_an_order_without_account(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.pay(session_id)

    async def deliver_events() -> None:
        for event in provider.news_of(session_id):
            await reconciliation.handle_event(till.env, event)

    async with begin(till.env.sessions) as denial:
        await deny_email(denial, till.shopper.id)
        news = asyncio.create_task(deliver_events())
        await ended_or_blocked(news, till.env.sessions)
        assert not news.done()
    await news

    order = await the_order(session)
    assert (order.user_id, order.email, order.payment_status) == (None, till.shopper.email, "paid")
    assert await session.get(User, till.shopper.id) is None


async def test_an_email_denied_during_fulfilment_detaches_the_account_from_the_order(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    checkout = await till.start()
    paid = ProviderPayment(
        checkout.stripe_session_id or "", checkout.id, PaymentState.PAID, checkout.total_cents, "usd", "pi_1"
    )

    async def deny() -> None:
        async with begin(till.env.sessions) as own:
            await deny_email(own, till.shopper.id)

    async with begin(till.env.sessions) as settling:
        await orders.settle(settling, paid, shop_url="http://shop.test")
        denial = asyncio.create_task(deny())
        await ended_or_blocked(denial, till.env.sessions)
        assert not denial.done()
    await denial

    order = await the_order(session)
    account = await session.get_one(User, till.shopper.id)
    assert (order.user_id, order.payment_status) == (till.shopper.id, "paid")
    assert account.email == f"{till.shopper.id}@no-mailbox.invalid"


async def test_a_cancellation_never_waits_for_late_news_of_its_checkout(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session_id = await started(till)
    provider.pay(session_id)
    await payments.complete_checkout(till.env, till.shopper.id, session_id)
    order = await the_order(session)

    async with begin(till.env.sessions) as news, begin(till.env.sessions) as own:
        await orders._locked(news, order.checkout_id or order.id)
        await own.execute(text("SET LOCAL lock_timeout = '2s'"))
        await cancellations.cancel(
            own, order.id, till.shopper.id, within=timedelta(hours=1), shop_url="http://localhost"
        )

    await session.refresh(order)
    assert order.fulfilment == "canceled"


async def test_events_are_forgotten_after_a_month_and_disputes_never(till: Till, session: AsyncSession) -> None:
    old, young = datetime.now(UTC) - timedelta(days=31), datetime.now(UTC) - timedelta(days=29)
    session.add(WebhookEvent(id="evt_old", type="charge.refunded", subject="ch_1", created_at=old))
    session.add(WebhookEvent(id="evt_young", type="charge.refunded", subject="ch_2", created_at=young))
    session.add(WebhookEvent(id="evt_dispute", type="charge.dispute.created", subject="dp_1", created_at=old))
    await session.commit()

    await reconciliation.tidy(till.env)

    await session.rollback()
    assert set(await session.scalars(select(WebhookEvent.id))) == {"evt_young", "evt_dispute"}
