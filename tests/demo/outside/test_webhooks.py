"""The stand-in's webhooks: signed, retried until accepted, also across kill -9."""

import sqlite3
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import stripe

from demo.outside import keys
from tests.demo.outside.conftest import Json, Outside, Shop, client_of, order, until
from tests.ports import free_port


@pytest.fixture(autouse=True)
def _at_rest(outside: Outside, shop: Shop) -> Iterator[None]:
    yield
    shop.status = 200
    outside.tell("/_control/webhooks")


def completed(outside: Outside, session: str) -> Json:
    """The event that the session is complete, with its deliveries."""
    [event] = [
        event
        for event in outside.ask("/_control/ledger")["events"]
        if event["type"] == "checkout.session.completed" and event["data"]["object"]["id"] == session
    ]
    return dict(event)


def paid(outside: Outside) -> str:
    session = client_of(outside).v1.checkout.sessions.create(order())
    outside.pay(session.id).raise_for_status()
    return session.id


def test_events_are_signed_as_stripe_signs_them(outside: Outside, shop: Shop) -> None:
    session = paid(outside)
    until(lambda: shop.about(session))

    [event] = [event for event in shop.events() if event.data.object["id"] == session]

    assert event.type == "checkout.session.completed"
    assert event.api_version == keys.API_VERSION
    assert event.data.object["payment_status"] == "paid"
    with pytest.raises(stripe.SignatureVerificationError):
        stripe.Webhook.construct_event(shop.received[0][1], shop.received[0][0], "whsec_other")


def test_a_webhook_comes_again_until_the_shop_takes_it(outside: Outside, shop: Shop) -> None:
    shop.status = 500
    session = paid(outside)
    until(lambda: len(shop.about(session)) >= 3)
    shop.status = 200

    event = until(lambda: (event_so_far := completed(outside, session))["pending_webhooks"] == 0 and event_so_far)

    [delivery] = event["deliveries"]
    statuses = [attempt["status"] for attempt in delivery["attempts"]]
    assert delivery["state"] == "delivered"
    assert statuses == [500] * (len(statuses) - 1) + [200]
    assert len(statuses) >= 4


def test_copies_delay_and_shuffling_happen_on_request(outside: Outside, shop: Shop) -> None:
    switches = outside.tell("/_control/webhooks", duplicate=2, shuffle=True, delay_ms=300)
    started = time.monotonic()

    session = paid(outside)
    until(lambda: len(shop.about(session)) == 3)

    assert switches == {"duplicate": 2, "shuffle": True, "delay_ms": 300, "drop": False}
    assert outside.ask("/_control/webhooks") == switches
    assert time.monotonic() - started > 0.3
    assert len({event.id for event in shop.events() if event.data.object["id"] == session}) == 1


def test_a_dropped_event_is_stored_and_can_be_sent_later(outside: Outside, shop: Shop) -> None:
    outside.tell("/_control/webhooks", drop=True)
    session = paid(outside)
    event = completed(outside, session)
    outside.tell("/_control/webhooks")

    stored = client_of(outside).v1.events.list({"type": "checkout.session.completed", "limit": 1}).data[0]
    assert [delivery["state"] for delivery in event["deliveries"]] == ["dropped"]
    assert shop.about(session) == []
    assert stored.id == event["id"]

    outside.tell(f"/_control/events/{event['id']}/resend")
    assert until(lambda: shop.about(session)) == ["checkout.session.completed"]


def test_a_session_expires_by_itself(outside: Outside, shop: Shop) -> None:
    """The clock of a ledger whose session was due while nobody was there."""
    session = client_of(outside).v1.checkout.sessions.create(order())
    outside.kill()
    with sqlite3.connect(outside.data / "outside" / "ledger.sqlite") as ledger:
        ledger.execute("UPDATE timers SET due = ? WHERE id = ?", (time.time() + 0.3, session.id))
    ledger.close()

    outside.start()

    assert until(lambda: shop.about(session.id)) == ["checkout.session.expired"]
    assert client_of(outside).v1.checkout.sessions.retrieve(session.id).status == "expired"


def test_kill_9_after_a_payment_was_answered_loses_nothing(tmp_path: Path) -> None:
    """The shop is away when the payment is made, and the stand-ins die before they could tell it."""
    shop = Shop(port=free_port())
    outside = Outside(tmp_path, shop)
    outside.start()
    sessions = [paid(outside) for _ in range(3)]
    outside.kill()
    outside.start()
    ledger = outside.ask("/_control/ledger")
    shop.start()

    try:
        assert [session["payment_status"] for session in ledger["sessions"]] == ["paid"] * 3
        assert len(ledger["charges"]) == 3
        for session in sessions:
            assert until(partial(shop.about, session), 8) == ["checkout.session.completed"]
    finally:
        outside.stop()
        shop.stop()


def test_an_endpoint_of_ones_own_gets_what_it_asked_for(outside: Outside) -> None:
    other = Shop(port=free_port())
    other.start()
    client = client_of(outside)

    try:
        endpoint = client.v1.webhook_endpoints.create(
            {"url": f"http://localhost:{other.port}/hook", "enabled_events": ["checkout.session.expired"]}
        )
        expired = client.v1.checkout.sessions.create(order())
        paid(outside)
        client.v1.checkout.sessions.expire(expired.id)
        until(lambda: other.received)

        assert endpoint.secret is not None
        event = stripe.Webhook.construct_event(other.received[0][1], other.received[0][0], endpoint.secret)
        assert (event.type, len(other.received)) == ("checkout.session.expired", 1)
        assert client.v1.webhook_endpoints.retrieve(endpoint.id).to_dict().get("secret") is None
    finally:
        client.v1.webhook_endpoints.delete(endpoint.id)
        other.stop()
