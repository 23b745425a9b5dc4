"""Every field of every operation and every route, given what is wrong for it: refused by name, and nothing written.

What is sent is made by `bad_values` from the schema and the routing table, so that a new field is covered by itself,
and a new operation or route fails here until somebody has written a good call of it. CI sends a part of it, every field
at least once; `just bad-input` sends all.
"""

import asyncio
import os
import random
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import httpx
import pytest
from graphql import GraphQLField, GraphQLObjectType, GraphQLSchema

from server import schema as schemas
from server.platform.core.db import Sessions
from server.platform.core.viewer import Access
from server.platform.web.rest import Body
from tests.api.permissions_table import MAY
from tests.attacks.bad_values import (
    BadArguments,
    BadCall,
    bad_arguments,
    bad_calls,
    document,
    good_arguments,
    names_of,
)
from tests.attacks.bodies import bodies_below
from tests.attacks.calls import fit_calls, members, places
from tests.attacks.examples import examples
from tests.attacks.fits import body
from tests.attacks.fuzzing import Target, is_defect
from tests.attacks.operations import ASSETS, Operation, operations
from tests.attacks.routes import GRAPHQL, REPORTS, is_plain, routes
from tests.attacks.serving import open_target
from tests.attacks.watched import KINDS
from tests.payments.conftest import provider, running_provider
from tests.payments.provider import Provider

pytestmark = pytest.mark.slow

__all__ = ["provider", "running_provider"]

SHARE = float(os.environ.get("BAD_INPUT_SHARE", "0.02"))
SEED = int(os.environ.get("BAD_INPUT_SEED", "0"))
"""Which part is sent."""
FOUND = {
    "Admin.auditLog: filter.actor is NUL",
    "Analytics.funnel: withinMinutes is negative",
    "Analytics.report: having is a huge list",
    "Analytics.report: timeZone is NUL",
    "Analytics.report: where.country[0] is NUL",
    "Mutation.createAddress: input.state is NUL",
    "Mutation.createProduct: input.sizes is a huge list",
    "Mutation.createProduct: input.variants[0].color is negative",
    "Mutation.updateProduct: input.colors is empty",
    "Mutation.reauthenticate: input.code is empty",
    "Mutation.receiveReturn: lines is a huge list",
    "Mutation.createDeliveryZone: input.minDays is negative",
    "POST /events: events[0].session is NUL",
}
"""Cases that have found a defect are always sent."""
LIMITED = 100
"""So many calls are made before the counts of rate limits are forgotten."""
WRONG_TYPE = re.compile(r"(Variable|Argument) '\$?(?P<name>\w+)' has invalid value(?: at (?P<place>\S+))?: ")
"""As graphql-core says it."""
TAKEN = {
    ("Mutation.deleteAccount", "password"): "An account that has no password needs none.",
    ("Mutation.updateProducts", "ids"): "A product that is named often is one product.",
    ("Mutation.updateProducts", "search"): "Beside ids nothing is looked for.",
    ("POST /auth/signin", "code"): "An account without a second factor needs no code.",
    ("POST /auth/google", "code"): "An account without a second factor needs no code.",
    ("POST /cart", "price"): "The shop has its own prices.",
    ("POST /product", "totalImages"): "The pictures themselves are counted.",
    ("POST /product", "originalName"): "The pictures themselves are looked at.",
    ("POST /product", "type"): "The pictures themselves are looked at.",
    ("POST /uploads/products", "name"): "Only shown, without what cannot be.",
}
"""Places whose value is not looked at, so that nothing in them is wrong."""
TAKEN_WHOLE = {
    "Mutation.createDeliveryZone: input.countries is a huge list": "A country that is named often is one country.",
    "POST /product: colors is a huge list": "A color that is named often is one color.",
    "POST /events: events[0].products is a huge list": "What a page cannot show is dropped and counted.",
}
"""Cases that are taken, and harmless."""
UNREAD = {"POST /payment/webhook": "Signed by the payment provider, who says more than the shop reads."}
NAMELESS = {("POST /auth/reset-password", "resetToken"): "Whoever tries links learns nothing."}
"""Places that a refusal does not name."""
SAID_IN_WORDS = {
    "variants": "stock",
    "subcategory": "category",
    "imageId": "images",
    "passkey": "code",
    "challenge": "code",
}
"""Fields that a refusal calls as a form has them: its field for a code tells what was wrong with the proof, and the
stock is not the sum of no variants."""


