"""Cards, refunds and disputes, and the events that tell of them."""

import pytest
import stripe

from tests.demo.outside.conftest import Outside, Shop, order, until

FAILS_LATER, SETTLES, DECLINED, SECURE = (
    "4000000000000341",
    "4000000000000077",
    "4000000000000002",
    "4000002500003155",
)


def paid(client: stripe.StripeClient, outside: Outside, card: str = "4242424242424242") -> str:
    """The payment intent of a session paid with the card."""
    session = client.v1.checkout.sessions.create(order())
    outside.pay(session.id, card)
    intent = client.v1.checkout.sessions.retrieve(session.id).payment_intent
    assert isinstance(intent, str)
    return intent


def test_a_paid_session_is_complete_with_its_charge(client: stripe.StripeClient, outside: Outside, shop: Shop) -> None:
    session = client.v1.checkout.sessions.create(order())

    answer = outside.pay(session.id, email="ada@example.test", name="Ada Lindqvist")

    done = client.v1.checkout.sessions.retrieve(session.id, {"expand": ["payment_intent.latest_charge"]}).to_dict()
    assert answer.status_code == 200
    assert (done["status"], done["payment_status"], done["client_secret"]) == ("complete", "paid", None)
    assert done["customer_details"]["name"] == "Ada Lindqvist"
    assert done["payment_intent"]["metadata"] == {"checkout": "1"}
    assert done["payment_intent"]["amount_received"] == 27_400
    assert done["payment_intent"]["latest_charge"]["payment_method_details"]["card"]["last4"] == "4242"
    assert until(lambda: shop.about(session.id)) == ["checkout.session.completed"]
    assert outside.pay(session.id).status_code == 409


def test_a_payment_intent_and_a_charge_carry_what_the_library_requires(
    client: stripe.StripeClient, outside: Outside
) -> None:
    intent = client.v1.payment_intents.retrieve(paid(client, outside), {"expand": ["latest_charge"]})
    refund = client.v1.refunds.create({"payment_intent": intent.id})
    only_on_platforms = {"transfer"}

    assert isinstance(intent.latest_charge, stripe.Charge)
    for kind, thing in (
        (stripe.PaymentIntent, intent),
        (stripe.Charge, intent.latest_charge),
        (stripe.Refund, refund),
    ):
        declared = {name for name, of in kind.__annotations__.items() if "Optional" not in str(of)} - {"OBJECT_NAME"}
        assert declared - only_on_platforms - set(thing.to_dict()) == set()


def test_a_declined_card_leaves_the_session_open_for_another(
    client: stripe.StripeClient, outside: Outside, shop: Shop
) -> None:
    session = client.v1.checkout.sessions.create(order())

    declined = outside.pay(session.id, DECLINED)
    after = client.v1.checkout.sessions.retrieve(session.id, {"expand": ["payment_intent"]}).to_dict()
    outside.pay(session.id)

    assert declined.status_code == 402
    assert declined.json()["error"]["message"] == "Your card was declined."
    assert (after["status"], after["payment_status"]) == ("open", "unpaid")
    assert after["payment_intent"]["last_payment_error"]["code"] == "card_declined"
    assert client.v1.checkout.sessions.retrieve(session.id).payment_status == "paid"
    intent = after["payment_intent"]["id"]
    assert sorted(until(lambda: len(shop.about(intent)) == 2 and shop.about(intent))) == [
        "payment_intent.payment_failed",
        "payment_intent.succeeded",
    ]


def test_a_failed_3d_secure_step_is_a_decline(client: stripe.StripeClient, outside: Outside) -> None:
    session = client.v1.checkout.sessions.create(order())

    failed = outside.pay(session.id, SECURE, authenticate=False)
    passed = outside.pay(session.id, SECURE)

    assert failed.json()["error"]["code"] == "payment_intent_authentication_failure"
    assert passed.json()["session"]["payment_status"] == "paid"


@pytest.mark.parametrize(
    ("card", "payment_status", "event"),
    [
        (SETTLES, "paid", "checkout.session.async_payment_succeeded"),
        (FAILS_LATER, "unpaid", "checkout.session.async_payment_failed"),
    ],
)
def test_a_processing_payment_comes_to_its_end_by_itself(
    client: stripe.StripeClient, outside: Outside, shop: Shop, card: str, payment_status: str, event: str
) -> None:
    outside.tell("/_control/settings", settle_after_ms=100)
    session = client.v1.checkout.sessions.create(order())

    at_once = outside.pay(session.id, card).json()["session"]
    events = until(lambda: len(shop.about(session.id)) == 2 and shop.about(session.id))

    assert (at_once["status"], at_once["payment_status"]) == ("complete", "unpaid")
    assert events == ["checkout.session.completed", event]
    assert client.v1.checkout.sessions.retrieve(session.id).payment_status == payment_status


