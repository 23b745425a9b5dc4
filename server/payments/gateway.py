"""Stripe's wire format; contains none of the shop's rules. All amounts are cents.

The library takes 18 MB and a quarter of a second to load: a thread loads it with the first call or webhook.
"""

import asyncio
import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

import structlog
from pydantic import BaseModel

from server.payments.errors import BadSignature, PaymentProviderDown, RefusedByProvider, ReplayedFailure
from server.platform.core import clock, tracing
from server.platform.core.slots import release_slot

if TYPE_CHECKING:
    import stripe
    from stripe.params.checkout import (
        SessionCreateParams,
        SessionCreateParamsLineItem,
        SessionCreateParamsShippingOptionShippingRateData,
    )

log = structlog.get_logger()

T = TypeVar("T")

TIMEOUT_SECONDS = 10
RETRIES = 2
SIGNATURE_SECONDS = 300
CHARGE = "payment_intent.latest_charge"
"""What a session is fetched with: its payment, and the newest attempt to charge it."""


@dataclass(frozen=True)
class SessionLineItem:
    """One line of a session. `unit_cents` is the price of one item."""

    name: str
    description: str
    unit_cents: int
    quantity: int
    image_url: str | None = None


@dataclass(frozen=True)
class SessionDiscount:
    """A discount on the whole session; its `name` is shown beside the amount."""

    name: str
    cents: int


@dataclass(frozen=True)
class SessionShipping:
    """The delivery method. Minimal and maximal working days, both or neither."""

    name: str
    cents: int
    min_days: int | None = None
    max_days: int | None = None


@dataclass(frozen=True)
class NewSession:
    """What a session is created from. The provider returns `reference` with everything about the session."""

    reference: UUID
    items: Sequence[SessionLineItem]
    currency: str
    email: str
    expires_at: datetime
    reduction: SessionDiscount | None = None
    shipping: SessionShipping | None = None


class SessionStatus(Enum):
    """Whether the card form can still be submitted."""

    OPEN = "open"
    COMPLETE = "complete"
    EXPIRED = "expired"


class ProviderRefundStatus(Enum):
    """How far a refund has come; a later member never turns into an earlier one."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


@dataclass(frozen=True)
class ProviderSession:
    """A checkout session as the provider reports it.

    `paid` is also true for a total of zero. `intent_status` is None until a payment was attempted. `has_activity`: its
    charge has been refunded, at least in part, or disputed.
    """

    id: str
    client_secret: str | None
    reference: str | None
    status: SessionStatus
    paid: bool
    amount_total: int
    currency: str
    payment_intent_id: str | None
    intent_status: str | None
    has_activity: bool = False


@dataclass(frozen=True)
class ProviderRefund:
    """A refund as the provider reports it; `reference` is our refund's id, None for one made in its dashboard."""

    id: str
    payment_intent_id: str
    amount_cents: int
    status: ProviderRefundStatus
    reference: str | None


@dataclass(frozen=True)
class ProviderDispute:
    """A dispute as the provider reports it. `status` and `reason` are the provider's words."""

    id: str
    payment_intent_id: str
    amount_cents: int
    reason: str
    status: str
    answer_by: datetime | None
    created_at: datetime


@dataclass(frozen=True)
class PaymentSnapshot:
    """One payment as the provider reports it: its session, None for another program's, its refunds and disputes.

    `as_of` is the time before it was fetched: whatever happened earlier is in it.
    """

    payment_intent_id: str | None
    session: ProviderSession | None
    refunds: Sequence[ProviderRefund]
    disputes: Sequence[ProviderDispute]
    as_of: datetime


@dataclass(frozen=True)
class ProviderEvent:
    """An event of the provider. It only names an object, whose current state is then fetched."""

    id: str
    type: str
    subject: str
    payment_intent_id: str | None


