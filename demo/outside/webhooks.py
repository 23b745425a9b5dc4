"""Events and their deliveries to the shop: stored with their content, then sent until the shop responds 2xx."""

import hashlib
import hmac
import json
import random
import time
from collections.abc import Mapping

from demo.outside import forms, ids, objects
from demo.outside.errors import ApiError
from demo.outside.forms import Shape, many, metadata, text
from demo.outside.keys import API_VERSION
from demo.outside.ledger import Json, Transaction, now
from demo.outside.settings import Settings

DEFAULT_ENDPOINT = "we_minimal"
EVENTS = (
    "charge.dispute.closed",
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.refunded",
    "checkout.session.async_payment_failed",
    "checkout.session.async_payment_succeeded",
    "checkout.session.completed",
    "checkout.session.expired",
    "payment_intent.payment_failed",
    "payment_intent.succeeded",
    "refund.created",
    "refund.failed",
    "refund.updated",
)
GIVES_UP_AFTER = 3 * 24 * 3600
SHUFFLE_SECONDS = 0.6
AT_REST: Mapping[str, int | bool] = {"duplicate": 0, "shuffle": False, "delay_ms": 0, "drop": False}
CREATE = Shape(
    {
        **forms.EXPAND,
        "url": forms.address,
        "enabled_events": many(text(100), 300),
        "description": text(),
        "metadata": metadata,
        "api_version": text(40),
    },
    required=("url", "enabled_events"),
    beyond=frozenset({"connect"}),
)


def endpoint(id: str, url: str, secret: str, events: list[str], read: Json) -> Json:
    """A webhook endpoint object."""
    return {
        "id": id,
        "object": "webhook_endpoint",
        "api_version": read.get("api_version", API_VERSION),
        "application": None,
        "created": now(),
        "description": read.get("description"),
        "enabled_events": events,
        "livemode": False,
        "metadata": read.get("metadata", {}),
        "status": "enabled",
        "url": url,
        "_secret": secret,
    }


def ensure_shop_endpoint(tx: Transaction, settings: Settings) -> None:
    """The shop's own endpoint is always there, at the address and with the secret of this start."""
    tx.put(
        endpoint(
            DEFAULT_ENDPOINT, settings.webhook_url, settings.webhook_secret, list(EVENTS), {"description": "The shop"}
        )
    )


def create_endpoint(tx: Transaction, params: Json) -> Json:
    """Answers with the secret, which is never shown again."""
    read = CREATE(params)
    for name in read["enabled_events"]:
        if name != "*" and name not in EVENTS:
            raise ApiError(f"The stand-in sends no event called {name}.", param="enabled_events")
    secret = ids.new("whsec_", 32)
    new_endpoint = tx.put(endpoint(ids.new("we_1"), read["url"], secret, read["enabled_events"], read))
    return new_endpoint | {"secret": secret}


def faults(tx: Transaction) -> Json:
    """The faults of deliveries that are set."""
    return {**AT_REST, **tx.note("webhook_faults", {})}


def set_faults(tx: Transaction, switches: Json) -> Json:
    """Replaces what goes wrong on purpose; absent keys go back to rest. Raises ApiError for anything else."""
    for name, value in switches.items():
        if name not in AT_REST:
            raise ApiError(f"Unknown switch: {name}", param=name)
        if type(value) is not type(AT_REST[name]) or (not isinstance(value, bool) and not 0 <= value <= 600_000):
            raise ApiError(f"Not a value of {name}: {value!r}", param=name)
    tx.write_note("webhook_faults", switches)
    return faults(tx)


def emit(tx: Transaction, type: str, about: Json, before: Json | None = None) -> Json:
    """Stores the event, with the object as it is now, and its deliveries."""
    data: Json = {"object": objects.shown(about)}
    if before:
        data["previous_attributes"] = before
    event = tx.put(
        {
            "id": ids.new("evt_1"),
            "object": "event",
            "api_version": API_VERSION,
            "created": now(),
            "data": data,
            "livemode": False,
            "pending_webhooks": 0,
            "request": tx.request,
            "type": type,
        }
    )
    for target in tx.all("webhook_endpoint"):
        if "*" in target["enabled_events"] or type in target["enabled_events"]:
            schedule(tx, event["id"], target["id"])
    return event


