"""Invalid requests to every REST call of the specification: the right error, and no effect."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select

from server.orders.models import OrderLine
from server.platform.core.text import UNSTORABLE
from tests.api.asking import ask
from tests.api.conftest import ADDRESS, Shop
from tests.api.inputs import PASSWORD, PRODUCT
from tests.orders.seen import version_of

NUL, LONG, HUGE = "a\x00b", "x" * 20_000, "y" * 1_500_000


@dataclass(frozen=True)
class Call:
    """A call that would be right, and which members of its body it needs."""

    role: str
    method: str
    path: str
    body: dict[str, Any] | None = None
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    ids: tuple[str, ...] = field(default=())
    """Attributes of People that the path's {id} must not be answered for."""


CALLS = [
    Call("visitor", "POST", "/auth/signin", {"email": "a@b.co", "password": PASSWORD}, ("email", "password")),
    Call(
        "visitor",
        "POST",
        "/auth/signup",
        {"name": "Ada Lovelace", "email": "new@b.co", "password": PASSWORD},
        ("name", "email", "password"),
    ),
    Call("visitor", "POST", "/auth/google", {"token": "not-a-token"}, ("token",)),
    Call("visitor", "POST", "/auth/forgot-password", {"email": "a@b.co"}, ("email",)),
    Call(
        "visitor",
        "POST",
        "/auth/reset-password",
        {"resetToken": "x", "newPassword": PASSWORD},
        ("resetToken", "newPassword"),
    ),
    Call("shopper", "PUT", "/user/profile", {"name": "Ada King"}, (), ("name", "email", "password")),
    Call(
        "shopper",
        "POST",
        "/user/address",
        ADDRESS,
        ("name", "address1", "city", "country", "phone"),
        ("address2", "postalCode", "isDefault"),
    ),
    Call(
        "shopper",
        "PUT",
        "/user/address/{id}",
        ADDRESS,
        ("name", "address1", "city", "country", "phone"),
        ("address2", "postalCode", "isDefault"),
        ids=("others_address", "product"),
    ),
    Call("shopper", "DELETE", "/user/address/{id}", ids=("others_address", "product")),
    Call(
        "shopper",
        "POST",
        "/cart",
        {"productId": "{product}", "quantity": 1, "price": 89},
        ("productId",),
        ("quantity",),
    ),
    Call("shopper", "PUT", "/cart/{id}", {"quantity": 2}, ("quantity",), ids=("others_address",)),
    Call("shopper", "DELETE", "/cart/{id}", ids=("others_address",)),
    Call("visitor", "GET", "/product/{id}", ids=("shopper",)),
    Call(
        "primary",
        "POST",
        "/product",
        PRODUCT,
        ("name", "subtitle", "description", "price", "category", "stock", "gender", "colors", "sizes", "images"),
        ("discountedPrice",),
    ),
    Call("primary", "DELETE", "/product/{id}", ids=("shopper",)),
    Call("primary", "POST", "/user/{id}/reject-admin", ids=("product",)),
    Call("primary", "PUT", "/user/{id}/toggle-admin", ids=("product",)),
    Call("primary", "DELETE", "/user/{id}", ids=("product",)),
    Call("shopper", "POST", "/payment/create-checkout-session", {"items": []}, (), ("items", "addressId")),
    Call("shopper", "POST", "/payment/checkout-success", {"session_id": "cs_test_none"}, ("session_id",)),
]


Wrong = tuple[str, Any, set[int]]


def wrongly(call: Call) -> Iterator[Wrong]:
    """The call with one thing wrong at a time, in words, and the statuses that say so."""
    for member in call.required:
        without = {key: value for key, value in (call.body or {}).items() if key != member}
        yield f"without {member}", without, {400, 401}
    for member in (*call.required, *call.optional):
        for words, value in (("an object", {"un": "expected"}), ("NUL", NUL), ("a huge text", LONG)):
            yield f"{member} is {words}", {**(call.body or {}), member: value}, {400, 401, 404, 409}
    if call.body is not None:
        yield "no JSON", "{not json", {400}
        yield "a list", [], {400}
        if call.path != "/product":
            yield "1.5 MB", {**call.body, "more": HUGE}, {413}
    for whose in call.ids:
        yield f"id of {whose}", whose, {404}
    if "{id}" in call.path:
        yield "id of nobody", "made-up", {404}
        yield "no id", "malformed", {404}