def test_refunds_give_back_in_parts_and_never_more_than_was_paid(
    client: stripe.StripeClient, outside: Outside, shop: Shop
) -> None:
    intent = paid(client, outside)

    first = client.v1.refunds.create({"payment_intent": intent, "amount": 7_400, "metadata": {"order": "1"}})
    with pytest.raises(stripe.InvalidRequestError) as too_much:
        client.v1.refunds.create({"payment_intent": intent, "amount": 20_001})
    rest = client.v1.refunds.create({"payment_intent": intent})
    with pytest.raises(stripe.InvalidRequestError) as nothing_left:
        client.v1.refunds.create({"payment_intent": intent})

    assert (first.status, first.amount, rest.amount) == ("succeeded", 7_400, 20_000)
    assert too_much.value.param == "amount"
    assert nothing_left.value.code == "charge_already_refunded"
    listed = client.v1.refunds.list({"payment_intent": intent})
    assert [item.id for item in listed.data] == [rest.id, first.id]
    assert isinstance(first.charge, str)
    charge = client.v1.charges.retrieve(first.charge)
    assert (charge.amount_refunded, charge.refunded) == (27_400, True)
    assert until(lambda: len(shop.about(charge.id)) == 2)


def test_a_refund_may_be_pending_first_and_one_may_fail_later(
    client: stripe.StripeClient, outside: Outside, shop: Shop
) -> None:
    outside.tell("/_control/settings", settle_after_ms=100)

    pending = client.v1.refunds.create({"payment_intent": paid(client, outside, "4000000000007726")})
    failing = client.v1.refunds.create({"payment_intent": paid(client, outside, "4000000000005126")})

    assert (pending.status, failing.status) == ("pending", "succeeded")
    until(lambda: "refund.failed" in shop.about(failing.id) and "refund.updated" in shop.about(pending.id))
    assert client.v1.refunds.retrieve(pending.id).status == "succeeded"
    assert client.v1.refunds.retrieve(failing.id).status == "failed"
    assert isinstance(failing.charge, str)
    assert client.v1.charges.retrieve(failing.charge).amount_refunded == 0


def test_a_dispute_is_told_and_ends_refunds(client: stripe.StripeClient, outside: Outside, shop: Shop) -> None:
    intent = paid(client, outside)

    dispute = outside.tell(f"/_control/payments/{intent}/dispute")["dispute"]
    with pytest.raises(stripe.InvalidRequestError) as refusal:
        client.v1.refunds.create({"payment_intent": intent})

    assert refusal.value.code == "charge_disputed"
    assert until(lambda: shop.about(dispute["id"])) == ["charge.dispute.created"]
    assert dispute["amount"] == 27_400


def test_any_refund_can_fail_once_and_its_money_is_on_the_charge_again(
    client: stripe.StripeClient, outside: Outside, shop: Shop
) -> None:
    intent = paid(client, outside)
    part = client.v1.refunds.create({"payment_intent": intent, "amount": 7_400})
    client.v1.refunds.create({"payment_intent": intent})

    for _ in range(2):
        failed = outside.tell(f"/_control/refunds/{part.id}/fail")["refund"]

    assert failed["status"] == "failed"
    assert isinstance(part.charge, str)
    charge = client.v1.charges.retrieve(part.charge)
    assert (charge.amount_refunded, charge.refunded) == (20_000, False)
    assert sorted(until(lambda: len(shop.about(part.id)) == 3 and shop.about(part.id))) == [
        "refund.created",
        "refund.failed",
        "refund.updated",
    ]


@pytest.mark.parametrize("outcome", ["won", "lost"])
def test_a_dispute_is_answered_and_only_a_won_one_lets_refunds_through_again(
    client: stripe.StripeClient, outside: Outside, shop: Shop, outcome: str
) -> None:
    intent = paid(client, outside)
    dispute = outside.tell(f"/_control/payments/{intent}/dispute")["dispute"]

    for status in ("under_review", outcome):
        outside.tell(f"/_control/disputes/{dispute['id']}/answer", status=status)

    assert client.v1.disputes.list({"payment_intent": intent}).data[0].status == outcome
    assert sorted(until(lambda: len(shop.about(dispute["id"])) == 3 and shop.about(dispute["id"]))) == [
        "charge.dispute.closed",
        "charge.dispute.created",
        "charge.dispute.updated",
    ]
    if outcome == "won":
        assert client.v1.refunds.create({"payment_intent": intent}).amount == 27_400
    else:
        with pytest.raises(stripe.InvalidRequestError):
            client.v1.refunds.create({"payment_intent": intent})


def test_an_unpaid_session_has_nothing_to_refund(client: stripe.StripeClient, outside: Outside) -> None:
    session = client.v1.checkout.sessions.create(order())
    outside.pay(session.id, DECLINED)
    intent = client.v1.checkout.sessions.retrieve(session.id).payment_intent

    with pytest.raises(stripe.InvalidRequestError, match="does not have a successful charge"):
        client.v1.refunds.create({"payment_intent": str(intent)})
