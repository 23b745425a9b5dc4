"""Valid REST calls for every route, and their mutations by a fuzzer."""

import hmac
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from hypothesis import strategies as st

from server.config import STAND_IN_STRIPE_WEBHOOK_SECRET
from tests.api.conftest import ADDRESS
from tests.api.inputs import PASSWORD, PIXEL, PRODUCT
from tests.attacks.examples import Tokens
from tests.attacks.nasty import WHOLE, mostly, texts

PLAIN = (
    *(
        "/livez",
        "/readyz",
        "/favicon.svg",
        "/early.js",
        "/sw.js",
        "/robots.txt",
        "/sitemap.xml",
        "/feed.xml",
        "/theme.css",
    ),
    *("/graphiql", "/theme.css", "/.well-known/change-password", "/.well-known/security.txt"),
    *("/schema.graphql", "/possibleTypes.json", "/scalars.json"),
)
"""Addresses that take nothing but themselves."""
CSP = {"effective-directive": "script-src-elem", "document-uri": "https://shop.example/x", "blocked-uri": "inline"}
SHEET = b"sku,stock,price\r\nOX-S,5,89.00\r\n"
DEEP = 20_000


@dataclass(frozen=True)
class Fit:
    """A call as a good client makes it; {names} in the path stand for values of `places`."""

    path: str
    body: Any = None
    raw: bytes | None = None
    query: dict[str, str] = field(default_factory=dict)
    is_signed: bool = False
    """Sent with the payment provider's signature."""


@dataclass(frozen=True)
class Sent:
    path: str
    content: bytes | None
    headers: dict[str, str] = field(default_factory=dict)


