"""Money that does not move: confirming a session with a card, what comes of it later, refunds and disputes."""

import time
from dataclasses import dataclass
from typing import Literal

from demo.outside import forms, objects, payment_objects, sessions, webhooks
from demo.outside.cards import CARDS, DECLINES, Card
from demo.outside.errors import ApiError, missing
from demo.outside.forms import Shape, metadata, one_of, text, whole
from demo.outside.ledger import Json, Transaction, now

SETTLE, SETTLE_REFUND = "payment.settle", "refund.settle"
SETTLE_AFTER_MS = 3000
REFUND = Shape(
    {
        **forms.EXPAND,
        "amount": whole(1),
        "charge": text(255),
        "payment_intent": text(255),
        "metadata": metadata,
        "reason": one_of("duplicate", "fraudulent", "requested_by_customer"),
    },
    beyond=frozenset(
        ["currency", "customer", "instructions_email", "origin", "refund_application_fee", "reverse_transfer"]
    ),
)


@dataclass(frozen=True)
class Payer:
    """The values of the checkout page's form."""

    email: str | None = None
    name: str | None = None
    country: str | None = "US"
    postal_code: str | None = None
    expires: tuple[int, int] = (12, 2034)


@dataclass(frozen=True)
class Answer:
    """Where a session stands after an attempt to pay it."""

    session: Json
    state: Literal["complete", "declined", "authenticate"]
    error: Json | None = None


def settle_after(tx: Transaction) -> float:
    """Seconds until a processing payment settles."""
    return float(tx.note("settle_after_ms", SETTLE_AFTER_MS)) / 1000


def pay(tx: Transaction, id: str, number: str | None, payer: Payer, authenticated: bool | None = None) -> Answer:
    """Confirms an open session once. Raises ApiError (409) when it is complete or its time is up.

    `authenticated` is the outcome of the 3-D Secure step, None while it has not been taken.
    """
    session = sessions.get(tx, id)
    if session["status"] == "open" and session["expires_at"] <= time.time():
        sessions.expire_when_due(tx, id)
        session = sessions.get(tx, id)
    if session["status"] != "open":
        raise ApiError(f"This Checkout Session is {session['status']}.", "session_not_open", status=409)
    payer_email = payer.email or session["customer_email"]
    customer = objects.payer(payer_email, payer.name, payer.country, payer.postal_code)
    if session["amount_total"] == 0:
        return _complete(tx, session, customer, None)
    card = CARDS.get(number or "")
    if card is None:
        card = Card(number or "", "declined", "", "test_mode_live_card")
    intent = tx.get("payment_intent", session["payment_intent"] or "") or payment_objects.payment_intent(session)
    session["payment_intent"] = intent["id"]
    return _confirm(tx, session, intent, card, customer, payer.expires, authenticated)


def _confirm(
    tx: Transaction,
    session: Json,
    intent: Json,
    card: Card,
    customer: Json,
    expires: tuple[int, int],
    authenticated: bool | None,
) -> Answer:
    if card.outcome == "authenticate" and authenticated is None:
        redirect = {"type": "use_stripe_sdk", "use_stripe_sdk": {"type": "three_d_secure_redirect"}}
        tx.put(intent | {"status": "requires_action", "next_action": redirect})
        return Answer(tx.put(session), "authenticate")
    method = tx.put(payment_objects.payment_method(card, customer, expires))
    if card.outcome == "declined" or authenticated is False:
        reason = "authentication_required" if card.outcome == "authenticate" else str(card.decline_code)
        return _decline(tx, session, intent, method, reason)
    later = card.outcome in ("settles", "fails_later")
    charge = payment_objects.charge(
        intent, method, "pending" if later else "succeeded", card.outcome == "authenticate", failure=None
    )
    charge["_card"] = card.number
    tx.put(charge)
    intent |= {
        "latest_charge": charge["id"],
        "payment_method": method["id"],
        "last_payment_error": None,
        "next_action": None,
        "status": "processing" if later else "succeeded",
        "amount_received": 0 if later else intent["amount"],
    }
    tx.put(intent)
    if later:
        tx.wind(SETTLE, intent["id"], time.time() + settle_after(tx))
    else:
        webhooks.emit(tx, "payment_intent.succeeded", intent)
    return _complete(tx, session, customer, intent)