@pytest.fixture
async def target(provider: Provider, database_url: str, sessions: Sessions, tmp_path: Path) -> AsyncIterator[Target]:
    async with open_target(provider, database_url, sessions, tmp_path) as target:
        yield target


def part_of(name: str, cases: Sequence[Any]) -> list[Any]:
    """One case of every field, those that have found something, and so many of the rest."""
    names = {f"{name}: {case}" for case in cases}
    assert {case for case in FOUND if case.startswith(f"{name}: ")} <= names, f"`FOUND` names what {name} has not."
    dice = random.Random(crc32(name.encode()) + SEED)
    if SHARE >= 1:
        return list(cases)
    shuffled = dice.sample(list(cases), len(cases))
    first = {case.path: case for case in reversed(shuffled)}
    rest = [case for case in shuffled if case is not first[case.path]]
    listed = [case for case in rest if f"{name}: {case}" in FOUND]
    return [*first.values(), *listed, *rest[: int(len(rest) * SHARE)]]


def role_of(access: Access) -> str:
    return next(role for role in ("visitor", "shopper", "admin", "primary") if access in MAY[role])


def is_named(path: tuple[str | int, ...], named: str) -> bool:
    """Whether a refusal's name of the input at fault is one of the place's, or of what it lies in."""
    names = names_of(path)
    return any(part in {*names, *(SAID_IN_WORDS.get(name, name) for name in names)} for part in named.split("."))


Told = tuple[httpx.Response, str | None, bool]
"""An answer, what is wrong with it, and whether what was sent has been taken."""


class Sender:
    """Sends the cases of one operation, and finds which of them left something behind."""

    def __init__(self, target: Target, name: str, is_read: bool) -> None:
        self.target, self.name, self.is_read = target, name, is_read
        self.problems: list[str] = []
        self.sent = 0

    def send(self, cases: Sequence[Any], ask: Callable[[Any], Told]) -> None:
        for case in cases:
            self._send(case, ask, each=False)
        if self.target.differing():
            self.target.restore()
            for case in cases:
                self._send(case, ask, each=True)

    def _send(self, case: Any, ask: Callable[[Any], Told], *, each: bool) -> None:
        self.sent += 1
        if self.sent % LIMITED == 0:
            self.target.forget_limits()
        answer, problem, is_taken = ask(case)
        if is_defect(answer.status_code, json_of(answer)):
            problem = f"a defect answered {answer.status_code}"
        if problem and not each:
            self.problems.append(f"{self.name}: {case}: {problem}: {answer.text[:400]}")
        is_looked_at = self.name not in UNREAD and (self.name, names_of(case.path)[-1]) not in TAKEN
        may_be_taken = case.bad.could_be_meant or f"{self.name}: {case}" in TAKEN_WHOLE
        must_not_write = is_looked_at and not (is_taken and may_be_taken)
        if (each or is_taken) and not self.is_read:
            changed = self.target.differing()
            if changed and must_not_write:
                self.problems.append(f"{self.name}: {case}: wrote {', '.join(changed)}: {answer.text[:300]}")
            if changed:
                self.target.restore()


def json_of(answer: httpx.Response) -> str:
    return answer.text if "json" in answer.headers.get("content-type", "") else ""


def ways(target: Target) -> dict[str, str]:
    """How one gets to a field of a type that is no root, with what is in the shop; the field stands at %s."""
    people, order = target.world.shop.people, target.world.shopper.order
    preview = f'selection: {{ids: ["{people.product}"]}}, change: {{price: {{step: RAISE_AMOUNT, amount: "1.00"}}}}'
    report = "{ admin { analytics { report(range: {preset: ALL_TIME}, by: [DAY], first: 1) { %s } } } }"
    product = f'{{ product(id: "{people.product}") {{ %s }} }}'
    return {
        "AdminOrder": f'{{ admin {{ order(id: "{order}") {{ %s }} }} }}',
        "EditablePage": f'{{ admin {{ page(id: "{target.world.page}") {{ %s }} }} }}',
        "User": f'{{ admin {{ user(id: "{people.shopper}") {{ %s }} }} }}',
        "Product": product,
        "Image": product.replace("%s", "images { %s }"),
        "SearchResult": '{ search(query: "oxf") { %s } }',
        "Shop": "{ shop { %s } }",
        "Report": report,
        "ReportRow": report.replace("%s", "rows { %s }"),
        "MeasureValue": report.replace("%s", "rows { measure(is: ORDERS) { %s } }"),
        "ProductsPreview": f"{{ admin {{ productsPreview({preview}) {{ ... on ProductsPreview {{ %s }} }} }} }}",
    }


