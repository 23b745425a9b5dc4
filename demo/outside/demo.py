"""The pages for people: what happened outside the shop, and switches to make it happen differently."""

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from demo.outside import faults, google, mailbox, payments, webhooks
from demo.outside.cards import CARDS
from demo.outside.errors import ApiError
from demo.outside.guard import json_body
from demo.outside.ledger import Json, Ledger, Transaction
from demo.outside.pages import Pages
from demo.outside.settings import Settings

MOST_ROWS = 50


class Demo:
    """The pages under /demo and /mail, and Google's account chooser."""

    def __init__(self, ledger: Ledger, settings: Settings, pages: Pages) -> None:
        self._ledger = ledger
        self._settings = settings
        self._pages = pages

    def routes(self) -> list[Route]:
        """All of these pages."""
        return [
            Route("/", self.home),
            Route("/demo", self._shown("demo.html", self._overview)),
            Route("/demo/payments", self._shown("payments.html", _payments)),
            Route("/demo/people", self._shown("people.html", self._people)),
            Route("/demo/faults", self._shown("faults.html", _faults)),
            Route("/mail", self._shown("mail.html", _mail)),
            Route("/mail/{id:int}", self.message),
            Route("/mail/{id:int}/html", self.html),
            Route("/google/choose", self.choose, methods=["GET"]),
            Route("/google/choose", self.chosen, methods=["POST"]),
        ]

    async def home(self, request: Request) -> Response:
        """Redirects to /demo."""
        return RedirectResponse("/demo")

    def _shown(self, template: str, gather: Callable[[Transaction], Json]) -> Callable[[Request], Any]:
        def page(request: Request) -> Response:
            with self._ledger.reading() as tx:
                values = gather(tx)
            return self._pages.page(template, {**values, "here": request.url.path})

        return page

    def _overview(self, tx: Transaction) -> Json:
        def count(sql: str) -> int:
            return int(tx.execute(sql).fetchone()[0])

        return {
            "cards": list(CARDS.values()),
            "mails": mailbox.listing(tx)[:5],
            "mail_count": count("SELECT count(*) FROM mail"),
            "sessions": tx.all("checkout.session", order="seq DESC", limit=5),
            "session_count": count("SELECT count(*) FROM objects WHERE kind = 'checkout.session'"),
            "waiting": count("SELECT count(*) FROM deliveries WHERE state = 'pending'"),
            "faults": faults.current(tx),
            "webhooks": webhooks.faults(tx),
            "settings": self._settings,
        }

    def _people(self, tx: Transaction) -> Json:
        return {
            "personas": google.PERSONAS,
            "people": google.people(tx),
            "kids": list(google.certificates(tx)),
            "client_id": self._settings.google_client_id,
        }

    def message(self, request: Request) -> Response:
        """One mail with its headers and text."""
        with self._ledger.reading() as tx:
            mail = mailbox.one(tx, request.path_params["id"])
        if not mail:
            return self._pages.page("missing.html", {"here": "/mail", "what": "message"}, 404)
        return self._pages.page("message.html", {"mail": mail, "here": "/mail"})

    def html(self, request: Request) -> Response:
        """The HTML body of one mail."""
        with self._ledger.reading() as tx:
            mail = mailbox.one(tx, request.path_params["id"])
        return self._pages.mail_body(mail["html"] or "" if mail else "")

    def choose(self, request: Request) -> Response:
        """The pop-up of the Google button; `origin` is the page that will be told, and has to be the shop's."""
        query = request.query_params
        problem = None
        if query.get("client_id") != self._settings.google_client_id:
            problem = f"No such client: {query.get('client_id')}"
        elif query.get("origin") not in self._settings.shop_origins:
            problem = f"The origin {query.get('origin')} is not the shop's, which is {self._settings.shop}."
        with self._ledger.reading() as tx:
            values = {"personas": google.PERSONAS, "people": google.people(tx)}
        asking = {name: query.get(name, "") for name in ("origin", "nonce", "state", "login_hint")}
        return self._pages.pop_up("choose.html", {**values, **asking, "problem": problem}, 400 if problem else 200)

    async def chosen(self, request: Request) -> Response:
        """Signs a credential for the chosen persona."""
        choice = await json_body(request, self._settings)
        return JSONResponse({"credential": await run_in_threadpool(self._sign, choice)})

    def _sign(self, choice: Json) -> str:
        with self._ledger.transaction() as tx:
            claims = google.claims_of(tx, choice)
            nonce = choice.get("nonce")
            if nonce is not None and not isinstance(nonce, str):
                raise ApiError("nonce must be text", param="nonce")
            return google.token(tx, self._settings.google_client_id, claims | ({"nonce": nonce} if nonce else {}))


def _payments(tx: Transaction) -> Json:
    sessions = tx.all("checkout.session", order="seq DESC", limit=MOST_ROWS)
    intents = {intent["id"]: intent for intent in _named(tx, "payment_intent", sessions, "payment_intent")}
    charges = {charge["id"]: charge for charge in _named(tx, "charge", list(intents.values()), "latest_charge")}
    events = tx.all("event", order="seq DESC", limit=MOST_ROWS)
    return {
        "sessions": [_row(session, intents, charges) for session in sessions],
        "refunds": tx.all("refund", order="seq DESC", limit=MOST_ROWS),
        "disputes": tx.all("dispute", order="seq DESC", limit=MOST_ROWS),
        "events": [{**event, "deliveries": webhooks.deliveries(tx, event["id"])} for event in events],
        "settle_after": payments.settle_after(tx),
    }


def _named(tx: Transaction, kind: str, holders: list[Json], field: str) -> list[Json]:
    ids = [holder[field] for holder in holders if holder[field]]
    return tx.all(kind, f"id IN ({', '.join('?' * len(ids))})", *ids) if ids else []


def _row(session: Json, intents: Json, charges: Json) -> Json:
    intent = intents.get(session["payment_intent"])
    charge = charges.get(intent["latest_charge"]) if intent else None
    return {"session": session, "intent": intent, "charge": charge}


def _faults(tx: Transaction) -> Json:
    return {
        "kinds": faults.KINDS,
        "faults": faults.current(tx),
        "webhooks": webhooks.faults(tx),
        "settle_after_ms": round(payments.settle_after(tx) * 1000),
    }


def _mail(tx: Transaction) -> Json:
    return {"mails": mailbox.listing(tx)}