class StripeGateway:
    """One Stripe account, or the stand-in at `api_base`.

    Every call may raise PaymentProviderDown (it may or may not have taken effect; retry with the same key),
    ReplayedFailure (the same, but check the effect and retry with another key) or RefusedByProvider (it had no effect).
    """

    def __init__(
        self, secret_key: str, webhook_secrets: tuple[str, ...], *, return_url: str, api_base: str | None = None
    ) -> None:
        self._webhook_secrets = webhook_secrets
        self._return_url = return_url
        self._secret_key = secret_key
        self._api_base = api_base
        self._client: stripe.StripeClient | None = None

    async def _api(self) -> "stripe.V1Services":
        """The library's client. It imports itself piece by piece, so the pieces are touched in the thread as well."""
        if self._client is None:
            self._client = await asyncio.to_thread(self._open)
        return self._client.v1

    def _open(self) -> "stripe.StripeClient":
        import stripe

        client = stripe.StripeClient(
            self._secret_key,
            base_addresses={"api": self._api_base} if self._api_base else None,
            max_network_retries=RETRIES,
            http_client=stripe.HTTPXClient(timeout=TIMEOUT_SECONDS),
        )
        api, types = client.v1, (stripe.PaymentIntent, stripe.Charge, stripe.Refund, stripe.Dispute, stripe.Event)
        _ = (api.checkout.sessions, api.coupons, api.refunds, api.disputes, api.events, stripe.checkout.Session, types)
        return client

    async def create_session(self, new: NewSession, *, key: str) -> ProviderSession:
        """Creates a checkout session; the same `key` returns the same session for at least a day."""
        reference = str(new.reference)
        params: SessionCreateParams = {
            "mode": "payment",
            "ui_mode": "embedded_page",
            "return_url": self._return_url,
            "line_items": [_line_item(item, new.currency) for item in new.items],
            "adaptive_pricing": {"enabled": False},
            "customer_email": new.email,
            "expires_at": int(new.expires_at.timestamp()),
            "client_reference_id": reference,
            "metadata": {"checkout": reference},
            "payment_intent_data": {"metadata": {"checkout": reference}},
            "expand": [CHARGE],
        }
        if new.reduction:
            coupon = await self._coupon(new.reduction, new, key=f"{key}:coupon")
            params["discounts"] = [{"coupon": coupon}]
        if new.shipping:
            params["shipping_options"] = [{"shipping_rate_data": _shipping_rate(new.shipping, new.currency)}]
        sessions = (await self._api()).checkout.sessions
        return _session(await _call(sessions.create_async(params, {"idempotency_key": key})))

    async def _coupon(self, reduction: SessionDiscount, new: NewSession, *, key: str) -> str:
        """Creates a coupon for this one session. Returns its id."""
        creation = (await self._api()).coupons.create_async(
            {
                "amount_off": reduction.cents,
                "currency": new.currency,
                "duration": "once",
                "max_redemptions": 1,
                "name": reduction.name,
                "metadata": {"checkout": str(new.reference)},
            },
            {"idempotency_key": key},
        )
        return (await _call(creation)).id

    async def retrieve_session(self, session_id: str) -> ProviderSession:
        """The session's current state."""
        sessions = (await self._api()).checkout.sessions
        return _session(await _call(sessions.retrieve_async(session_id, {"expand": [CHARGE]})))

    async def expire_session(self, session_id: str) -> PaymentSnapshot:
        """Closes an open session for good. Raises RefusedByProvider when it is complete or expired."""
        as_of, sessions = clock.now(), (await self._api()).checkout.sessions
        expired = await _call(sessions.expire_async(session_id, {"expand": [CHARGE]}))
        return PaymentSnapshot(None, _session(expired), (), (), as_of)

    async def snapshot_of_session(self, session_id: str) -> PaymentSnapshot:
        """The current state of a session's payment: one call, unless something was refunded or disputed."""
        as_of, session = clock.now(), await self.retrieve_session(session_id)
        if session.payment_intent_id is None or not session.has_activity:
            return PaymentSnapshot(session.payment_intent_id, session, (), (), as_of)
        return await self._snapshot(session, session.payment_intent_id, as_of)

    async def snapshot_of_payment(self, payment_intent_id: str) -> PaymentSnapshot:
        """The current state of a payment."""
        as_of = clock.now()
        sessions = (await self._api()).checkout.sessions.list_async(
            {"payment_intent": payment_intent_id, "limit": 1, "expand": [f"data.{CHARGE}"]}
        )
        session = next((_session(each) for each in (await _call(sessions)).data), None)
        return await self._snapshot(session, payment_intent_id, as_of)

    async def _snapshot(
        self, session: ProviderSession | None, payment_intent_id: str, as_of: datetime
    ) -> PaymentSnapshot:
        refunds = await self.refunds_of(payment_intent_id)
        return PaymentSnapshot(payment_intent_id, session, refunds, await self._disputes_of(payment_intent_id), as_of)

    async def refund(self, payment_intent_id: str, amount_cents: int, *, reference: UUID, key: str) -> ProviderRefund:
        """Refunds part or all of a payment, once per `key`."""
        creation = (await self._api()).refunds.create_async(
            {"payment_intent": payment_intent_id, "amount": amount_cents, "metadata": {"refund": str(reference)}},
            {"idempotency_key": key},
        )
        return _refund(await _call(creation))

    async def refunds_of(self, payment_intent_id: str) -> list[ProviderRefund]:
        """All refunds of a payment, also those made in the provider's dashboard, oldest first."""

        async def all_pages() -> "list[stripe.Refund]":
            page = await (await self._api()).refunds.list_async({"payment_intent": payment_intent_id, "limit": 100})
            return [refund async for refund in page.auto_paging_iter()]

        return [_refund(refund) for refund in reversed(await _call(all_pages()))]

    async def _disputes_of(self, payment_intent_id: str) -> list[ProviderDispute]:
        disputes = (await self._api()).disputes.list_async({"payment_intent": payment_intent_id, "limit": 100})
        return [_dispute(dispute) for dispute in (await _call(disputes)).data]

    async def events_since(self, moment: datetime) -> list[ProviderEvent]:
        """Events since a time, oldest first; the provider keeps them for 30 days."""

        async def all_pages() -> "list[stripe.Event]":
            page = await (await self._api()).events.list_async(
                {"created": {"gte": int(moment.timestamp())}, "limit": 100}
            )
            return [event async for event in page.auto_paging_iter()]

        events = await _call(all_pages())
        return [_event(WebhookBody.model_validate(event.to_dict())) for event in reversed(events)]

    async def parse_webhook(self, body: bytes, signature: str | None) -> ProviderEvent:
        """The event in a webhook. Raises BadSignature for an invalid signature or body."""
        await self.verify_webhook(body, signature)
        try:
            return _event(WebhookBody.model_validate_json(body))
        except ValueError as error:
            raise BadSignature from error

    async def verify_webhook(self, body: bytes, signature: str | None) -> None:
        """Raises BadSignature unless one of our secrets signed the body at most 300 s before or after now."""
        await self._api()
        if not any(_is_signed(body, signature, secret) for secret in self._webhook_secrets):
            raise BadSignature


