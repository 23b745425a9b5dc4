"""A drop: 500 buyers press the button at once for 50 pieces, while 200 visitors browse. `just bench --drop`."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import quantiles

import asyncpg
import orjson

from server.identity.models import Address, User
from server.platform.core.db import begin, create_engine, sessionmaker
from tests.bench.load import request
from tests.session_tokens import session_token

BUYERS, PIECES, VISITORS = 500, 50, 200
BROWSE_SECONDS = 1.0
"""Between two pages of one visitor, on the average."""
AT_REST_SECONDS = 5.0
AGAIN_SECONDS = 1.0
"""After which a buyer who was refused presses again."""
START = "mutation StartCheckout { startCheckout { __typename ... on UserError { message } } }"
WHERE = {"name": "Ada Lovelace", "address1": "1 Quiet Street", "city": "London", "country": "GB", "phone": "12345"}


@dataclass
class Told:
    """What a crowd was told, and how long each had to wait, in seconds."""

    outcomes: Counter[str] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)

    @property
    def p99(self) -> float:
        """In milliseconds."""
        return quantiles(self.waits, n=100)[98] * 1000


async def prepare(url: str) -> list[str]:
    """Session tokens of buyers, each with an address and one piece of the same variant in the cart."""
    engine = create_engine(url)
    people, tokens = [User(email=f"drop{each}@minimal.test", name="Ada Lovelace") for each in range(BUYERS)], []
    async with begin(sessionmaker(engine)) as session:
        session.add_all(people)
        await session.flush()
        session.add_all(Address(user_id=user.id, **WHERE) for user in people)
        for user in people:
            token = await session_token(session, user.id)
            tokens.append(token)
    await engine.dispose()
    database = await asyncpg.connect(url)
    async with database.transaction():
        variant = await database.fetchval("SELECT id FROM variants ORDER BY id DESC LIMIT 1")
        await database.execute("UPDATE variants SET stock = $2 WHERE id = $1", variant, PIECES)
        await database.execute(
            "WITH made AS (INSERT INTO carts (user_id) SELECT id FROM users WHERE email LIKE 'drop%' RETURNING id) "
            "INSERT INTO cart_lines (cart_id, variant_id, quantity, seen_price_cents) "
            "SELECT id, $1, 1, (SELECT coalesce(discounted_price_cents, price_cents) FROM products "
            "JOIN variants ON product_id = products.id WHERE variants.id = $1) FROM made",
            variant,
        )
    await database.close()
    return tokens


async def drop(port: int, tokens: Sequence[str], pages: Sequence[str]) -> tuple[Told, Told, Told]:
    """The buyers; the visitors at rest, and during the drop."""
    dice, at_rest, buyers, visitors = Random(7), Told(), Told(), Told()
    is_over = asyncio.Event()
    await _browse(port, pages, at_rest, dice, is_over, AT_REST_SECONDS)
    is_over.clear()
    browsing = asyncio.create_task(_browse(port, pages, visitors, dice, is_over, None))
    await asyncio.sleep(2 * BROWSE_SECONDS)
    await asyncio.gather(*(_buy(port, token, buyers) for token in tokens))
    is_over.set()
    await browsing
    return buyers, at_rest, visitors


async def _browse(
    port: int, pages: Sequence[str], told: Told, dice: Random, is_over: asyncio.Event, seconds: float | None
) -> None:
    if seconds is not None:
        asyncio.get_running_loop().call_later(seconds, is_over.set)
    await asyncio.gather(*(_visit(port, pages, told, dice, is_over) for _ in range(VISITORS)))


async def _visit(port: int, pages: Sequence[str], told: Told, dice: Random, is_over: asyncio.Event) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while not is_over.is_set():
        await asyncio.sleep(dice.uniform(0, 2 * BROWSE_SECONDS))
        began = time.perf_counter()
        status, _ = await _ask(reader, writer, dice.choice(pages))
        told.waits.append(time.perf_counter() - began)
        told.outcomes[str(status)] += 1
    writer.close()


async def _buy(port: int, token: str, told: Told) -> None:
    """Presses until it is answered, as often as the shop asks to; the wait is that of the whole."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    press = request("POST", "/graphql", {"query": START}, cookie=f"accessToken-{port}={token}")
    began = time.perf_counter()
    while (answer := await _ask(reader, writer, press))[0] == 503:
        told.outcomes["asked to come again"] += 1
        await asyncio.sleep(AGAIN_SECONDS)
    told.waits.append(time.perf_counter() - began)
    told.outcomes[_outcome(*answer)] += 1
    writer.close()


def _outcome(status: int, body: bytes) -> str:
    data = orjson.loads(body) if status == 200 else {}
    return "errors" if "errors" in data or status != 200 else str(data["data"]["startCheckout"]["__typename"])


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: str) -> tuple[int, bytes]:
    writer.write(asked.encode())
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"\r\ncontent-length: ")[2].partition(b"\r\n")[0])
    return int(head[9:12]), await reader.readexactly(length)
