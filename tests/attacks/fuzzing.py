"""Sends cases to the shop that is fuzzed, sees which of them its services were reached by, and judges the answers."""

import asyncio
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from tests.attacks.calls import Sent
from tests.attacks.examples import Tokens
from tests.attacks.kept import Kept
from tests.attacks.routes import GRAPHQL
from tests.attacks.watched import KINDS
from tests.attacks.world import World
from tests.siege.servers import Server

LEAKS = re.compile(
    r"Traceback|site-packages|/server/|\.py\b|\bline \d+, in\b|sqlalchemy|asyncpg|psycopg|sqlstate|pydantic|starlette"
    r"|graphql-core|SELECT .* FROM|INSERT INTO|UPDATE \w+ SET|\b(ck|uq|fk)_\w+"
    r"|\b[A-Z]\w+(Error|Exception)\b|invalid (byte|input syntax)|out of range|object at 0x|NoneType"
    r"|surrogates not allowed|codec can't"
)
"""What only the inside of a program says. None of the values that are sent looks like it."""
SCHEMA = Path(__file__).resolve().parents[2] / "schema.graphql"
CALLED_ERRORS = re.findall(r"^(?:type|interface) (\w+(?:Error|Exception))\b", SCHEMA.read_text(), re.MULTILINE)
TYPE_NAME = re.compile(rf"\b({'|'.join(CALLED_ERRORS)})\b")
"""Types of the schema that are called errors: answers name them, and so does the file of possible types."""
TOLD_TO_ADMINS = re.compile(r'"error": ?"\w+: \w+"')
"""Why work in the background was given up, in the list of it."""
LEAST_SHARE = 0.3
LEAST_NUMBER = 5
"""How much of an operation's cases has to reach its service: a share of many, a number of a few."""
SERVED = (200, 302, 303, 304)
"""What an address without a shim answers when it has something to show, or somewhere to send to."""
EXPECTED = re.compile("RefusedByProvider: ")
"""What background work is told about payments that the provider does not know."""


@dataclass
class Finding:
    """An answer that should never be given."""

    role: str
    sent: str
    answered: str

    def __str__(self) -> str:
        return f"as {self.role}: {self.sent[:2_000]}\n-> {self.answered[:1_000]}"