def inner_fields(schema: GraphQLSchema) -> Iterator[tuple[str, str, GraphQLField]]:
    """Fields with arguments beneath the operations."""
    for kind in schema.type_map.values():
        if isinstance(kind, GraphQLObjectType) and kind.name not in KINDS and not kind.name.startswith("__"):
            for name, field in kind.fields.items():
                if field.args:
                    yield kind.name, name, field


def verdict(case: BadArguments, answer: httpx.Response, good: httpx.Response) -> tuple[str | None, bool]:
    """What is wrong with an answer of GraphQL, and whether the case was taken. `good` is what good arguments got."""
    said = answer.json()
    if answer.status_code != 200:
        is_whole = case.bad.is_unreadable or answer.status_code == 413
        return (None if is_whole else f"the whole request was refused with {answer.status_code}"), False
    for error in said.get("errors", []):
        code, fields = error.get("extensions", {}).get("code"), error.get("extensions", {}).get("fields", {})
        is_another_thing = code == "NOT_FOUND" or (code and f'"{code}"' in good.text)
        is_told = tells_place(case, error["message"]) or any(is_named(case.path, each) for each in fields)
        if not is_another_thing and not is_told:
            return "the refusal does not name the field", False
    return (None, False) if "errors" in said else refused(case, said["data"])


def tells_place(case: BadArguments, message: str) -> bool:
    """In graphql-core's words, of a variable of the wrong type; or in ours, between backticks."""
    variable, _, inside = case.path_text.replace("[", ".[").partition(".")
    if match := WRONG_TYPE.match(message):
        place = (match["place"] or "").removeprefix(".").replace("[", ".[").removeprefix(".")
        return match["name"] == variable and (inside.startswith(place) or place.startswith(inside))
    return any(f"`{name}`" in message for name in names_of(case.path))


def refused(case: BadArguments, data: Any) -> tuple[str | None, bool]:
    """Of an answer without errors."""
    while isinstance(data, dict) and len(data) == 1 and "__typename" not in data:
        data = next(iter(data.values()))
    if not (isinstance(data, dict) and "message" in data):
        return None, True
    if data["field"] is None:
        return ("the refusal names no field" if data["__typename"] == "InvalidInput" else None), False
    return (None if is_named(case.path, data["field"]) else f"the refusal names {data['field']}"), False


def ask_operations(target: Target, schema: GraphQLSchema) -> list[str]:
    problems: list[str] = []
    for operation in operations(schema):
        field = operation.of(schema)
        if not field.args:
            continue
        assert operation.kind != "Subscription", f"Nothing sends bad arguments to {operation.name} yet."
        problems += ask_operation(target, operation, field)
    return problems


def ask_operation(target: Target, operation: Operation, field: GraphQLField) -> list[str]:
    role, name = role_of(operation.access), operation.name
    ids, written = target.ids(role), examples(target.ids(role), target.given).get(name, {})
    text = document(operation.kind, operation.field, field)
    good = target.request(role, "POST", "/graphql", body(text, good_arguments(name, field, ids, written)))
    if name not in target.noted(good):
        return [f"{name}: a good client's arguments do not reach it; write them in `examples`: {good.text[:300]}"]
    target.restore()
    sender = Sender(target, name, is_read=operation.kind != "Mutation")
    cases = part_of(name, list(bad_arguments(name, field, ids, written)))

    def ask(case: BadArguments) -> Told:
        answer = target.request(role, "POST", "/graphql", body(text, case.arguments))
        return answer, *verdict(case, answer, good)

    sender.send(cases, ask)
    COUNTED.append(sender.sent)
    return sender.problems


COUNTED: list[int] = []


