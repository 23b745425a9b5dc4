"""Stripe's wire format."""

import time
from typing import Any

import orjson
import pytest

from server import wiring
from server.config import Settings
from server.payments.errors import BadSignature
from server.payments.gateway import ProviderEvent, StripeGateway
from server.platform.core.jobs import JobEnvironment
from tests.payments.signatures import signed

EVENT = {
    "id": "evt_1",
    "object": "event",
    "type": "charge.refunded",
    "data": {"object": {"id": "ch_1", "object": "charge", "payment_intent": "pi_1"}},
}


@pytest.fixture
def gateway(env: JobEnvironment) -> StripeGateway:
    return env.resources.get(StripeGateway)


@pytest.fixture
def secret(settings: Settings) -> str:
    return settings.stripe.webhook_secrets[0]


async def test_a_signed_event_is_understood(gateway: StripeGateway, secret: str) -> None:
    body = orjson.dumps(EVENT)

    event = await gateway.parse_webhook(body, signed(body, secret, time.time()))

    assert event == ProviderEvent("evt_1", "charge.refunded", "ch_1", "pi_1")


@pytest.mark.parametrize("seconds", [-290, 290])
async def test_clocks_may_differ_by_five_minutes(gateway: StripeGateway, secret: str, seconds: int) -> None:
    body = orjson.dumps(EVENT)

    assert (await gateway.parse_webhook(body, signed(body, secret, time.time() + seconds))).id == "evt_1"


@pytest.mark.parametrize("seconds", [-310, 310])
async def test_an_old_signature_and_one_from_the_future_are_refused(
    gateway: StripeGateway, secret: str, seconds: int
) -> None:
    body = orjson.dumps(EVENT)

    with pytest.raises(BadSignature):
        await gateway.parse_webhook(body, signed(body, secret, time.time() + seconds))


async def test_the_signature_is_over_the_raw_body(gateway: StripeGateway, secret: str) -> None:
    body = orjson.dumps(EVENT, option=orjson.OPT_INDENT_2)
    signature = signed(body, secret, time.time())

    assert (await gateway.parse_webhook(body, signature)).id == "evt_1"
    with pytest.raises(BadSignature):
        await gateway.parse_webhook(orjson.dumps(EVENT), signature)


@pytest.mark.parametrize("signature", [None, "", "t=1", "v1=abc", "t=x,v1=abc", "nonsense", "t=1,v1=é"])
async def test_what_is_no_signature_is_refused(gateway: StripeGateway, signature: str | None) -> None:
    with pytest.raises(BadSignature):
        await gateway.parse_webhook(orjson.dumps(EVENT), signature)


async def test_another_secret_is_refused(gateway: StripeGateway) -> None:
    body = orjson.dumps(EVENT)

    with pytest.raises(BadSignature):
        await gateway.parse_webhook(body, signed(body, "whsec_of_somebody_else", time.time()))


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"\xff\xfe", b'{"id": "evt_1"}'])
async def test_a_signed_body_that_is_no_event_is_refused(gateway: StripeGateway, secret: str, body: bytes) -> None:
    with pytest.raises(BadSignature):
        await gateway.parse_webhook(body, signed(body, secret, time.time()))


async def test_while_the_secret_is_changed_both_are_believed_and_no_other() -> None:
    body = orjson.dumps(EVENT)
    settings: Any = {
        "_env_file": None,
        "stripe_secret_key": "sk",
        "stripe_publishable_key": "pk",
        "stripe_webhook_secret": "old, new",
    }
    gateway = wiring.payment_gateway(Settings(**settings))

    heard = [(await gateway.parse_webhook(body, signed(body, secret, time.time()))).id for secret in ("old", "new")]

    assert heard == ["evt_1", "evt_1"]
    for secret in ("old, new", "other", ""):
        with pytest.raises(BadSignature):
            await gateway.parse_webhook(body, signed(body, secret, time.time()))
