"""What goes wrong on request, so that the shop's answers to it can be tried.

A fault is taken by the next `count` calls whose method and path match, in the order the faults were set. Paths are
the API's (a prefix such as `/v1/refunds`), `/google/certs`, or `smtp`.
"""

from demo.outside.errors import ApiError
from demo.outside.ledger import Json, Ledger, Transaction

KINDS = {
    "error": "answers 500 and does nothing; the answer is kept under the idempotency key",
    "error_after": "does what was asked, and answers 500 all the same",
    "unavailable": "answers 503 and does nothing; a mail is put off with 451",
    "rate_limit": "answers 429 and does nothing",
    "slow": "answers properly, after delay_ms (3000)",
    "timeout": "does nothing and answers 504 after delay_ms (30000)",
    "lost": "does what was asked, then cuts the connection in the middle of the answer",
}
DELAYS = {"slow": 3000, "timeout": 30_000}
_FIELDS = {"kind", "count", "path", "method", "delay_ms"}


def current(tx: Transaction) -> list[Json]:
    """The faults that are still set."""
    faults: list[Json] = tx.note("faults", [])
    return faults


def add(tx: Transaction, body: Json) -> list[Json]:
    """Sets one more fault; an empty object ends all of them. Raises ApiError for what is no fault."""
    if not body:
        tx.write_note("faults", [])
        return []
    if body.get("kind") not in KINDS:
        raise ApiError(f"kind must be one of {', '.join(KINDS)}", param="kind")
    if unknown := set(body) - _FIELDS:
        raise ApiError(f"Unknown fields: {', '.join(sorted(unknown))}")
    count, delay = body.get("count", 1), body.get("delay_ms", DELAYS.get(body["kind"], 0))
    if type(count) is not int or not 1 <= count <= 10_000:
        raise ApiError("count must be a whole number from 1 to 10000", param="count")
    if type(delay) is not int or not 0 <= delay <= 600_000:
        raise ApiError("delay_ms must be a whole number from 0 to 600000", param="delay_ms")
    path, method = body.get("path", "/v1/"), body.get("method")
    if not isinstance(path, str) or not (method is None or isinstance(method, str)):
        raise ApiError("path and method must be text", param="path")
    fault = {"kind": body["kind"], "count": count, "path": path, "method": method, "delay_ms": delay}
    faults = [*current(tx), fault]
    tx.write_note("faults", faults)
    return faults


def take(ledger: Ledger, method: str, path: str) -> Json | None:
    """The fault that this call meets, if any; counted down."""
    with ledger.reading() as tx:
        if not current(tx):
            return None
    with ledger.transaction() as tx:
        faults = current(tx)
        for fault in faults:
            if path.startswith(fault["path"]) and fault["method"] in (None, method):
                fault["count"] -= 1
                tx.write_note("faults", [left for left in faults if left["count"]])
                return fault
    return None
