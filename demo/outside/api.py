"""Stripe's HTTP API: keys, versions, idempotency, faults, and the resources behind it."""

import asyncio
import base64
import hashlib
import hmac
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from demo.outside import coupons, faults, forms, ids, objects, payments, sessions, webhooks
from demo.outside.errors import ApiError, Invalid, unauthorized
from demo.outside.expand import expand, lines
from demo.outside.forms import Check, Shape, one_of, text
from demo.outside.keys import API_VERSION
from demo.outside.ledger import Json, Ledger, Transaction
from demo.outside.pagination import page, page_of

Handler = Callable[[Transaction, Json, list[str]], Json]
MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Call:
    """One API call, with its idempotency key."""

    method: str
    path: str
    params: Json
    key: str | None
    request_id: str

    @property
    def fingerprint(self) -> str:
        """A hash that is equal for calls with the same parameters."""
        serialized = json.dumps([self.method, self.path, self.params], sort_keys=True)
        return hashlib.sha256(serialized.encode()).hexdigest()


@dataclass(frozen=True)
class Answer:
    """The response of a call; `replayed` when it was stored under the call's idempotency key."""

    status: int
    body: Json
    replayed: bool = False


class Api:
    """Everything under /v1."""

    def __init__(self, ledger: Ledger, key: str) -> None:
        self._ledger = ledger
        self._key = key
        self._under_way: set[str] = set()

    async def answer(self, request: Request) -> Response:
        """Handles one request under /v1."""
        request_id = ids.new("req_", 14)
        fault: Json | None = None
        try:
            self._check_key(request)
            self._check_version(request)
            call = await _read(request, request_id)
            fault = await run_in_threadpool(faults.take, self._ledger, call.method, call.path)
            answer = await self._alone(call, fault)
        except ApiError as refusal:
            call = Call(request.method, request.url.path, {}, None, request_id)
            answer = Answer(refusal.status, refusal.envelope(request_id))
        return _respond(request, call, answer, lost=fault is not None and fault["kind"] == "lost")

    def _check_key(self, request: Request) -> None:
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "basic":
            key = base64.b64decode(key + "==", validate=False).decode("latin-1").partition(":")[0]
        if not key:
            raise unauthorized(
                "You did not provide an API key. Use bearer auth, e.g. 'Authorization: Bearer YOUR_KEY'."
            )
        if not hmac.compare_digest(key.strip().encode(), self._key.encode()):
            raise unauthorized(f"Invalid API Key provided: {key[:7]}****")

    def _check_version(self, request: Request) -> None:
        version = request.headers.get("stripe-version", API_VERSION)
        if version != API_VERSION:
            raise Invalid(f"Invalid Stripe API version: {version}. The stand-in speaks {API_VERSION} only.")

    async def _alone(self, call: Call, fault: Json | None) -> Answer:
        """Runs the call unless another one with its idempotency key is still running."""
        key = call.key if call.method == "POST" else None
        if key is not None and key in self._under_way:
            message = (
                "There is currently another in-progress request using this Idempotent Key. Please try again later."
            )
            raise ApiError(message, "idempotency_key_in_use", status=409, type="idempotency_error")
        if key is not None:
            self._under_way.add(key)
        try:
            return await self._with_fault(call, fault)
        finally:
            if key is not None:
                self._under_way.discard(key)

    async def _with_fault(self, call: Call, fault: Json | None) -> Answer:
        kind = fault["kind"] if fault else None
        if fault and kind in faults.DELAYS:
            await asyncio.sleep(fault["delay_ms"] / 1000)
        if kind == "unavailable":
            raise ApiError("The service is not available at the moment.", status=503, type="api_error")
        if kind == "rate_limit":
            raise ApiError("Too many requests. Please slow down.", "rate_limit", status=429)
        if kind == "timeout":
            raise ApiError("The request took too long.", status=504, type="api_error")
        return await run_in_threadpool(self._answer, call, kind)

    def _answer(self, call: Call, fault: str | None) -> Answer:
        """One transaction holds the work and the answer to its key, so that neither exists without the other."""
        if call.method == "GET":
            with self._ledger.reading() as tx:
                return Answer(200, _run(tx, call))
        try:
            with self._ledger.transaction({"id": call.request_id, "idempotency_key": call.key}) as tx:
                if replay := _recall(tx, call):
                    return replay
                if fault == "error":
                    answer = _broken(call)
                else:
                    done = Answer(200, _run(tx, call))
                    answer = _broken(call) if fault == "error_after" else done
                _remember(tx, call, answer)
                return answer
        except Invalid:
            raise
        except ApiError as refusal:
            if refusal.type == "idempotency_error":
                raise
            answer = Answer(refusal.status, refusal.envelope(call.request_id))
            with self._ledger.transaction() as tx:
                _remember(tx, call, answer)
            return answer