class EventSubject(BaseModel):
    """The object of an event, with just enough to fetch its current state."""

    id: str = ""
    payment_intent: str | None = None


class WebhookData(BaseModel):
    """The part of a webhook that holds its object."""

    object: EventSubject


class WebhookBody(BaseModel):
    """The body of a webhook."""

    id: str
    type: str
    data: WebhookData


def _is_signed(body: bytes, signature: str | None, secret: str) -> bool:
    import stripe

    try:
        stripe.WebhookSignature.verify_header(body, signature, secret, SIGNATURE_SECONDS)
        signed_at = next(int(part[2:]) for part in (signature or "").split(",") if part.startswith("t="))
    except (stripe.SignatureVerificationError, TypeError, ValueError):
        return False
    return signed_at <= time.time() + SIGNATURE_SECONDS


def _event(notice: WebhookBody) -> ProviderEvent:
    about = notice.data.object
    return ProviderEvent(notice.id, notice.type, about.id, about.payment_intent)


async def _call(call: Awaitable[T]) -> T:
    import httpx
    import stripe

    release_slot()
    try:
        with tracing.span("stripe", "client"):
            return await call
    except (stripe.InvalidRequestError, stripe.CardError, stripe.IdempotencyError) as error:
        raise RefusedByProvider(error.code or "invalid_request") from error
    except stripe.StripeError as error:
        is_kept = httpx.Headers(error.headers or {}).get("idempotent-replayed") == "true"
        log.warning("provider.failed", error=type(error).__name__, status=error.http_status, is_kept=is_kept)
        raise (ReplayedFailure if is_kept else PaymentProviderDown) from error


