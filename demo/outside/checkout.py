"""The embedded payment page and the two scripts that the shop's pages load."""

import re
from datetime import UTC, datetime

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from demo.outside import payments, sessions
from demo.outside.cards import CARDS, brand_of, passes_luhn
from demo.outside.errors import ApiError
from demo.outside.guard import json_body
from demo.outside.ledger import Json, Ledger
from demo.outside.pages import Pages
from demo.outside.settings import Settings

COUNTRIES = (
    "AU Australia,AT Austria,BE Belgium,CA Canada,DK Denmark,FI Finland,FR France,DE Germany,IS Iceland,IE Ireland,"
    "IT Italy,JP Japan,LU Luxembourg,NL Netherlands,NZ New Zealand,NO Norway,PL Poland,PT Portugal,ES Spain,SE Sweden,"
    "CH Switzerland,GB United Kingdom,US United States"
)
COUNTRY_NAMES = dict(entry.split(" ", 1) for entry in COUNTRIES.split(","))


class Checkout:
    """The payment page of a session."""

    def __init__(self, ledger: Ledger, settings: Settings, pages: Pages) -> None:
        self._ledger = ledger
        self._settings = settings
        self._pages = pages

    def routes(self) -> list[Route]:
        """The page, and the form's submission."""
        return [
            Route("/checkout/{secret}", self.page, methods=["GET"]),
            Route("/checkout/{secret}/pay", self.pay, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """The page of a session, or a note that it is over."""
        session = await run_in_threadpool(self._session, request.path_params["secret"])
        if session is None:
            return self._gone("unknown", 404)
        if session["status"] != "open" or session["expires_at"] <= datetime.now(UTC).timestamp():
            state = "complete" if session["status"] == "complete" else "expired"
            return self._gone(state)
        return self._pages.framed(
            "checkout.html",
            {
                "session": session,
                "lines": session["_line_items"],
                "countries": COUNTRY_NAMES,
                "cards": list(CARDS.values()),
                "secret": request.path_params["secret"],
                "parents": " ".join(self._settings.shop_origins),
            },
        )

    def _gone(self, state: str, status: int = 200) -> Response:
        parents = " ".join(self._settings.shop_origins)
        return self._pages.framed("checkout_gone.html", {"state": state, "parents": parents}, status)

    def _session(self, secret: str) -> Json | None:
        with self._ledger.reading() as tx:
            return sessions.by_secret(tx, secret)

    async def pay(self, request: Request) -> Response:
        """Pays with the form's card; responds with the outcome."""
        form = await json_body(request, self._settings)
        return await run_in_threadpool(self._pay, request.path_params["secret"], form)

    def _pay(self, secret: str, form: Json) -> Response:
        """Every outcome that the page knows what to do with is a 200 and has a state."""
        with self._ledger.transaction() as tx:
            session = sessions.by_secret(tx, secret)
            if session is None:
                raise ApiError("There is no such checkout.", status=404)
            errors = _mistakes(form, free=session["amount_total"] == 0)
            if errors:
                return JSONResponse({"state": "invalid", "errors": errors})
            if session["status"] != "open":
                return JSONResponse({"state": "closed"})
            answer = payments.pay(tx, session["id"], _digits(form.get("number")), _payer(form), _authenticated(form))
        if answer.state == "declined" and answer.error:
            return JSONResponse({"state": "declined", "message": answer.error["message"]})
        return JSONResponse({"state": answer.state, "return_url": _return_url(answer.session)})


def _return_url(session: Json) -> str | None:
    """Where the shopper goes now; None when the page that embeds us is to be told instead."""
    if session["status"] != "complete" or session["redirect_on_completion"] != "always":
        return None
    return str(session["return_url"]).replace("{CHECKOUT_SESSION_ID}", session["id"])


def _digits(value: object) -> str:
    return re.sub(r"[ -]", "", str(value or ""))


def _authenticated(form: Json) -> bool | None:
    answer = form.get("authenticated")
    return answer if isinstance(answer, bool) else None


def _expiry(form: Json) -> tuple[int, int] | None:
    match = re.fullmatch(r"\s*(\d{1,2})\s*/\s*(\d{2}|20\d{2})\s*", str(form.get("expiry") or ""))
    if not match or not 1 <= int(match[1]) <= 12:
        return None
    return int(match[1]), 2000 + int(match[2][-2:])


def _payer(form: Json) -> payments.Payer:
    def line(name: str) -> str | None:
        return str(form.get(name) or "").strip()[:200] or None

    return payments.Payer(
        line("email"), line("name"), line("country"), line("postal_code"), _expiry(form) or (12, 2034)
    )


def _mistakes(form: Json, free: bool) -> dict[str, str]:
    """By field, the sentence that belongs beside it. The page says the same before it asks."""
    mistakes: dict[str, str] = {}
    if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", str(form.get("email") or "").strip()):
        mistakes["email"] = "Enter an e-mail address such as ada@example.com."
    if free:
        return mistakes
    number = _digits(form.get("number"))
    if not re.fullmatch(r"\d{13,19}", number) or not passes_luhn(number):
        mistakes["number"] = "This is not a card number. Check the digits."
    expiry, today = _expiry(form), datetime.now(UTC)
    if expiry is None:
        mistakes["expiry"] = "Enter month and year, such as 04 / 29."
    elif (expiry[1], expiry[0]) < (today.year, today.month):
        mistakes["expiry"] = "This card has expired."
    length = 4 if brand_of(number) == "amex" else 3
    if not re.fullmatch(rf"\d{{{length}}}", str(form.get("cvc") or "")):
        mistakes["cvc"] = f"Enter the {length} digits of the security code."
    if not str(form.get("name") or "").strip():
        mistakes["name"] = "Enter the name on the card."
    if form.get("country") not in COUNTRY_NAMES:
        mistakes["country"] = "Choose a country."
    if form.get("country") == "US" and not re.fullmatch(r"\d{5}(-\d{4})?", str(form.get("postal_code") or "").strip()):
        mistakes["postal_code"] = "Enter a ZIP code of five digits."
    return mistakes
