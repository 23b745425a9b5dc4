"""Thousands of requests that no client of ours would send: no defect answers, and enough of them got past the door."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, TypeVar

import pytest
import schemathesis.graphql
from graphql import GraphQLSchema, introspection_from_schema
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.schemas import BaseSchema
from sqlalchemy.ext.asyncio import AsyncSession

from server import schema as schemas
from server.app import create_app
from server.catalog import search
from server.config import Settings
from server.core.db import Sessions
from server.core.errors import InvalidInput
from server.core.viewer import Access
from tests.api.conftest import Shop, client_of
from tests.api.conftest import furnish as furnish_shop
from tests.api.test_permissions import FIELDS, MAY, ROUTES
from tests.attacks import nasty
from tests.attacks.calls import Sent, attempts, fit_calls, places
from tests.attacks.fuzzing import LEAST_REACH, Finding, Target, watch
from tests.attacks.world import furnish
from tests.payments.conftest import provider, running_provider
from tests.payments.provider import Provider

__all__ = ["provider", "running_provider"]

CASES = int(os.environ.get("FUZZ_CASES", "2000"))
OF_GRAPHQL = 0.7
IS_SHORT = "FUZZ_CASES" not in os.environ
"""The same cases each time; the long form takes others."""
OF_A_PLANTED_FAULT = 60 if IS_SHORT else 600
"""Known to be enough, or too many to miss it by chance."""
T = TypeVar("T")
ROLES = ("visitor", "shopper", "admin", "primary")


@dataclass(frozen=True)
class Operation:
    """A field that does something, and how one gets there."""

    kind: str
    field: str
    access: Access

    @property
    def name(self) -> str:
        return f"{self.kind}.{self.field}"

    def whole(self, document: str) -> str:
        """The generated selection, from the root."""
        above = {"Viewer": ("viewer",), "Admin": ("admin",), "Analytics": ("admin", "analytics")}.get(self.kind, ())
        for name in reversed(above):
            document = f"{{ {name} {document} }}"
        return document


def operations(schema: GraphQLSchema) -> Iterator[Operation]:
    """Reading ones first: the others leave less and less to read."""
    access = {"Viewer": Access.SIGNED_IN, "Admin": Access.ADMIN, "Analytics": Access.ADMIN}
    for kind in ("Query", "Viewer", "Admin", "Analytics", "Mutation"):
        for field in schema.type_map[kind].fields:  # type: ignore[attr-defined]
            if f"{kind}.{field}" not in ("Query.viewer", "Query.admin", "Admin.analytics"):
                yield Operation(kind, field, access.get(kind) or FIELDS[f"{kind}.{field}"])


def roles(access: Access) -> st.SearchStrategy[str]:
    """Three in four may."""
    may = [role for role in ROLES if access in MAY[role]]
    return st.sampled_from(may * 9 + list(ROLES) * len(may))


@pytest.fixture
async def target(
    provider: Provider, database_url: str, sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Target]:
    many = 10**6
    settings = Settings(  # type: ignore[call-arg]
        _env_file=None,
        public_url="http://localhost:23200",
        outside_port=provider.port,
        outside_smtp_port=provider.ports[2],
        database_url=database_url,
        shop_data=tmp_path,
        sign_in_failures_per_account=many,
        sign_in_failures_per_address=many,
        sign_ups_per_hour=many,
    )
    reach = watch(monkeypatch)
    people, tokens = await furnish_shop(sessions)
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        clients = {role: client_of(app, tokens.get(role)) for role in ("visitor", *tokens)}
        world = await furnish(Shop(app, sessions, people, clients))
        yield Target(world, reach, tokens)
        for client in clients.values():
            await client.aclose()


Case = tuple[str, str]
"""A role and a document."""


def cases(operation: Operation, schema: BaseSchema) -> st.SearchStrategy[Case]:
    """Documents that fit the schema, a few of them made unfit."""
    asked = schema[operation.kind][operation.field]
    fit, unfit = (
        asked.as_strategy(generation_mode=mode) for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    )
    made = st.integers(0, 12).flatmap(lambda turn: unfit if turn == 7 else fit).map(lambda case: str(case.body))
    return st.tuples(roles(operation.access), made.map(operation.whole))


def generated(kind: str, introspection: dict[str, Any]) -> Any:
    """Schemathesis' view of the schema as if `kind` were its root, so that every field of it is an operation."""
    schema = {**introspection["__schema"]}
    schema["mutationType" if kind == "Mutation" else "queryType"] = {"name": kind}
    return schemathesis.graphql.from_dict({"__schema": schema})