def fit_calls(ids: dict[str, list[str]], tokens: Tokens) -> dict[str, Fit]:
    """By the name of the route in `tests.attacks.routes`; `page` is the screens' own."""
    pages = {"limit": "3", "offset": "1"}
    cart = {"productId": ids["product"][0], "quantity": 1, "size": "S", "color": "Sky", "price": 89}
    item = {"productId": {"_id": ids["product"][0]}, "variantId": ids["variant"][0], "quantity": 1}
    event = {"kind": "viewed", "products": ids["product"], "ago": 5, "session": ids["checkout"][0]}
    news = {"id": "evt_1", "object": "event", "type": "checkout.session.completed", "created": 1}
    news["data"] = {"object": {"id": ids["checkout"][0], "object": "checkout.session", "payment_intent": "pi_1"}}
    return {
        "POST /auth/signin": Fit("/api/auth/signin", {"email": "shopper@shop.test", "password": PASSWORD, "code": ""}),
        "POST /auth/signup": Fit(
            "/api/auth/signup", {"name": "Ada Lovelace", "email": "new@shop.test", "password": PASSWORD}
        ),
        "POST /auth/google": Fit("/api/auth/google", {"token": tokens.google, "code": ""}),
        "POST /auth/logout": Fit("/api/auth/logout", {}),
        "POST /auth/forgot-password": Fit("/api/auth/forgot-password", {"email": "shopper@shop.test"}),
        "POST /auth/reset-password": Fit(
            "/api/auth/reset-password", {"resetToken": tokens.reset, "newPassword": PASSWORD}
        ),
        "GET /user/profile": Fit("/api/user/profile"),
        "PUT /user/profile": Fit(
            "/api/user/profile", {"name": "Ada King", "email": "shopper@shop.test", "password": ""}
        ),
        "POST /user/request-admin-access": Fit("/api/user/request-admin-access", {}),
        "POST /user/address": Fit("/api/user/address", ADDRESS),
        "PUT /user/address/{id}": Fit("/api/user/address/{address}", ADDRESS),
        "DELETE /user/address/{id}": Fit("/api/user/address/{address}"),
        "GET /orders": Fit("/api/orders", query=pages),
        "GET /cart": Fit("/api/cart"),
        "POST /cart": Fit("/api/cart", cart),
        "PUT /cart/{id}": Fit("/api/cart/{variant}", {"quantity": 2}),
        "DELETE /cart/{id}": Fit("/api/cart/{variant}"),
        "GET /product/search": Fit("/api/product/search", query={"q": "oxf"}),
        "GET /product/{category}/{subcategory}": Fit("/api/product/{category}/{subcategory}", query=pages),
        "GET /product": Fit("/api/product", query={"category": "men", **pages}),
        "GET /product/{id}": Fit("/api/product/{product}"),
        "POST /product": Fit("/api/product", {**PRODUCT, "discountedPrice": 69, "discountPercentage": 25}),
        "DELETE /product/{id}": Fit("/api/product/{product}"),
        "GET /user/admin-requests": Fit("/api/user/admin-requests"),
        "POST /user/{id}/reject-admin": Fit("/api/user/{user}/reject-admin", {}),
        "GET /user": Fit("/api/user", query=pages),
        "PUT /user/{id}/toggle-admin": Fit("/api/user/{user}/toggle-admin", {}),
        "DELETE /user/{id}": Fit("/api/user/{user}"),
        "GET /analytics": Fit("/api/analytics"),
        "POST /payment/create-checkout-session": Fit(
            "/api/payment/create-checkout-session", {"items": [item], "addressId": ids["address"][0]}
        ),
        "POST /payment/checkout-success": Fit("/api/payment/checkout-success", {"session_id": ids["checkout"][0]}),
        "POST /payment/webhook": Fit("/api/payment/webhook", news, is_signed=True),
        "POST /uploads/images": Fit("/uploads/images", raw=PIXEL),
        "POST /uploads/images/signed": Fit("/uploads/images/signed", {"size": 40_000}),
        "POST /uploads/images/signed/{id}": Fit("/uploads/images/signed/{upload}", {}),
        "POST /uploads/products": Fit("/uploads/products", raw=SHEET, query={"name": "spring.csv"}),
        "GET /exports/products.csv": Fit("/exports/products.csv", query={"units": "in"}),
        "GET /images/{id}/{file}": Fit("/images/{image}/{file}"),
        "GET /account/data": Fit("/account/data"),
        "GET /orders/{id}/invoice.pdf": Fit("/orders/{order}/invoice.pdf"),
        "GET /orders/{id}/packing-slip.pdf": Fit("/orders/{order}/packing-slip.pdf"),
        "GET /orders/{id}/address-label.pdf": Fit("/orders/{order}/address-label.pdf"),
        "POST /events": Fit("/events", {"visit": ids["user"][0], "events": [event]}),
        "POST /browser-errors": Fit(
            "/browser-errors", {"page": "/cart", "name": "TypeError", "message": "x", "stack": "x"}
        ),
        "GET /unsubscribe": Fit("/unsubscribe", query={"token": tokens.unsubscribe}),
        "POST /unsubscribe": Fit(
            "/unsubscribe", raw=b"List-Unsubscribe=One-Click", query={"token": tokens.unsubscribe}
        ),
        "POST /unsubscribe/link": Fit("/unsubscribe/link", raw=b"email=waits%40shop.test"),
        "GET /graphql": Fit("/graphql", query={"query": "{ viewer { email } shop { name } }", "variables": '{"x": 1}'}),
        "POST /graphql": Fit("/graphql", {"query": "{ viewer { email } shop { name } }", "variables": {"x": 1}}),
        "POST /csp-reports": Fit("/csp-reports", {"csp-report": CSP}),
        **{f"GET {path}": Fit(path) for path in PLAIN},
        "GET /assets/{name}": Fit("/assets/{asset}"),
        "GET page": Fit("/{page}", query={"q": "oxford", "sort": "newest", "page": "2", "colors": "Sky"}),
    }


def places(ids: dict[str, list[str]], assets: Sequence[str] = ()) -> dict[str, Sequence[str]]:
    """What stands in a path when nothing is wrong."""
    return {
        **ids,
        "category": ("men", "women", "sale"),
        "subcategory": ("shirts", "jeans", "all"),
        "file": ("600.webp", "96.avif", "360.jpg", "180.webp", "600.jpg"),
        "asset": assets,
        "page": ("", "men", "women/shirts", "sale", "search", f"product/{ids['product'][0]}", "about", "cart"),
    }


def odd(name: str, real: Sequence[str]) -> st.SearchStrategy[str]:
    """Mostly what stands there."""
    return mostly(*real, *("0.webp", "99999.webp", "²²².webp")) if name == "file" else mostly(*real)