def _broken(call: Call) -> Answer:
    failure = ApiError("Something went wrong on our side (a fault set on purpose).", status=500, type="api_error")
    return Answer(500, failure.envelope(call.request_id))


def _recall(tx: Transaction, call: Call) -> Answer | None:
    if call.key is None:
        return None
    row = tx.execute("SELECT fingerprint, status, body FROM answers WHERE key = ?", call.key).fetchone()
    if row is None:
        return None
    if row[0] != call.fingerprint:
        message = (
            "Keys for idempotent requests can only be used with the same parameters they were first used with. "
            f"Try using a key other than '{call.key}' if you meant to execute a different request."
        )
        raise ApiError(message, status=400, type="idempotency_error")
    return Answer(row[1], json.loads(row[2]), replayed=True)


def _remember(tx: Transaction, call: Call, answer: Answer) -> None:
    if call.key is not None:
        tx.execute(
            "INSERT INTO answers VALUES (?, ?, ?, ?, unixepoch())",
            call.key,
            call.fingerprint,
            answer.status,
            json.dumps(answer.body),
        )


async def _read(request: Request, request_id: str) -> Call:
    body = await request.body()
    if len(body) > MOST_BYTES:
        raise Invalid("The request is too large.", status=413)
    query = body.decode("utf-8", "replace") if request.method == "POST" else request.url.query
    params = forms.decode(parse_qsl(query, keep_blank_values=True))
    key = request.headers.get("idempotency-key")
    if key is not None and len(key) > 255:
        raise Invalid("Idempotency keys can be up to 255 characters.", type="idempotency_error")
    return Call(request.method, request.url.path, params, key, request_id)


def _respond(request: Request, call: Call, answer: Answer, lost: bool) -> Response:
    headers = {
        "request-id": call.request_id,
        "stripe-version": request.headers.get("stripe-version", API_VERSION),
        "cache-control": "no-cache, no-store",
    }
    if call.key is not None:
        headers["idempotency-key"] = call.key
    if answer.replayed:
        headers |= {"idempotent-replayed": "true", "original-request": call.request_id}
    if lost:
        return StreamingResponse(_half(), headers=headers | {"content-length": "1000"}, media_type="application/json")
    return JSONResponse(answer.body, answer.status, headers)


async def _half() -> AsyncIterator[bytes]:
    """The server closes the connection when less comes than was announced."""
    yield b'{"id": "'


def _run(tx: Transaction, call: Call) -> Json:
    for method, pattern, handler in ROUTES:
        if method == call.method and (match := pattern.fullmatch(call.path)):
            expand_names = call.params.get("expand", [])
            paths = forms.expansion(expand_names, "expand") if expand_names else []
            body: Json = objects.shown(expand(tx, handler(tx, call.params, list(match.groups())), paths))
            return body
    message = f"Unrecognized request URL ({call.method}: {call.path})."
    raise Invalid(message, status=404)


def _only_expand(params: Json) -> None:
    Shape(forms.EXPAND)(params)


def _get(kind: str, decorate: Callable[[Transaction, Json], Json] | None = None) -> Handler:
    def handler(tx: Transaction, params: Json, path: list[str]) -> Json:
        _only_expand(params)
        stored = tx.get(kind, path[0])
        if not stored:
            raise ApiError(f"No such {kind}: '{path[0]}'", "resource_missing", "id", status=404)
        return decorate(tx, stored) if decorate else stored

    return handler