def _decline(tx: Transaction, session: Json, intent: Json, method: Json, reason: str) -> Answer:
    live = ("card_declined", "Your card was declined. Only the stand-in's test cards can pay here.")
    code, message = DECLINES.get(reason, live)
    charge = tx.put(payment_objects.charge(intent, method, "failed", False, (code, message, reason)))
    error = {
        "charge": charge["id"],
        "code": code,
        "decline_code": reason,
        "doc_url": f"https://stripe.com/docs/error-codes/{code.replace('_', '-')}",
        "message": message,
        "payment_method": objects.shown(method),
        "type": "card_error",
    }
    intent |= {
        "status": "requires_payment_method",
        "last_payment_error": error,
        "latest_charge": charge["id"],
        "next_action": None,
    }
    tx.put(intent)
    tx.put(session)
    webhooks.emit(tx, "payment_intent.payment_failed", intent)
    return Answer(session, "declined", error)


def _complete(tx: Transaction, session: Json, customer: Json, intent: Json | None) -> Answer:
    paid = intent is not None and intent["status"] == "succeeded"
    session |= {
        "status": "complete",
        "client_secret": None,
        "customer_details": customer,
        "payment_status": "no_payment_required" if intent is None else ("paid" if paid else "unpaid"),
        "_completed": now(),
    }
    tx.unwind(sessions.EXPIRE, session["id"])
    tx.put(session)
    webhooks.emit(tx, "checkout.session.completed", session)
    return Answer(session, "complete")


def settle(tx: Transaction, id: str) -> None:
    """Brings a processing payment to the end that its card decides. Nothing happens to any other payment."""
    intent = tx.get("payment_intent", id)
    if not intent or intent["status"] != "processing":
        return
    tx.unwind(SETTLE, id)
    charge = _charge(tx, intent["latest_charge"])
    session = sessions.get(tx, intent["_session"])
    if CARDS[charge["_card"]].outcome == "settles":
        tx.put(charge | {"status": "succeeded", "paid": True, "captured": True, "amount_captured": charge["amount"]})
        paid = tx.put(intent | {"status": "succeeded", "amount_received": intent["amount"]})
        webhooks.emit(tx, "payment_intent.succeeded", paid)
        webhooks.emit(tx, "checkout.session.async_payment_succeeded", tx.put(session | {"payment_status": "paid"}))
        return
    code, message = DECLINES["generic_decline"]
    tx.put(charge | {"status": "failed", "failure_code": code, "failure_message": message})
    error = {"charge": charge["id"], "code": code, "decline_code": "generic_decline", "message": message}
    failed = tx.put(
        intent | {"status": "requires_payment_method", "last_payment_error": error | {"type": "card_error"}}
    )
    webhooks.emit(tx, "payment_intent.payment_failed", failed)
    webhooks.emit(tx, "checkout.session.async_payment_failed", tx.put(session | {"_failed": True}))


def _charge(tx: Transaction, id: str | None) -> Json:
    charge = tx.get("charge", id or "")
    if not charge:
        raise missing("charge", id or "")
    return charge


def refund(tx: Transaction, params: Json) -> Json:
    """Gives back all that is left, or `amount` of it. Raises ApiError when that is more than is left."""
    read = REFUND(params)
    charge = _refundable(tx, read)
    left = charge["amount_captured"] - charge["amount_refunded"]
    if left == 0:
        raise ApiError(f"Charge {charge['id']} has already been refunded.", "charge_already_refunded")
    if any(not one["is_charge_refundable"] for one in tx.all("dispute", "charge = ?", charge["id"])):
        raise ApiError(f"Charge {charge['id']} has been charged back; cannot issue a refund.", "charge_disputed")
    amount = read.get("amount", left)
    if amount > left:
        raise ApiError(
            f"Refund amount ({_dollars(amount)}) is greater than unrefunded amount on charge ({_dollars(left)})",
            param="amount",
        )
    how = CARDS[charge["_card"]].refund
    new_refund = tx.put(payment_objects.refund(charge, amount, read, "pending" if how == "pending" else "succeeded"))
    if how != "succeeds":
        tx.wind(SETTLE_REFUND, new_refund["id"], time.time() + settle_after(tx))
    refunded = charge["amount_refunded"] + amount
    before = {"amount_refunded": charge["amount_refunded"], "refunded": charge["refunded"]}
    charge |= {"amount_refunded": refunded, "refunded": refunded == charge["amount_captured"]}
    tx.put(charge)
    webhooks.emit(tx, "refund.created", new_refund)
    webhooks.emit(tx, "charge.refunded", charge, before)
    return new_refund


