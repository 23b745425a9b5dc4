"""The shop that is fuzzed: with a payment provider, without limits, and mended before every case."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx
from graphql import GraphQLField
from sqlalchemy import text
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.field import StrawberryField
from strawberry.utils.str_converters import to_camel_case

from server.core import execution
from server.core.db import begin
from server.core.rest import Body, Call
from server.identity.sessions import token_hash
from tests.attacks.calls import Sent
from tests.attacks.world import World

LEAKS = re.compile(
    r"Traceback|site-packages|/server/|\.py\b|\bline \d+, in\b|sqlalchemy|asyncpg|psycopg|sqlstate|pydantic|starlette"
    r"|graphql-core|SELECT .* FROM|INSERT INTO|UPDATE \w+ SET|ck_\w+|uq_\w+|fk_\w+"
    r"|\b[A-Z]\w+(Error|Exception)\b|invalid (byte|input syntax)|out of range|object at 0x|NoneType"
    r"|surrogates not allowed|codec can't"
)
"""What only the inside of a program says. None of the values that are sent looks like it."""


BARE = {"GET page", "GET /images/{id}/{file}"}
"""Routes without a door: whatever is asked for, their handler looks."""


LEAST_REACH = 0.3
ENOUGH = 20
"""Cases of one operation, from which on its own share says something."""


@dataclass
class Finding:
    """An answer that should never be given."""

    role: str
    sent: str
    answered: str

    def __str__(self) -> str:
        return f"as {self.role}: {self.sent[:2_000]}\n-> {self.answered[:1_000]}"


@dataclass
class Reach:
    """Watches the doors: resolvers whose arguments were fit, REST shims whose path and body were."""

    resolved: set[str] = field(default_factory=set)
    entered: bool = False
    refused: bool = False

    def clear(self) -> None:
        self.resolved.clear()
        self.entered = self.refused = False


def watch(monkeypatch: Any) -> Reach:
    reach = Reach()
    get_result, init, body, path_id = StrawberryField.get_result, Call.__init__, Call.body, Call.path_id
    plain_resolver = execution.plain_resolver

    def note(field: StrawberryField) -> None:
        if field.base_resolver:
            reach.resolved.add(field.graphql_name or to_camel_case(field.python_name))

    def watched_result(self: StrawberryField, *arguments: Any, **named: Any) -> Any:
        note(self)
        return get_result(self, *arguments, **named)

    def watched_plain_resolver(definition: GraphQLField) -> Any:
        resolve = plain_resolver(definition)
        if resolve is None:
            return None

        def watched(*arguments: Any, **named: Any) -> Any:
            note(definition.extensions[GraphQLCoreConverter.DEFINITION_BACKREF])
            return resolve(*arguments, **named)

        return watched

    def watched_init(self: Call, *arguments: Any, **named: Any) -> None:
        reach.entered = True
        init(self, *arguments, **named)

    async def watched_body(self: Call, kind: type[Body]) -> Body:
        reach.refused = True
        found = await body(self, kind)
        reach.refused = False
        return found

    def watched_path_id(self: Call, name: str = "id") -> Any:
        reach.refused = True
        found = path_id(self, name)
        reach.refused = False
        return found

    monkeypatch.setattr(StrawberryField, "get_result", watched_result)
    monkeypatch.setattr(execution, "plain_resolver", watched_plain_resolver)
    monkeypatch.setattr(Call, "__init__", watched_init)
    monkeypatch.setattr(Call, "body", watched_body)
    monkeypatch.setattr(Call, "path_id", watched_path_id)
    return reach


_MEND = (
    "DELETE FROM rate_limits",
    "DELETE FROM users WHERE email = ANY(:emails) AND NOT id = ANY(:ids)",
    "UPDATE users SET is_primary = false WHERE is_primary AND email <> 'owner@shop.test'",
    """
    INSERT INTO users (id, email, name, role, is_primary)
    SELECT * FROM unnest(CAST(:ids AS uuid[]), CAST(:emails AS text[]), CAST(:names AS text[]),
                         CAST(:roles AS text[]), CAST(:primary AS bool[]))
    ON CONFLICT (id) DO UPDATE SET email = excluded.email, role = excluded.role, is_primary = excluded.is_primary
    """,
    """
    INSERT INTO sessions (token_hash, user_id, expires_at)
    SELECT token_hash, user_id, now() + interval '1 day'
    FROM unnest(CAST(:hashes AS bytea[]), CAST(:ids AS uuid[])) AS given (token_hash, user_id)
    ON CONFLICT (token_hash) DO UPDATE SET expires_at = excluded.expires_at
    """,
    "UPDATE products SET retired_at = NULL WHERE retired_at IS NOT NULL",
    "UPDATE variants SET stock = 5 WHERE stock < 0 OR stock > 1000000",
)
"""What one case may have taken away from the next."""


@dataclass
class Target:
    """Sends cases and looks at the answers."""

    world: World
    reach: Reach
    tokens: dict[str, str]
    sent: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)

    async def mend(self) -> None:
        people = self.world.shop.people
        rows = [
            (people.shopper, "shopper@shop.test", "Ada Lovelace", "user", False, "shopper"),
            (people.other, "other@shop.test", "Grace Hopper", "user", False, "other"),
            (people.admin, "admin@shop.test", "Alan Turing", "admin", False, "admin"),
            (people.primary, "owner@shop.test", "Edsger Dijkstra", "admin", True, "primary"),
        ]
        ids, emails, names, roles, primary, keys = (list(column) for column in zip(*rows, strict=True))
        given = {"ids": ids, "emails": emails, "names": names, "roles": roles, "primary": primary}
        given["hashes"] = [token_hash(self.tokens[str(key)]) for key in keys]
        async with begin(self.world.shop.sessions) as session:
            for statement in _MEND:
                wanted = {name: value for name, value in given.items() if f":{name}" in statement}
                await session.execute(text(statement), wanted)

    async def graphql(self, operation: str, resolver: str, role: str, document: str) -> Finding | None:
        """Posts a document; surrogates go as GraphQL's own escapes, since JSON cannot carry them."""
        escaped = re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", document)
        self.reach.clear()
        answer = await self.world.shop.clients[role].post("/graphql", json={"query": escaped})
        self._count(operation, resolver in self.reach.resolved)
        return self._judge(role, document, answer)

    async def rest(self, operation: str, role: str, sent: Sent) -> Finding | None:
        self.reach.clear()
        method = operation.partition(" ")[0]
        answer = await self.world.shop.clients[role].request(
            method, sent.path, content=sent.content, headers=sent.headers
        )
        self._count(operation, operation in BARE or (self.reach.entered and not self.reach.refused))
        return self._judge(role, f"{method} {sent.path[:500]} {(sent.content or b'')[:1_500]!r}", answer)

    async def failed_jobs(self) -> list[str]:
        """Work in the background that what was sent made impossible.

        The provider knows nothing of the orders here, so it refuses to pay a canceled one back.
        """
        async with self.world.shop.sessions() as session:
            rows = await session.execute(text("SELECT kind, last_error FROM jobs WHERE last_error IS NOT NULL"))
            failed = [f"{row.kind}: {row.last_error[:300]}" for row in rows]
        return [job for job in failed if job != "cancellation: RefusedByProvider: refund_refused"]

    def share(self, operation: str | None = None) -> float:
        """Of its cases, or of all, how many came past the door."""
        if operation is None:
            return self.reached.total() / self.sent.total()
        return self.reached[operation] / self.sent[operation]

    def least(self, operation: str) -> float:
        """The share that it has to have; of a few cases one is enough."""
        sent = self.sent[operation]
        return LEAST_REACH if sent >= ENOUGH else 1 / sent

    def ids(self) -> dict[str, list[str]]:
        """Real ones, by kind."""
        people, owned = self.world.shop.people, (self.world.shopper, self.world.other)
        found: dict[str, list[Any]] = {
            "product": [people.product],
            "variant": people.variants,
            "color": [self.world.color, self.world.other_color],
            "user": [people.shopper, people.other, people.admin, people.primary],
            "order": [each for whose in owned for each in (whose.order, whose.shipped_order)],
            "line": [each for whose in owned for each in (whose.order_line, whose.shipped_line)],
            "address": [each for whose in owned for each in (whose.address, whose.spare_address)],
            "session": [each for whose in owned for each in (whose.session, whose.spare_session)],
            "shipment": [whose.shipment for whose in owned],
            "return": [whose.return_ for whose in owned],
            "refund": [whose.refund for whose in owned],
            "checkout": [whose.checkout for whose in owned],
            "image": [self.world.image],
            "import": [self.world.import_],
            "zone": [self.world.zone],
            "report": [self.world.report],
        }
        return {kind: [str(each) for each in ids] for kind, ids in found.items()}

    def _count(self, operation: str, reached: bool) -> None:
        self.sent[operation] += 1
        self.reached[operation] += reached

    def _judge(self, role: str, sent: str, answer: httpx.Response) -> Finding | None:
        kind = answer.headers.get("content-type", "")
        said = answer.text if "json" in kind else ""
        is_masked = '"INTERNAL"' in said or '"UNAVAILABLE"' in said or "Something went wrong" in said
        if answer.status_code >= 500 or is_masked or LEAKS.search(said):
            return Finding(role, sent, f"{answer.status_code} {said}")
        return None