@pytest.mark.spec("calls.auth.signin")
@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.method} {call.path}")
async def test_bad_input_is_refused_and_leaves_nothing(shop: Shop, call: Call, subtests: pytest.Subtests) -> None:
    before = await shop.snapshot()
    for words, wrong, statuses in wrongly(call):
        with subtests.test(words):
            path, content = asked(shop, call, wrong)

            response = await shop.clients[call.role].request(call.method, f"/api{path}", content=content)

            assert response.status_code in statuses, response.text
            answer = response.json()
            assert isinstance(answer["message"], str)
            assert answer["message"]
            assert all(": " in each for each in answer.get("errors", []))
            assert await shop.snapshot() == before


def asked(shop: Shop, call: Call, wrong: Any) -> tuple[str, bytes | None]:
    ids = {"made-up": str(uuid4()), "malformed": "0-or-1=1"}
    if isinstance(wrong, str) and not wrong.startswith("{"):
        target = ids.get(wrong) or str(getattr(shop.people, wrong))
        body: Any = call.body
    else:
        target = str(shop.people.variants[0] if call.path.startswith("/cart") else shop.people.address)
        body = wrong
    raw = body if isinstance(body, str) else json.dumps(body)
    raw = raw.replace("{product}", str(shop.people.product))
    return call.path.replace("{id}", target), raw.encode() if body is not None else None


WRITTEN = [
    ("requestReturn(orderId: $order, lines: [{lineId: $line, quantity: 1}], reason: $words)", "other", "reason"),
    ("createOrderNote(orderId: $order, version: $version, text: $words)", "admin", "text"),
    ("cancelOrderAsShop(id: $order, version: $version, reason: $words)", "admin", "reason"),
    (
        'shipOrder(id: $order, version: $version, input: {carrier: $words, trackingNumber: "1"})',
        "admin",
        "carrier",
    ),
    ('setTaxRate(country: "DE", input: {basisPoints: 1900, name: $words})', "primary", "name"),
    ('createSavedReport(input: {name: $words, definition: "by=DAY"})', "admin", "name"),
    (
        "refundOrder(id: $order, version: $version, input: {lines: [{lineId: $line, quantity: 1}], key: $words})",
        "primary",
        "key",
    ),
    ("refundReturn(id: $order, version: $version, input: {key: $words})", "primary", "key"),
    ("adjustStock(changes: [{variantId: $variant, by: 1}], reason: RECEIVED, note: $words)", "admin", "note"),
]
"""Mutations that keep what somebody writes, who may, and the name of its field."""


@pytest.mark.parametrize(("mutation", "role", "field"), WRITTEN, ids=[call.split("(")[0] for call, _, _ in WRITTEN])
async def test_what_cannot_be_stored_is_refused_in_the_same_words_wherever_it_is_written(
    shop: Shop, mutation: str, role: str, field: str
) -> None:
    async with shop.sessions() as session:
        line = await session.scalar(select(OrderLine.id))
    uuids = {"order": shop.people.others_order, "line": line, "variant": shop.people.variants[0]}
    ids = {name: str(value) for name, value in uuids.items() if f"${name}" in mutation}
    if "$version" in mutation:
        ids["version"] = await version_of(shop.sessions, shop.people.others_order)
    declared = "".join(f"${name}: {'String!' if name == 'version' else 'ID!'}, " for name in ids)
    document = f"mutation ({declared}$words: String!) {{ {mutation} {{ ... on UserError {{ message field }} }} }}"
    before = await shop.snapshot()

    answer = await ask(shop, role, document, words="a\x00b", **ids)

    assert list(answer.values()) == [{"message": UNSTORABLE, "field": field}]
    assert await shop.snapshot() == before


GONE = [
    ("deactivateDiscountCode(code: $words) { __typename }", "NOT_FOUND"),
    (
        "updateDiscountCode(code: $words, input: {percent: 5, isActive: true}) { __typename }",
        "NOT_FOUND",
    ),
    ("deleteTaxRate(country: $words) { __typename }", None),
]
"""Mutations of what a text names, and what they answer when nothing has that name."""


@pytest.mark.parametrize(("mutation", "code"), GONE, ids=[call.split("(")[0] for call, _ in GONE])
async def test_what_cannot_be_stored_names_nothing(shop: Shop, mutation: str, code: str | None) -> None:
    document = f"mutation ($words: String!) {{ {mutation} }}"
    before = await shop.snapshot()

    body = {"query": document, "variables": {"words": NUL}}
    answer = (await shop.clients["primary"].post("/graphql", json=body)).json()

    assert [error["extensions"]["code"] for error in answer.get("errors", [])] == ([code] if code else [])
    assert await shop.snapshot() == before