numbers = st.sampled_from((*WHOLE, 0.5, -0.0, 1e308, 2**63, 2**64, 10**400, -(10**30)))
anything = st.recursive(
    texts | numbers | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
BROKEN = (
    *(b"", b"{", b"null", b"[]", b'"x"', b"1", b"{}", b"\xff\xfe", b"\xef\xbb\xbf{}", b'{"email": "\xed\xa0\x80"}'),
    *(b"[" * DEEP, b'{"a":' * DEEP, b'{"name": NaN}', b'{"quantity": 1e999}', b'{"quantity": ' + b"9" * 5_000 + b"}"),
    *(b'{"email": "a@b.co", "email": "\\u0000"}', b"{\x00}", b"a" * 127_000, b'{"__proto__": {}}'),
)
FILES = (
    *(b"", PIXEL, PIXEL[:20], PIXEL[:33] + b"\x00" * 20, b"GIF89a" + b"\xff" * 30, b"<svg xmlns='x'/>", b"%PDF-1.4"),
    *(
        b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff\x08\x06\x00\x00\x00",
        b"RIFF\xff" * 9,
    ),
    *(b"\xff\xd8\xff\xe0" + b"\x00" * 50, b"\x00" * 1_000, b"BM" + b"\xff" * 60, b"II*\x00" + b"\xff" * 40),
    *(
        SHEET,
        b"sku\n" * 500,
        b'sku,stock\n"',
        b"sku,stock\nOX-S,\x00\n",
        b"sku,price\nOX-S,1e999\n",
        b"\xff\xfes\x00k\x00",
    ),
    *(b"sku,stock\nOX-S,99999999999999999999\n", b"sku,sku\na,b\n", b"sku,title\nOX-S," + b"x" * 20_000 + b"\n"),
    *(b",,,\n,,,\n", "sku,name\nOX-S,\u202e\n".encode()),
    *(b"sku,discount_starts_at\nOX-S,0001-01-01T00:00:00+14:00\n",),
)


def members(body: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a JSON value has values inside."""
    inside = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from members(value, (*path, key))


def changed(body: Any, path: tuple[Any, ...], value: Any) -> Any:
    copy = deepcopy(body)
    inside = copy
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return copy


@st.composite
def as_it_is(draw: st.DrawFn, fit: Fit, places: dict[str, Sequence[str]]) -> Sent:
    """The call as a good client makes it."""
    names = {name: draw(st.sampled_from(real)) for name, real in places.items() if f"{{{name}}}" in fit.path}
    return sent(fit, names, dict(fit.query), json.dumps(fit.body).encode() if fit.body is not None else fit.raw)


@st.composite
def attempts(draw: st.DrawFn, fit: Fit, places: dict[str, Sequence[str]]) -> Sent:
    """The call, mostly with one thing changed."""
    names = {name: draw(odd(name, real)) for name, real in places.items() if f"{{{name}}}" in fit.path}
    body, raw, query = fit.body, fit.raw, dict(fit.query)
    paths = list(members(body))
    where = draw(st.sampled_from(["nowhere"] * 2 + ["a member"] * 5 + ["the query", "the whole"]))
    if where == "a member" and paths:
        path = draw(st.sampled_from(paths))
        body = changed(body, path, draw(like(fit.body, path)))
    if where == "the query" or (where == "a member" and not paths and query):
        query[draw(st.sampled_from([*query, "limit", "token", "q"]))] = draw(texts)
    if where == "the whole" and body is not None:
        body, raw = None, draw(st.sampled_from(BROKEN))
    if fit.raw is not None and where != "nowhere":
        raw = draw(st.sampled_from(FILES) | st.binary(max_size=60))
    call = sent(fit, names, query, json.dumps(body).encode() if body is not None else raw)
    return replace(call, headers={}) if fit.is_signed and draw(st.integers(0, 4)) == 3 else call


def sent(fit: Fit, names: Mapping[str, str], query: Mapping[str, str], content: bytes | None) -> Sent:
    """A call with these values in its path and its query string."""
    path = fit.path.format(**{name: escaped(value) for name, value in names.items()})
    pairs = "&".join(f"{escaped(name)}={escaped(value)}" for name, value in query.items())
    return Sent(f"{path}?{pairs}" if pairs else path, content, signed(content or b"") if fit.is_signed else {})


def like(body: Any, path: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    """Mostly of the same kind as what was there, so that it gets past the door; sometimes anything at all."""
    was = body
    for key in path:
        was = was[key]
    same: dict[type, st.SearchStrategy[Any]] = {
        str: texts,
        int: st.sampled_from(WHOLE),
        bool: st.booleans(),
        list: st.lists(st.sampled_from(was), max_size=200) if isinstance(was, list) and was else st.just([]),
    }
    return st.integers(0, 4).flatmap(lambda turn: anything if turn == 3 else same.get(type(was), anything))


def escaped(value: str) -> str:
    return quote(value, safe="", errors="surrogatepass")


def signed(content: bytes) -> dict[str, str]:
    """As the payment provider signs its news."""
    now = int(time.time())
    signature = hmac.new(STAND_IN_STRIPE_WEBHOOK_SECRET.encode(), f"{now}.".encode() + content, sha256).hexdigest()
    return {"stripe-signature": f"t={now},v1={signature}"}