def _refundable(tx: Transaction, read: Json) -> Json:
    if ("charge" in read) == ("payment_intent" in read):
        raise ApiError("One of the following params should be provided for this request: payment_intent or charge.")
    if "charge" in read:
        charge = tx.get("charge", read["charge"])
        if not charge:
            raise missing("charge", read["charge"], "charge")
    else:
        intent = tx.get("payment_intent", read["payment_intent"])
        if not intent:
            raise missing("payment_intent", read["payment_intent"], "payment_intent")
        charge = tx.get("charge", intent["latest_charge"] or "")
    if not charge or charge["status"] != "succeeded":
        whose = read.get("payment_intent") or read.get("charge")
        raise ApiError(f"This PaymentIntent ({whose}) does not have a successful charge to refund.")
    return charge


def _dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


def settle_refund(tx: Transaction, id: str) -> None:
    """Brings a refund to the end that its card decides: a pending one succeeds, one of the failing card fails."""
    refund_object = tx.get("refund", id)
    if not refund_object or CARDS[_charge(tx, refund_object["charge"])["_card"]].refund == "fails":
        fail_refund(tx, id)
    elif refund_object["status"] == "pending":
        tx.unwind(SETTLE_REFUND, id)
        done = tx.put(refund_object | {"status": "succeeded", "pending_reason": None})
        webhooks.emit(tx, "refund.updated", done, {"status": "pending"})


def fail_refund(tx: Transaction, id: str) -> None:
    """The buyer's bank sends a refund back, also one that had succeeded: its money is on the charge again."""
    refund_object = tx.get("refund", id)
    if not refund_object or refund_object["status"] not in ("pending", "succeeded"):
        return
    tx.unwind(SETTLE_REFUND, id)
    charge = _charge(tx, refund_object["charge"])
    failed = tx.put(
        refund_object | {"status": "failed", "failure_reason": "expired_or_canceled_card", "pending_reason": None}
    )
    tx.put(charge | {"amount_refunded": charge["amount_refunded"] - refund_object["amount"], "refunded": False})
    webhooks.emit(tx, "refund.updated", failed, {"status": refund_object["status"]})
    webhooks.emit(tx, "refund.failed", failed)


def dispute(tx: Transaction, payment_intent: str, reason: str) -> Json:
    """The cardholder's bank takes the payment back."""
    intent = tx.get("payment_intent", payment_intent)
    if not intent:
        raise missing("payment_intent", payment_intent)
    charge = _charge(tx, intent["latest_charge"])
    if charge["status"] != "succeeded" or charge["disputed"]:
        raise ApiError("Only a payment that went through, and is not disputed yet, can be disputed.", status=409)
    tx.put(charge | {"disputed": True})
    new_dispute = tx.put(payment_objects.dispute(charge, reason))
    webhooks.emit(tx, "charge.dispute.created", new_dispute)
    return new_dispute


def answer_dispute(tx: Transaction, id: str, status: str) -> Json:
    """The shop's answer is under review, or the bank decides: "under_review", "won" or "lost". Raises ApiError."""
    dispute_object = tx.get("dispute", id)
    if not dispute_object:
        raise missing("dispute", id)
    if status not in ("under_review", "won", "lost") or dispute_object["status"] in ("won", "lost", status):
        raise ApiError(
            f"A dispute that is {dispute_object['status']} cannot become {status}.", param="status", status=409
        )
    changed = tx.put(dispute_object | {"status": status, "is_charge_refundable": status == "won"})
    event = "charge.dispute.updated" if status == "under_review" else "charge.dispute.closed"
    webhooks.emit(tx, event, changed, {"status": dispute_object["status"]})
    return changed