def schedule(tx: Transaction, event: str, endpoint: str) -> None:
    """Schedules the deliveries of an event."""
    wrong, moment = faults(tx), time.time()
    state = "dropped" if wrong["drop"] else "pending"
    for _ in range(1 + wrong["duplicate"]):
        due = moment + wrong["delay_ms"] / 1000 + wrong["shuffle"] * random.uniform(0, SHUFFLE_SECONDS)  # noqa: S311
        tx.execute(
            "INSERT INTO deliveries (event, endpoint, state, created, due) VALUES (?, ?, ?, ?, ?)",
            event,
            endpoint,
            state,
            moment,
            due,
        )


def resend(tx: Transaction, event: str) -> None:
    """Sends a stored event again to every endpoint that subscribes to its type."""
    stored = tx.get("event", event)
    if not stored:
        raise ApiError(f"No such event: {event}", "resource_missing", status=404)
    for target in tx.all("webhook_endpoint"):
        if "*" in target["enabled_events"] or stored["type"] in target["enabled_events"]:
            tx.execute(
                "INSERT INTO deliveries (event, endpoint, state, created, due) VALUES (?, ?, 'pending', ?, ?)",
                event,
                target["id"],
                time.time(),
                time.time(),
            )


def with_pending(tx: Transaction, event: Json) -> Json:
    """The event with the number of its pending deliveries."""
    count = tx.execute("SELECT count(*) FROM deliveries WHERE event = ? AND state = 'pending'", event["id"])
    return event | {"pending_webhooks": count.fetchone()[0]}


def signature(secret: str, payload: bytes, timestamp: int) -> str:
    """The Stripe-Signature header: HMAC-SHA256 over time and body."""
    signed = hmac.new(secret.encode(), f"{timestamp}.".encode() + payload, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={signed}"


def message(tx: Transaction, delivery: int) -> tuple[str, bytes, str] | None:
    """Address, body and secret of a delivery that still waits; None when it does not."""
    row = tx.execute("SELECT event, endpoint FROM deliveries WHERE id = ? AND state = 'pending'", delivery).fetchone()
    if not row:
        return None
    event, target = tx.get("event", row[0]), tx.get("webhook_endpoint", row[1])
    if not event or not target:
        return None
    return target["url"], json.dumps(with_pending(tx, event), indent=2).encode(), target["_secret"]


def record(tx: Transaction, delivery: int, status: int | None, error: str | None, ms: int) -> None:
    """Notes an attempt; after a failure the next one waits twice as long, from 0.2 s to a tenth of the event's age."""
    row = tx.execute("SELECT attempts, created FROM deliveries WHERE id = ?", delivery).fetchone()
    if not row:
        return
    moment, attempts = time.time(), row[0] + 1
    age = moment - row[1]
    tx.execute(
        "INSERT INTO attempts (delivery, at, status, error, ms) VALUES (?, ?, ?, ?, ?)",
        delivery,
        moment,
        status,
        error,
        ms,
    )
    if status is not None and 200 <= status < 300:
        state, due = "delivered", moment
    elif age > GIVES_UP_AFTER:
        state, due = "failed", moment
    else:
        state, due = "pending", moment + min(0.2 * 2 ** min(attempts - 1, 20), max(5.0, age / 10))
    tx.execute("UPDATE deliveries SET attempts = ?, state = ?, due = ? WHERE id = ?", attempts, state, due, delivery)


def deliveries(tx: Transaction, event: str) -> list[Json]:
    """Every delivery of an event with its attempts, oldest first."""
    result = []
    rows = tx.execute("SELECT id, endpoint, state, due FROM deliveries WHERE event = ? ORDER BY id", event).fetchall()
    for id, target, state, due in rows:
        attempts = tx.execute("SELECT at, status, error, ms FROM attempts WHERE delivery = ? ORDER BY id", id)
        result.append(
            {
                "id": id,
                "endpoint": target,
                "state": state,
                "due": due,
                "attempts": [
                    {"at": at, "status": status, "error": error, "ms": ms} for at, status, error, ms in attempts
                ],
            }
        )
    return result
