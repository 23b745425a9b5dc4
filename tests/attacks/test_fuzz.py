"""Thousands of requests that no client of ours would send: no defect answers, and enough of them reach a service.

What reaching means is written in `watched`. In CI every operation is reached five times; the long form, `just fuzz`,
sends enough to ask for three in ten of each one's cases.
"""

import asyncio
import os
import random
import sys
from collections.abc import AsyncIterator, Callable
from math import ceil
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
import schemathesis.graphql
from graphql import GraphQLSchema, introspection_from_schema
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.schemas import BaseSchema

from server import schema as schemas
from server.platform.core.db import Sessions
from server.platform.core.viewer import Access
from tests.api.permissions_table import MAY
from tests.attacks import nasty
from tests.attacks.calls import Sent, as_it_is, attempts, fit_calls, places
from tests.attacks.examples import examples
from tests.attacks.fits import body, document, fitting, twisted
from tests.attacks.fuzzing import LEAST_NUMBER, LEAST_SHARE, Finding, Target
from tests.attacks.operations import ASSETS, Operation, operations
from tests.attacks.routes import is_plain, routes
from tests.attacks.serving import open_target
from tests.payments.conftest import provider, running_provider
from tests.payments.provider import Provider

pytestmark = pytest.mark.slow

__all__ = ["provider", "running_provider"]

CASES = int(os.environ.get("FUZZ_CASES", "1000"))
IS_SHORT = "FUZZ_CASES" not in os.environ
SEED = int(os.environ.get("FUZZ_SEED", "0" if IS_SHORT else str(random.randrange(10**9))))
"""The same cases each time; the long form takes others, and says which."""
OF_GRAPHQL = 0.7
MOST_ROUNDS = 6
"""An operation of which too few cases reached the service gets as many again."""
OF_A_PLANTED_FAULT = 400 if IS_SHORT else 900
"""Known to be enough, or too many to miss it by chance."""
ROLES = ("visitor", "shopper", "other", "admin", "primary")
Case = tuple[str, Any]
"""A role and what it sends."""
Part = tuple[float, st.SearchStrategy[Case]]
"""A share of an operation's cases. Hypothesis repeats what it drew before, so that shares within a strategy vary."""
GOOD = 0.5
"""The share of cases that are as a good client of a role that may sends them."""


def allowed(access: Access) -> list[str]:
    """The roles that may; what only needs an account is mostly done by who has bought something with it."""
    if access is Access.SIGNED_IN:
        return ["shopper"] * 5 + ["other"] * 4 + ["admin", "primary"]
    return [role for role in ROLES if access in MAY[role]]


