"""Signed webhooks about objects that the provider does not know are accepted, logged, and ignored."""

import time

import httpx
import orjson
import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.payments.models import Dispute, WebhookEvent
from tests.cart.stock import number_of
from tests.payments.conftest import OpenShop
from tests.payments.signatures import signed

ODD_IDS = {
    "unknown": "dp_1Nobody",
    "empty": "",
    "NUL": "dp_\x00",
    "too long": "dp_" + "x" * 10_000,
    "a path": "../charges",
    "a query": "dp_1?expand[]=charge",
    "spaces": " dp_1 ",
    "beyond ASCII": "dp_é\U0001f600",
}
KINDS = ("charge.dispute.created", "checkout.session.completed", "charge.refunded")


async def told(shop: OpenShop, **event: object) -> int:
    """The status that the provider gets for a correctly signed event."""
    body = orjson.dumps(event)
    signature = signed(body, shop.settings.stripe.webhook_secrets[0], time.time())
    async with httpx.AsyncClient(base_url=shop.url) as provider:
        answer = await provider.post("/api/payment/webhook", content=body, headers={"stripe-signature": signature})
    return answer.status_code


@pytest.mark.parametrize("kind", KINDS)
async def test_an_event_about_an_unavailable_object_is_accepted_without_effect(
    open_shop: OpenShop, session: AsyncSession, kind: str
) -> None:
    answers: dict[str, int] = {}
    for name, odd in ODD_IDS.items():
        about = {"id": odd, "payment_intent": odd}
        answers[name] = await told(open_shop, id=f"evt_{len(answers)}", type=kind, data={"object": about})
        answers[f"{name}, of the event"] = await told(
            open_shop, id=odd, type=kind, data={"object": {"id": "dp_1", "payment_intent": "pi_1"}}
        )

    assert set(answers.values()) == {200}, answers
    assert await number_of(session, Dispute) == 0
    assert await number_of(session, WebhookEvent) <= 2 * len(ODD_IDS)


@pytest.mark.parametrize("odd", [7, None, {"id": "dp_1"}, ["dp_1"], True])
async def test_an_id_that_is_no_text_is_refused(open_shop: OpenShop, odd: object) -> None:
    assert await told(open_shop, id="evt_1", type=KINDS[0], data={"object": {"id": odd}}) == 400
    assert await told(open_shop, id=odd, type=KINDS[0], data={"object": {"id": "dp_1"}}) == 400