def _list(
    kind: str,
    url: str,
    filters: Mapping[str, Check] | None = None,
    decorate: Callable[[Transaction, Json], Json] | None = None,
) -> Handler:
    shape = Shape({**forms.PAGING, **(filters or {})})

    def handler(tx: Transaction, params: Json, path: list[str]) -> Json:
        listing = page(tx, kind, url, shape(params))
        if decorate:
            listing["data"] = [decorate(tx, item) for item in listing["data"]]
        return listing

    return handler


def _expire(tx: Transaction, params: Json, path: list[str]) -> Json:
    _only_expand(params)
    return sessions.expire(tx, path[0])


def _session(tx: Transaction, params: Json, path: list[str]) -> Json:
    _only_expand(params)
    return sessions.get(tx, path[0])


def _line_items(tx: Transaction, params: Json, path: list[str]) -> Json:
    read = Shape({name: check for name, check in forms.PAGING.items() if name != "created"})(params)
    return page_of(lines(sessions.get(tx, path[0])), read)


def _delete(kind: str) -> Handler:
    def handler(tx: Transaction, params: Json, path: list[str]) -> Json:
        _get(kind)(tx, params, path)
        tx.execute("DELETE FROM objects WHERE id = ?", path[0])
        return {"id": path[0], "object": kind, "deleted": True}

    return handler


def _route(method: str, path: str, handler: Handler) -> tuple[str, re.Pattern[str], Handler]:
    return method, re.compile(path.replace("{id}", "([^/]+)")), handler


def _on(make: Callable[[Transaction, Json], Json]) -> Handler:
    return lambda tx, params, path: make(tx, params)


_id: Check = text(255)
_customer: Any = Shape({"email": text(512)})
ROUTES = [
    _route("POST", "/v1/checkout/sessions", _on(sessions.create)),
    _route(
        "GET",
        "/v1/checkout/sessions",
        _list(
            "checkout.session",
            "/v1/checkout/sessions",
            {"status": one_of("open", "complete", "expired"), "payment_intent": _id, "customer_details": _customer},
        ),
    ),
    _route("GET", "/v1/checkout/sessions/{id}", _session),
    _route("POST", "/v1/checkout/sessions/{id}/expire", _expire),
    _route("GET", "/v1/checkout/sessions/{id}/line_items", _line_items),
    _route("GET", "/v1/payment_intents", _list("payment_intent", "/v1/payment_intents")),
    _route("GET", "/v1/payment_intents/{id}", _get("payment_intent")),
    _route("GET", "/v1/charges", _list("charge", "/v1/charges", {"payment_intent": _id})),
    _route("GET", "/v1/charges/{id}", _get("charge")),
    _route("POST", "/v1/refunds", _on(payments.refund)),
    _route("GET", "/v1/refunds", _list("refund", "/v1/refunds", {"payment_intent": _id, "charge": _id})),
    _route("GET", "/v1/refunds/{id}", _get("refund")),
    _route("GET", "/v1/disputes", _list("dispute", "/v1/disputes", {"payment_intent": _id, "charge": _id})),
    _route("GET", "/v1/disputes/{id}", _get("dispute")),
    _route("POST", "/v1/coupons", _on(coupons.create)),
    _route("GET", "/v1/coupons", _list("coupon", "/v1/coupons")),
    _route("GET", "/v1/coupons/{id}", _get("coupon")),
    _route("DELETE", "/v1/coupons/{id}", _delete("coupon")),
    _route(
        "GET",
        "/v1/events",
        _list("event", "/v1/events", {"type": text(100), "types": forms.many(text(100), 20)}, webhooks.with_pending),
    ),
    _route("GET", "/v1/events/{id}", _get("event", webhooks.with_pending)),
    _route("POST", "/v1/webhook_endpoints", _on(webhooks.create_endpoint)),
    _route("GET", "/v1/webhook_endpoints", _list("webhook_endpoint", "/v1/webhook_endpoints")),
    _route("GET", "/v1/webhook_endpoints/{id}", _get("webhook_endpoint")),
    _route("DELETE", "/v1/webhook_endpoints/{id}", _delete("webhook_endpoint")),
]