def _line_item(item: SessionLineItem, currency: str) -> "SessionCreateParamsLineItem":
    product: dict[str, object] = {"name": item.name, "description": item.description}
    if item.image_url:
        product["images"] = [item.image_url]
    return {
        "quantity": item.quantity,
        "price_data": {"currency": currency, "unit_amount": item.unit_cents, "product_data": product},  # type: ignore[typeddict-item]
    }


def _shipping_rate(shipping: SessionShipping, currency: str) -> "SessionCreateParamsShippingOptionShippingRateData":
    rate: SessionCreateParamsShippingOptionShippingRateData = {
        "display_name": shipping.name,
        "type": "fixed_amount",
        "fixed_amount": {"amount": shipping.cents, "currency": currency},
    }
    # Stripe accepts days from 1: for same-day delivery only the maximum is sent.
    days = {"minimum": shipping.min_days, "maximum": shipping.max_days}
    estimate = {end: {"unit": "business_day", "value": value} for end, value in days.items() if value}
    if estimate:
        rate["delivery_estimate"] = estimate  # type: ignore[typeddict-item]
    return rate


def _session(session: "stripe.checkout.Session") -> ProviderSession:
    intent = session.payment_intent
    status = None if intent is None or isinstance(intent, str) else str(intent.status)
    return ProviderSession(
        id=session.id,
        client_secret=session.client_secret,
        reference=session.client_reference_id,
        status=SessionStatus(session.status),
        paid=session.payment_status in ("paid", "no_payment_required"),
        amount_total=session.amount_total or 0,
        currency=session.currency or "",
        payment_intent_id=_id_of(intent),
        intent_status=status,
        has_activity=not isinstance(intent, str | None) and _has_activity(intent.latest_charge),
    )


def _has_activity(charge: "stripe.Charge | str | None") -> bool:
    return not isinstance(charge, str | None) and (charge.amount_refunded > 0 or charge.disputed)


_REFUND_STATUS = {
    "succeeded": ProviderRefundStatus.SUCCEEDED,
    "failed": ProviderRefundStatus.FAILED,
    "canceled": ProviderRefundStatus.FAILED,
}


def _refund(refund: "stripe.Refund") -> ProviderRefund:
    return ProviderRefund(
        id=refund.id,
        payment_intent_id=_id_of(refund.payment_intent) or "",
        amount_cents=refund.amount,
        status=_REFUND_STATUS.get(refund.status or "", ProviderRefundStatus.PENDING),
        reference=refund.metadata["refund"] if refund.metadata and "refund" in refund.metadata else None,
    )


def _dispute(dispute: "stripe.Dispute") -> ProviderDispute:
    due = dispute.evidence_details.due_by if dispute.evidence_details else None
    return ProviderDispute(
        id=dispute.id,
        payment_intent_id=_id_of(dispute.payment_intent) or "",
        amount_cents=dispute.amount,
        reason=dispute.reason,
        status=str(dispute.status),
        answer_by=datetime.fromtimestamp(due, UTC) if due else None,
        created_at=datetime.fromtimestamp(dispute.created, UTC),
    )


def _id_of(thing: object) -> str | None:
    """The id in an expandable field, which holds either an id or the whole object."""
    if thing is None or isinstance(thing, str):
        return thing
    return str(thing.id)  # type: ignore[attr-defined]