@dataclass
class Target:
    """One server under attack."""

    world: World
    given: Tokens
    server: Server
    tokens: dict[str, str]
    log: Path
    """Where the watch of `watched` writes."""
    kept: Kept
    sent: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        # Loading certificates takes 40 ms of a core, and here are none.
        self._client = httpx.Client(base_url=self.server.url, timeout=60, trust_env=False, verify=False)
        self._read = self.log.open()
        self._loop = asyncio.get_running_loop()

    def graphql(self, operation: str, role: str, content: bytes) -> Finding | None:
        """Posts a document."""
        answer = self.request(role, "POST", "/graphql", content, {})
        self._count(operation, operation in self.noted(answer))
        if operation.startswith("Mutation.") and '"errors"' not in answer.text:
            self.restore()
        return _judge(role, content, answer)

    def rest(self, operation: str, role: str, sent: Sent, *, is_plain: bool) -> Finding | None:
        """Makes a call. One that is `is_plain` has no shim to be watched, and counts when it was served."""
        method = operation.partition(" ")[0]
        answer = self.request(role, method, sent.path, sent.content, sent.headers)
        noted = self.noted(answer)
        reached = answer.status_code in SERVED if is_plain else operation in noted
        if operation in GRAPHQL:
            reached = any(each.partition(".")[0] in KINDS for each in noted)
        self._count(operation, reached)
        if method != "GET" and answer.status_code < 400:
            self.restore()
        return _judge(role, f"{method} {sent.path[:500]} ".encode() + (sent.content or b""), answer)

    def subscribe(self, operation: str, role: str, content: bytes) -> Finding | None:
        """Subscribes and waits for an event, of which there are some."""
        self.noted(None)
        said, defect = "", False
        headers = self._headers(role)
        try:
            with connect(
                self.server.url.replace("http", "ws") + "/graphql",
                subprotocols=[Subprotocol("graphql-transport-ws")],
                additional_headers=headers,
                origin=Origin(f"http://localhost:{self.server.port}"),
                proxy=None,
            ) as socket:
                socket.send('{"type": "connection_init"}')
                said = str(socket.recv(10))
                socket.send('{"type": "subscribe", "id": "1", "payload": ' + content.decode() + "}")
                for _ in range(20):
                    self._await(self.kept.notify("admin_requested", str(self.world.shop.people.shopper)))
                    try:
                        said += str(socket.recv(0.1))
                        break
                    except TimeoutError:
                        continue
        except InvalidStatus as refused:
            defect = refused.response.status_code >= 500
        except ConnectionClosed as closed:
            defect = closed.rcvd is None or closed.rcvd.code == 1011
        self._count(operation, operation in self.noted(None))
        return Finding(role, content.decode(), said) if defect or is_defect(200, said) else None

    def failed_jobs(self) -> list[str]:
        """Work in the background that what was sent made impossible."""
        return [job for job in self.kept.failed_jobs if not EXPECTED.search(job)]

    def errors(self) -> list[str]:
        """Lines of the server's log with an exception that nobody expected."""
        lines = self.server.said().splitlines()
        return [line for line in lines if '"level":"error"' in line and '"exception"' in line]

    def restore(self) -> None:
        """Brings the database back to what it was in the beginning."""
        self._await(self.kept.restore())

    def differing(self) -> list[str]:
        """Tables that are not as they were in the beginning, but for counts of attempts."""
        tables: list[str] = self._await(self.kept.differing())
        return tables

    def forget_limits(self) -> None:
        self._await(self.kept.forget_limits())

    def ids(self, role: str | None = None) -> dict[str, list[str]]:
        """Real ones, by kind: the role's own where it has any, or everybody's."""
        people, world = self.world.shop.people, self.world
        owned = {"shopper": (world.shopper,), "other": (world.other,)}.get(role or "", (world.shopper, world.other))
        user = [people.shopper, people.other, people.admin, people.primary]
        by_kind: dict[str, list[Any]] = {
            "product": [people.product],
            "variant": people.variants,
            "color": [world.color, world.other_color],
            "user": user if role is None else user[:2],
            "order": [each for whose in owned for each in (whose.order, whose.shipped_order)],
            "line": [each for whose in owned for each in (whose.order_line, whose.shipped_line)],
            "address": [each for whose in owned for each in (whose.address, whose.spare_address)],
            "session": [each for whose in owned for each in (whose.session, whose.spare_session)],
            "passkey": [whose.passkey for whose in owned],
            "shipment": [whose.shipment for whose in owned],
            "return": [whose.return_ for whose in owned],
            "refund": [whose.refund for whose in owned],
            "checkout": [whose.checkout for whose in owned],
            "reservation": [whose.reservation for whose in owned],
            "image": [world.image],
            "upload": [*world.uploads],
            "import": [world.import_],
            "job": [world.job],
            "zone": [world.zone],
            "report": [world.report],
            "page": [world.page],
        }
        return {kind: [str(each) for each in ids] for kind, ids in by_kind.items()}

    def close(self) -> None:
        self._client.close()
        self._read.close()

    def request(
        self, role: str, method: str, path: str, content: bytes | None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        all_headers = {"content-type": "application/json", "sec-fetch-site": "same-origin", **self._headers(role)}
        all_headers.update(headers or {})
        answer = self._client.request(method, path, content=content, headers=all_headers)
        self._client.cookies.clear()
        return answer

    def _headers(self, role: str) -> dict[str, str]:
        return {"cookie": f"accessToken-{self.server.port}={self.tokens[role]}"} if role in self.tokens else {}

    def noted(self, answer: httpx.Response | None) -> set[str]:
        """Operations whose service the request reached; without one, those of all that came meanwhile."""
        lines = [line.split(" ", 1) for line in self._read.read().splitlines()]
        own_id = answer and answer.headers.get("x-request-id")
        return {operation for request_id, operation in lines if own_id in (None, request_id)}

    def _count(self, operation: str, reached: bool) -> None:
        self.sent[operation] += 1
        self.reached[operation] += reached

    def _await(self, coroutine: Any) -> Any:
        """Cases are sent from a thread beside the one whose loop the database's connection belongs to."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


def _judge(role: str, sent: bytes, answer: httpx.Response) -> Finding | None:
    said = answer.text if "json" in answer.headers.get("content-type", "") else ""
    if not is_defect(answer.status_code, said):
        return None
    return Finding(role, sent.decode(errors="replace"), f"{answer.status_code} {said}")


def is_defect(status: int, said: str) -> bool:
    said = TOLD_TO_ADMINS.sub("", TYPE_NAME.sub("", said))
    is_masked = '"INTERNAL"' in said or '"UNAVAILABLE"' in said or "Something went wrong" in said
    return status >= 500 or is_masked or LEAKS.search(said) is not None
