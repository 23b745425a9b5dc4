"""Stripe's checkout sessions, spoken to with Stripe's own library."""

import time
from typing import Any

import httpx
import pytest
import stripe

from demo.outside import keys
from tests.demo.outside.conftest import Outside, Shop, order, until


def refused(client: stripe.StripeClient, **changes: Any) -> stripe.InvalidRequestError:
    with pytest.raises(stripe.InvalidRequestError) as refusal:
        client.v1.checkout.sessions.create(order(**changes))
    return refusal.value


def line(**changes: Any) -> dict[str, Any]:
    data = {"currency": "usd", "unit_amount": 9600, "product_data": {"name": "Straight Jean"}}
    return {"price_data": data, "quantity": 1, **changes}


def test_a_session_adds_up_lines_discount_and_shipping_to_the_cent(client: stripe.StripeClient) -> None:
    coupon = client.v1.coupons.create({"amount_off": 1001, "currency": "usd", "duration": "once", "name": "WELCOME"})
    rate: Any = {"display_name": "PostNord", "fixed_amount": {"amount": 600, "currency": "usd"}, "type": "fixed_amount"}

    session = client.v1.checkout.sessions.create(
        order(discounts=[{"coupon": coupon.id}], shipping_options=[{"shipping_rate_data": rate}])
    )

    assert (session.amount_subtotal, session.amount_total) == (27_400, 27_400 - 1001 + 600)
    assert session.total_details is not None
    assert session.total_details.to_dict() == {"amount_discount": 1001, "amount_shipping": 600, "amount_tax": 0}
    assert (session.status, session.payment_status, session.payment_intent) == ("open", "unpaid", None)
    assert session.client_secret is not None
    assert session.client_secret.startswith(f"{session.id}_secret_")


def test_the_discount_is_shared_over_the_lines_without_losing_a_cent(client: stripe.StripeClient) -> None:
    coupon = client.v1.coupons.create({"amount_off": 1000, "currency": "usd", "duration": "once"})
    session = client.v1.checkout.sessions.create(
        order(line_items=[line(), line(), line()], discounts=[{"coupon": coupon.id}])
    )

    lines = client.v1.checkout.sessions.line_items.list(session.id).data

    assert [item.amount_discount for item in lines] == [334, 333, 333]


def test_a_session_carries_every_field_that_the_library_declares(client: stripe.StripeClient) -> None:
    only_when_expanded_or_absent = {"line_items", "payment_method_configuration_details"}
    declared = set(stripe.checkout.Session.__annotations__) - {"OBJECT_NAME"} - only_when_expanded_or_absent

    session = client.v1.checkout.sessions.create(order())

    assert declared - set(session.to_dict()) == set()


@pytest.mark.parametrize(
    ("changes", "param", "code"),
    [
        ({"ui_mode": "embedded"}, "ui_mode", None),
        ({"success_url": "http://localhost:8000/"}, "success_url", None),
        ({"cancel_url": "http://localhost:8000/"}, "cancel_url", None),
        ({"return_url": None}, "return_url", "parameter_missing"),
        ({"return_url": "/payment/return"}, "return_url", "url_invalid"),
        ({"expires_at": int(time.time()) + 600}, "expires_at", None),
        ({"expires_at": int(time.time()) + 90_000}, "expires_at", None),
        ({"line_items": None}, "line_items", "parameter_missing"),
        ({"line_items": [line()] * 101}, "line_items", None),
        ({"line_items": [line(quantity=0)]}, "line_items[0][quantity]", "parameter_invalid_integer"),
        ({"line_items": [line(colour="blue")]}, "line_items[0][colour]", "parameter_unknown"),
        (
            {"line_items": [{"price_data": {"currency": "usd", "unit_amount": "9.60"}, "quantity": 1}]},
            "line_items[0][price_data][unit_amount]",
            "parameter_invalid_integer",
        ),
        ({"payment_method_types": ["card"]}, "payment_method_types", "parameter_unknown"),
        ({"metadata": {"key": "x" * 501}}, "metadata[key]", None),
        ({"discounts": [{"coupon": "nothing"}]}, "discounts[0][coupon]", "resource_missing"),
    ],
)
def test_what_stripe_would_refuse_is_refused(
    client: stripe.StripeClient, changes: dict[str, Any], param: str, code: str | None
) -> None:
    refusal = refused(client, **changes)

    assert (refusal.http_status, refusal.param, refusal.code) == (400, param, code)