def provoke(count: int, strategy: st.SearchStrategy[Any], send: Callable[[Any], Finding | None]) -> Finding | None:
    """The smallest case that is answered as none should be. Hypothesis is sync, so this runs in a thread."""
    findings: list[Finding] = []

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=IS_SHORT,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def attempt(case: Any) -> None:
        found = send(case)
        if found:
            findings.append(found)
            raise AssertionError

    try:
        attempt()
    except Exception:
        if not findings:
            raise
    return findings[-1] if findings else None


def in_thread(loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result()


async def fuzz_graphql(target: Target, chosen: list[Operation], count: int) -> dict[str, Finding]:
    """What was found, by operation."""
    loop = asyncio.get_running_loop()
    introspection = nasty.renamed(dict(introspection_from_schema(schemas.build()._schema)))
    for name, values in nasty.scalars(target.ids()).items():
        schemathesis.graphql.scalar(name, values)
    roots = {kind: generated(kind, introspection) for kind in {operation.kind for operation in chosen}}
    found: dict[str, Finding] = {}
    for operation in chosen:

        async def attempt(case: Case, operation: Operation = operation) -> Finding | None:
            if operation.kind == "Mutation":
                await target.mend()
            return await target.graphql(operation.name, operation.field, *case)

        strategy = cases(operation, roots[operation.kind])
        finding = await asyncio.to_thread(provoke, count, strategy, lambda case: in_thread(loop, attempt(case)))
        if finding:
            found[operation.name] = finding
    return found


async def fuzz_rest(target: Target, chosen: list[str], count: int) -> dict[str, Finding]:
    loop = asyncio.get_running_loop()
    calls, inside = fit_calls(target.ids()), places(target.ids())
    found: dict[str, Finding] = {}
    for name in chosen:
        strategy = st.tuples(roles(ROUTES.get(name, Access.ANYONE)), attempts(calls[name], inside))

        async def attempt(case: tuple[str, Sent], name: str = name) -> Finding | None:
            if not name.startswith("GET "):
                await target.mend()
            return await target.rest(name, *case)

        finding = await asyncio.to_thread(provoke, count, strategy, lambda case: in_thread(loop, attempt(case)))
        if finding:
            found[name] = finding
    return found


async def test_no_document_meets_a_defect(target: Target, subtests: pytest.Subtests) -> None:
    chosen = list(operations(schemas.build()._schema))

    found = await fuzz_graphql(target, chosen, ceil(CASES * OF_GRAPHQL / len(chosen)))

    for operation in chosen:
        with subtests.test(operation.name):
            assert operation.name not in found, str(found[operation.name])
            assert target.share(operation.name) >= target.least(operation.name)
    assert target.share() >= LEAST_REACH
    assert await target.failed_jobs() == []
    assert sum(target.sent.values()) >= 0.9 * CASES * OF_GRAPHQL


async def test_no_call_meets_a_defect(target: Target, subtests: pytest.Subtests) -> None:
    chosen = list(fit_calls(target.ids()))

    found = await fuzz_rest(target, chosen, ceil(CASES * (1 - OF_GRAPHQL) / len(chosen)))

    assert set(chosen) == {*ROUTES, "GET page"}
    for name in chosen:
        with subtests.test(name):
            assert name not in found, str(found[name])
            assert target.share(name) >= target.least(name)
    assert target.share() >= LEAST_REACH
    assert await target.failed_jobs() == []
    assert sum(target.sent.values()) >= 0.9 * CASES * (1 - OF_GRAPHQL)


async def test_a_resolver_that_stumbles_over_a_nul_is_found(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    careful = search.search

    async def stumbles(session: AsyncSession, words: str, *more: Any) -> Any:
        if "\x00" in words:
            raise ValueError(words)
        return await careful(session, words, *more)

    monkeypatch.setattr(search, "search", stumbles)
    [operation] = [each for each in operations(schemas.build()._schema) if each.name == "Query.search"]

    found = await fuzz_graphql(target, [operation], OF_A_PLANTED_FAULT)

    assert "\\u0000" in found["Query.search"].sent
    assert '"INTERNAL"' in found["Query.search"].answered


async def test_a_shim_that_shows_its_error_is_found(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    careful = search.search

    async def shows(session: AsyncSession, words: str, *more: Any) -> Any:
        try:
            words.encode("ascii")
        except ValueError as error:
            raise InvalidInput({"q": repr(error)}) from error
        return await careful(session, words, *more)

    monkeypatch.setattr(search, "search", shows)

    found = await fuzz_rest(target, ["GET /product/search"], OF_A_PLANTED_FAULT)

    assert "UnicodeEncodeError" in found["GET /product/search"].answered
