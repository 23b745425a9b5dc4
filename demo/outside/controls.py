"""The switches for scripts and for the /demo pages: everything under /_control."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from demo.outside import faults, google, mailbox, objects, payments, sessions, webhooks
from demo.outside.errors import ApiError
from demo.outside.guard import check_own_page, json_body
from demo.outside.ledger import Json, Ledger, Transaction
from demo.outside.settings import Settings

Control = Callable[[Transaction, Json, dict[str, Any]], tuple[int, Any]]


def routes(ledger: Ledger, settings: Settings) -> list[Route]:
    """All routes under /_control."""

    def read(path: str, control: Callable[[Transaction, Request], Any]) -> Route:
        async def endpoint(request: Request) -> Response:
            check_own_page(request, settings)
            return JSONResponse(await run_in_threadpool(_reading, ledger, control, request))

        return Route(path, endpoint, methods=["GET"])

    def change(path: str, control: Control) -> Route:
        async def endpoint(request: Request) -> Response:
            body = await json_body(request, settings)
            status, content = await run_in_threadpool(_changing, ledger, control, body, request.path_params)
            return JSONResponse(content, status)

        return Route(path, endpoint, methods=["POST"])

    return [
        read("/_control/ledger", lambda tx, request: whole_ledger(tx)),
        read("/_control/mail", lambda tx, request: mailbox.listing(tx, request.query_params.get("to"))),
        read("/_control/webhooks", lambda tx, request: webhooks.faults(tx)),
        read("/_control/faults", lambda tx, request: faults.current(tx)),
        change("/_control/webhooks", lambda tx, body, path: (200, webhooks.set_faults(tx, body))),
        change("/_control/faults", lambda tx, body, path: (200, faults.add(tx, body))),
        change("/_control/settings", _set),
        change("/_control/sessions/{id}/pay", _pay),
        change("/_control/sessions/{id}/expire", _expire),
        change("/_control/payments/{id}/refund", _refund),
        change("/_control/payments/{id}/dispute", _dispute),
        change("/_control/payments/{id}/settle", _settle),
        change("/_control/refunds/{id}/settle", _change_refund(payments.settle_refund)),
        change("/_control/refunds/{id}/fail", _change_refund(payments.fail_refund)),
        change("/_control/disputes/{id}/answer", _answer_dispute),
        change("/_control/events/{id}/resend", _resend),
        change("/_control/google/token", _token(settings)),
        change("/_control/google/rotate", lambda tx, body, path: (200, google.rotate(tx, bool(body.get("forget"))))),
        Route("/_control/reset", _reset(ledger, settings), methods=["POST"]),
    ]


def _reading(ledger: Ledger, control: Callable[[Transaction, Request], Any], request: Request) -> Any:
    with ledger.reading() as tx:
        return control(tx, request)


def _changing(ledger: Ledger, control: Control, body: Json, path: dict[str, Any]) -> tuple[int, Any]:
    with ledger.transaction() as tx:
        return control(tx, body, path)


def whole_ledger(tx: Transaction) -> Json:
    """Everything that was ever agreed, oldest first."""
    kinds = {
        "sessions": "checkout.session",
        "payments": "payment_intent",
        "charges": "charge",
        "refunds": "refund",
        "disputes": "dispute",
    }
    ledger: Json = {name: objects.shown(tx.all(kind)) for name, kind in kinds.items()}
    ledger["events"] = [
        objects.shown(webhooks.with_pending(tx, event)) | {"deliveries": webhooks.deliveries(tx, event["id"])}
        for event in tx.all("event")
    ]
    return ledger


def _pay(tx: Transaction, body: Json, path: dict[str, Any]) -> tuple[int, Any]:
    """Pays as the page does; a card that asks for 3-D Secure passes it unless `authenticate` is false."""
    card = str(body.get("card", "4242424242424242")).replace(" ", "")
    payer = payments.Payer(email=body.get("email"), name=body.get("name", "Test Payer"), postal_code="10001")
    answer = payments.pay(tx, path["id"], card, payer, authenticated=body.get("authenticate", True) is True)
    if answer.state == "declined":
        return 402, {"error": answer.error, "session": objects.shown(answer.session)}
    return 200, {"session": objects.shown(answer.session)}


def _expire(tx: Transaction, body: Json, path: dict[str, Any]) -> tuple[int, Any]:
    return 200, {"session": objects.shown(sessions.expire(tx, path["id"]))}


def _refund(tx: Transaction, body: Json, path: dict[str, Any]) -> tuple[int, Any]:
    form = {"payment_intent": path["id"], "reason": "requested_by_customer"}
    if body.get("amount") is not None:
        form["amount"] = str(body["amount"])
    return 200, {"refund": objects.shown(payments.refund(tx, form))}


def _dispute(tx: Transaction, body: Json, path: dict[str, Any]) -> tuple[int, Any]:
    return 200, {"dispute": objects.shown(payments.dispute(tx, path["id"], str(body.get("reason", "fraudulent"))))}


def _settle(tx: Transaction, body: Json, path: dict[str, Any]) -> tuple[int, Any]:
    payments.settle(tx, path["id"])
    return 200, {"payment": objects.shown(tx.get("payment_intent", path["id"]))}


def _change_refund(change: Callable[[Transaction, str], None]) -> Control:
    def control(tx: Transaction, body: Json, path: dict[str, Any]) -> tuple[int, Any]:
        change(tx, path["id"])
        return 200, {"refund": objects.shown(tx.get("refund", path["id"]))}

    return control


def _answer_dispute(tx: Transaction, body: Json, path: dict[str, Any]) -> tuple[int, Any]:
    return 200, {"dispute": objects.shown(payments.answer_dispute(tx, path["id"], str(body.get("status"))))}


def _resend(tx: Transaction, body: Json, path: dict[str, Any]) -> tuple[int, Any]:
    webhooks.resend(tx, path["id"])
    return 200, {"deliveries": webhooks.deliveries(tx, path["id"])}


def _set(tx: Transaction, body: Json, path: dict[str, Any]) -> tuple[int, Any]:
    value = body.get("settle_after_ms")
    if type(value) is not int or not 0 <= value <= 86_400_000 or len(body) != 1:
        raise ApiError("settle_after_ms must be a whole number from 0 to 86400000", param="settle_after_ms")
    tx.write_note("settle_after_ms", value)
    return 200, body


def _token(settings: Settings) -> Control:
    def control(tx: Transaction, body: Json, path: dict[str, Any]) -> tuple[int, Any]:
        claims = body.get("claims", {})
        if not isinstance(claims, dict):
            raise ApiError("claims must be an object", param="claims")
        signed = google.token(
            tx,
            settings.google_client_id,
            claims,
            str(body.get("key", "current")),
            str(body.get("alg", "RS256")),
            body.get("kid"),
        )
        return 200, {"token": signed}

    return control


def _reset(ledger: Ledger, settings: Settings) -> Callable[[Request], Awaitable[Response]]:
    def forget() -> None:
        ledger.reset()
        with ledger.transaction() as tx:
            webhooks.ensure_shop_endpoint(tx, settings)

    async def endpoint(request: Request) -> Response:
        await json_body(request, settings)
        await run_in_threadpool(forget)
        return JSONResponse({"reset_at": time.time()})

    return endpoint