def test_a_total_of_one_to_49_cents_is_refused_and_0_needs_no_card(
    client: stripe.StripeClient, outside: Outside, shop: Shop
) -> None:
    cheap = {"currency": "usd", "unit_amount": 49, "product_data": {"name": "Button"}}
    free = {"currency": "usd", "unit_amount": 0, "product_data": {"name": "Button"}}

    assert refused(client, line_items=[line(price_data=cheap)]).code == "amount_too_small"
    session = client.v1.checkout.sessions.create(order(line_items=[line(price_data=free)]))
    outside.pay(session.id)

    done = client.v1.checkout.sessions.retrieve(session.id)
    assert (done.status, done.payment_status, done.payment_intent) == ("complete", "no_payment_required", None)


def test_an_expired_session_cannot_be_paid_and_a_paid_one_cannot_be_expired(
    client: stripe.StripeClient, outside: Outside, shop: Shop
) -> None:
    expired, paid = (client.v1.checkout.sessions.create(order()) for _ in range(2))
    client.v1.checkout.sessions.expire(expired.id)
    outside.pay(paid.id)

    answer = outside.pay(expired.id)
    with pytest.raises(stripe.InvalidRequestError) as refusal:
        client.v1.checkout.sessions.expire(paid.id)

    assert answer.status_code == 409
    assert "complete" in str(refusal.value)
    assert client.v1.checkout.sessions.retrieve(expired.id).status == "expired"
    assert until(lambda: shop.about(expired.id)) == ["checkout.session.expired"]


def test_expansion_opens_ids_and_refuses_what_is_none(client: stripe.StripeClient, outside: Outside) -> None:
    session = client.v1.checkout.sessions.create(order())
    outside.pay(session.id)

    expanded = client.v1.checkout.sessions.retrieve(
        session.id, {"expand": ["payment_intent.latest_charge.refunds", "line_items.data.price.product"]}
    ).to_dict()
    with pytest.raises(stripe.InvalidRequestError, match="cannot be expanded"):
        client.v1.checkout.sessions.retrieve(session.id, {"expand": ["amount_total"]})

    assert expanded["payment_intent"]["latest_charge"]["refunds"]["data"] == []
    assert [item["price"]["product"]["name"] for item in expanded["line_items"]["data"]] == [
        "Straight Jean",
        "Oxford Shirt",
    ]


def test_lists_page_backwards_in_time_and_filter(client: stripe.StripeClient, outside: Outside) -> None:
    ids = [client.v1.checkout.sessions.create(order()).id for _ in range(3)]
    client.v1.checkout.sessions.expire(ids[1])

    first = client.v1.checkout.sessions.list({"limit": 2})
    rest = client.v1.checkout.sessions.list({"limit": 1, "starting_after": ids[1]})
    expired = client.v1.checkout.sessions.list({"status": "expired", "limit": 1})
    walked = [item.id for item in client.v1.checkout.sessions.list({"limit": 2}).auto_paging_iter()]

    assert [item.id for item in first.data] == [ids[2], ids[1]]
    assert first.has_more is True
    assert rest.data[0].id == ids[0]
    assert expired.data[0].id == ids[1]
    assert walked[:3] == ids[::-1]
    assert len(walked) == len(set(walked)) == len(outside.ask("/_control/ledger")["sessions"])


def test_a_wrong_key_and_another_version_are_refused(outside: Outside) -> None:
    stranger = stripe.StripeClient("sk_test_wrong", base_addresses={"api": outside.url})
    old = stripe.StripeClient(keys.STRIPE_SECRET_KEY, base_addresses={"api": outside.url}, stripe_version="2020-08-27")

    with pytest.raises(stripe.AuthenticationError):
        stranger.v1.checkout.sessions.list()
    with pytest.raises(stripe.InvalidRequestError, match="version"):
        old.v1.checkout.sessions.list()


def test_an_unknown_session_and_an_unknown_url_are_404_in_stripes_envelope(
    client: stripe.StripeClient, outside: Outside
) -> None:
    with pytest.raises(stripe.InvalidRequestError) as unknown:
        client.v1.checkout.sessions.retrieve("cs_test_nothing")
    answer = httpx.get(f"{outside.url}/v1/nothing", headers={"authorization": f"Bearer {keys.STRIPE_SECRET_KEY}"})

    assert (unknown.value.http_status, unknown.value.code) == (404, "resource_missing")
    assert answer.status_code == 404
    assert answer.json()["error"]["type"] == "invalid_request_error"
    assert answer.headers["request-id"].startswith("req_")