def ask_inner_fields(target: Target, schema: GraphQLSchema) -> list[str]:
    problems: list[str] = []
    fields_by_kind = ways(target)
    for kind, field_name, field in inner_fields(schema):
        name = f"{kind}.{field_name}"
        if kind not in fields_by_kind:
            problems.append(f"{name}: `ways` does not say how one gets to a field of {kind}")
            continue
        text = document(kind, field_name, field, fields_by_kind[kind])
        ids = target.ids()
        written = examples(ids, target.given).get(name, {})
        good = target.request("primary", "POST", "/graphql", body(text, good_arguments(name, field, ids, written)))
        if '"errors"' in good.text:
            problems.append(f"{name}: a good client is refused; write arguments in `examples`: {good.text[:300]}")
            continue

        def ask(case: BadArguments, text: str = text, good: httpx.Response = good) -> Told:
            answer = target.request("primary", "POST", "/graphql", body(text, case.arguments))
            return answer, *verdict(case, answer, good)

        sender = Sender(target, name, is_read=True)
        sender.send(part_of(name, list(bad_arguments(name, field, ids, written))), ask)
        COUNTED.append(sender.sent)
        problems += sender.problems
    return problems


def ask_routes(target: Target) -> list[str]:
    problems: list[str] = []
    assets = sorted(path.name for path in ASSETS.glob("*.js"))[:1]
    for name, access in routes().items():
        role = role_of(access)
        fits = fit_calls(target.ids(role), target.given)
        if name not in fits:
            problems.append(f"{name}: write a call of it as a good client makes it in `fit_calls`")
            continue
        fit = fits[name]
        inside = places(target.ids(role), assets)
        names = {part: inside[part][0] for part in inside if f"{{{part}}}" in fit.path}
        method = name.partition(" ")[0]

        def ask(case: BadCall, role: str = role, method: str = method, name: str = name) -> Told:
            answer = target.request(role, method, case.sent.path, case.sent.content, case.sent.headers)
            return answer, *verdict_of_call(name, case, answer)

        sender = Sender(target, name, is_read=method == "GET")
        sender.send(part_of(name, list(bad_calls(fit, names))), ask)
        COUNTED.append(sender.sent)
        problems += sender.problems
    return problems


def verdict_of_call(name: str, case: BadCall, answer: httpx.Response) -> tuple[str | None, bool]:
    """What is wrong with an answer of a route, and whether the case was taken."""
    if answer.status_code < 400:
        return None, True
    if is_plain(name) or name in ("GET page", *GRAPHQL, *REPORTS):
        return None, False
    if not json_of(answer):
        return (None if answer.status_code in (400, 404, 413) else f"answered {answer.status_code}"), False
    said = answer.json()
    if not (isinstance(said.get("message"), str) and said["message"]):
        return "the refusal has no message", False
    named = [each.partition(": ")[0] for each in said.get("errors", [])]
    may_be_nameless = case.bad.is_unreadable or name in UNREAD or (name, names_of(case.path)[0]) in NAMELESS
    if answer.status_code == 400 and not may_be_nameless and not any(is_named(case.path, each) for each in named):
        return f"the refusal names {named}", False
    return (None if answer.status_code in (400, 401, 404, 405, 409, 413) else f"answered {answer.status_code}"), False


def untold_members(target: Target) -> list[str]:
    """Members of bodies that no good call has."""
    members_of_calls = {
        path[-1] for fit in fit_calls(target.ids(), target.given).values() for path in members(fit.body)
    }
    return [
        f"{kind.__name__}.{field.alias or name}: no call of `fit_calls` has this member"
        for kind in bodies_below(Body)
        for name, field in kind.model_fields.items()
        if (field.alias or name) not in members_of_calls
    ]


async def test_what_is_wrong_is_refused_by_name_and_nothing_is_written(
    target: Target, subtests: pytest.Subtests
) -> None:
    schema = schemas.build()._schema
    for words, ask in (
        ("arguments", lambda: ask_operations(target, schema)),
        ("arguments of inner fields", lambda: ask_inner_fields(target, schema)),
        ("calls", lambda: ask_routes(target)),
        ("members of bodies", lambda: untold_members(target)),
    ):
        with subtests.test(words):
            problems = await asyncio.to_thread(ask)

            sys.stdout.write(f"{words}: {sum(COUNTED)} cases so far, seed {SEED}\n")
            assert not problems, "\n".join(problems)
    assert target.failed_jobs() == []
    assert target.errors() == []