def anyone(access: Access) -> list[str]:
    """Every role, most often those that may."""
    may = allowed(access)
    return may * 9 + list(ROLES) * max(1, len(may) // len(ROLES))


def sent_by(roles: list[str], by_role: Callable[[str], st.SearchStrategy[Any]]) -> st.SearchStrategy[Case]:
    """What somebody of one of these roles sends. The number makes cases of few choices different for Hypothesis."""
    strategies = {role: st.tuples(st.just(role), by_role(role), st.integers(0, 10**6)) for role in set(roles)}
    return st.sampled_from(roles).flatmap(strategies.__getitem__).map(lambda case: case[:2])


@pytest.fixture
async def target(
    provider: Provider, database_url: str, sessions: Sessions, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[Target]:
    """A test's parameter is the faults that its server has."""
    faults: list[str] = getattr(request, "param", [])
    async with open_target(provider, database_url, sessions, tmp_path, *faults) as target:
        yield target


def cases(target: Target, operation: Operation, schema: GraphQLSchema, asked: Any) -> list[Part]:
    """As a good client sends them; with at most two values changed; and whatever fits the schema, or nearly."""
    field = operation.of(schema)
    texts = st.integers(0, 30).map(lambda number: document(schema, operation.name, field, random.Random(number)))
    fit, unfit = (
        asked.as_strategy(generation_mode=mode).map(lambda case: operation.whole(str(case.body)))
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    )
    free = st.integers(0, 12).flatmap(lambda turn: unfit if turn == 7 else fit).map(lambda made: body(made, {}))

    def good(role: str) -> st.SearchStrategy[bytes]:
        return st.builds(body, texts, arguments(role))

    def changed(role: str) -> st.SearchStrategy[bytes]:
        return st.builds(body, texts, twisted(arguments(role), target.ids(role)))

    def arguments(role: str) -> st.SearchStrategy[dict[str, Any]]:
        ids = target.ids(role)
        return fitting(operation.name, field, ids, examples(ids, target.given).get(operation.name, {}))

    return [
        (GOOD, sent_by(allowed(operation.access), good)),
        (0.3, sent_by(anyone(operation.access), changed)),
        (0.2, sent_by(anyone(operation.access), lambda _: free)),
    ]


def generated(kind: str, introspection: dict[str, Any]) -> BaseSchema:
    """Schemathesis' view of the schema as if `kind` were its root, so that every field of it is an operation."""
    schema = {**introspection["__schema"]}
    schema["mutationType" if kind == "Mutation" else "queryType"] = {"name": kind}
    return schemathesis.graphql.from_dict({"__schema": schema})


def provoke(
    count: int, strategy: st.SearchStrategy[Case], number: int, send: Callable[[Case], Finding | None], shrinks: bool
) -> Finding | None:
    """A case that is answered as none should be; the smallest, if it `shrinks`."""
    findings: list[Finding] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink) if shrinks else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def attempt(case: Case) -> None:
        finding = send(case)
        if finding:
            findings.append(finding)
            raise AssertionError

    try:
        attempt()
    except Exception:
        if not findings:
            raise
    return findings[-1] if findings else None


def in_rounds(
    target: Target,
    name: str,
    count: int,
    parts: list[Part],
    send: Callable[[Case], Finding | None],
    shrinks: bool,
) -> Finding | None:
    """One with all parts, then until it was reached often enough, or seems not to be reachable."""
    for turn in range(MOST_ROUNDS):
        for share, strategy in parts:
            if turn and target.reached[name] >= LEAST_NUMBER:
                return None
            finding = provoke(ceil(count * share), strategy, crc32(name.encode()) + SEED + turn, send, shrinks)
            if finding:
                return finding
    return None


def fuzz_graphql(target: Target, chosen: list[Operation], count: int, *, shrinks: bool = True) -> dict[str, Finding]:
    """What was found, by operation."""
    schema = schemas.build()._schema
    introspection = nasty.renamed(dict(introspection_from_schema(schema)))
    for name, values in nasty.scalars(target.ids()).items():
        schemathesis.graphql.scalar(name, values)
    roots = {kind: generated(kind, introspection) for kind in {operation.kind for operation in chosen}}
    findings: dict[str, Finding] = {}
    for operation in chosen:
        parts = cases(target, operation, schema, roots[operation.kind][operation.kind][operation.field])

        def send(case: Case, operation: Operation = operation) -> Finding | None:
            way = target.subscribe if operation.kind == "Subscription" else target.graphql
            return way(operation.name, *case)

        finding = in_rounds(target, operation.name, count, parts, send, shrinks)
        if finding:
            findings[operation.name] = finding
    return findings


def fuzz_rest(target: Target, chosen: dict[str, Access], count: int, *, shrinks: bool = True) -> dict[str, Finding]:
    assets = sorted(path.name for path in ASSETS.glob("*.js"))[:3]
    calls = {role: fit_calls(target.ids(role), target.given) for role in ROLES}
    inside = {role: places(target.ids(role), assets) for role in ROLES}
    findings: dict[str, Finding] = {}
    for name, access in chosen.items():
        assert name in calls["visitor"], f"`fit_calls` has no call of {name} as a good client makes it."
        as_they_are = {role: as_it_is(calls[role][name], inside[role]) for role in ROLES}
        changed = {role: attempts(calls[role][name], inside[role]) for role in ROLES}
        parts = [
            (GOOD, sent_by(allowed(access), as_they_are.__getitem__)),
            (1 - GOOD, sent_by(anyone(access), changed.__getitem__)),
        ]

        def send(case: tuple[str, Sent], name: str = name) -> Finding | None:
            return target.rest(name, *case, is_plain=is_plain(name))

        finding = in_rounds(target, name, count, parts, send, shrinks)
        if finding:
            findings[name] = finding
    return findings


def too_few(target: Target, name: str) -> str:
    """Why not enough of an operation's cases reached its service; empty when enough did."""
    sent, reached = target.sent[name], target.reached[name]
    sentence = f"{reached} of {sent} cases reached the service of {name}"
    if reached < LEAST_NUMBER:
        return f"{sentence}: fewer than {LEAST_NUMBER}. Does `examples` or `fit_calls` need arguments that fit?"
    if not IS_SHORT and reached < LEAST_SHARE * sent:
        return f"{sentence}: less than {LEAST_SHARE:.0%}. Does `examples` or `fit_calls` need arguments that fit?"
    return ""


def show(target: Target) -> None:
    shares = sorted((target.reached[name] / target.sent[name], name) for name in target.sent)
    lowest = ", ".join(f"{name} {target.reached[name]}/{target.sent[name]}" for _, name in shares[:12])
    sys.stdout.write(f"seed {SEED}: {target.reached.total()} of {target.sent.total()} reached; lowest: {lowest}\n")


def judge(target: Target, names: list[str], findings: dict[str, Finding], subtests: pytest.Subtests) -> None:
    show(target)
    for name in names:
        with subtests.test(name):
            assert name not in findings, f"seed {SEED}: {findings[name]}"
            assert too_few(target, name) == ""
    assert target.failed_jobs() == []
    assert target.errors() == []


async def test_nothing_that_is_sent_meets_a_defect(target: Target, subtests: pytest.Subtests) -> None:
    fields, calls = list(operations(schemas.build()._schema)), routes()

    findings = await asyncio.to_thread(fuzz_graphql, target, fields, ceil(CASES * OF_GRAPHQL / len(fields)))
    findings |= await asyncio.to_thread(fuzz_rest, target, calls, ceil(CASES * (1 - OF_GRAPHQL) / len(calls)))

    judge(target, [*(operation.name for operation in fields), *calls], findings, subtests)


@pytest.mark.parametrize("target", [["shown", "nul"]], indirect=True)
async def test_planted_faults_of_a_route_and_a_resolver_are_found(target: Target) -> None:
    calls = {"GET /product/search": Access.ANYONE}
    [field] = [each for each in operations(schemas.build()._schema) if each.name == "Query.search"]

    findings = await asyncio.to_thread(fuzz_rest, target, calls, OF_A_PLANTED_FAULT, shrinks=False)
    findings |= await asyncio.to_thread(fuzz_graphql, target, [field], OF_A_PLANTED_FAULT, shrinks=False)

    assert "UnicodeEncodeError" in findings["GET /product/search"].answered
    assert "\\u0000" in findings["Query.search"].sent
    assert '"INTERNAL"' in findings["Query.search"].answered
