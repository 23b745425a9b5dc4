"""The shop under fuzzing: a real server with the payment stand-in and without rate limits, restarted when it dies."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
from sqlalchemy import delete, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.applications import Starlette

from server.cart import service as cart
from server.identity.models import EmailVerification, PasswordReset
from server.identity.sessions import token_hash
from server.limits import Limits
from server.orders.models import Checkout, Order
from server.platform.core.db import Sessions, begin
from server.wishlist import unsubscribing
from server.wishlist.models import StockAlert
from tests.analytics.caught_up import facts_caught_up
from tests.api.conftest import Shop
from tests.api.conftest import furnish as furnish_shop
from tests.api.inputs import PIXEL
from tests.attacks.examples import CHANGE, Tokens
from tests.attacks.fuzzing import Target
from tests.attacks.kept import Kept
from tests.attacks.watched import REACHED
from tests.attacks.world import Belongings, World, furnish
from tests.media.drawings import drawn
from tests.orders.seen import version_of
from tests.payments.provider import Provider
from tests.siege.servers import Server, serving

MANY = 10**6
UNLIMITED = Limits(
    sign_in_failures_per_account=MANY,
    sign_in_failures_per_address=MANY,
    sign_ups_per_hour=MANY,
    resets_per_day=MANY,
    stock_alerts_per_hour=MANY,
    stock_alerts_per_day=MANY,
    code_failures_per_account=MANY,
    code_failures_per_address=MANY,
    abandoned_checkouts_per_account=MANY,
    image_uploads_per_hour=MANY,
)
UPLOADS = 500
"""More than are taken over: each can be once."""
RESET, CONFIRM, UNSUBSCRIBE = "reset" + "x" * 38, "confirm" + "x" * 36, "unsubscribe" + "x" * 32
START = "mutation { startCheckout { __typename ... on Checkout { sessionId } } }"
PREVIEW = (
    "query ($selection: ProductSelection!, $change: ProductsChange!)"
    " { admin { productsPreview(selection: $selection, change: $change) { ... on ProductsPreview { token } } } }"
)


@asynccontextmanager
async def open_target(
    provider: Provider, database_url: str, sessions: Sessions, folder: Path, *faults: str
) -> AsyncIterator[Target]:
    """The server, furnished; what it is like then is what every case finds."""
    people, tokens = await furnish_shop(sessions)
    world = await furnish(Shop(Starlette(), sessions, people, {}))
    reached = folder / "reached"
    reached.touch()
    settings: dict[str, Any] = {
        "LIMITS": UNLIMITED.model_dump_json(),
        REACHED: str(reached),
        "OUTSIDE_PORT": str(provider.port),
        "OUTSIDE_SMTP_PORT": str(provider.ports[2]),
        "REPORTS_SOCKET": str(folder / "reports"),
        "DEMO": "false",
    }
    program = ("tests.attacks.watched", "web", *faults)
    beside = (("tests.attacks.watched", "reports"), ("server", "worker"))
    with serving(database_url, folder, provider.shop_port, program=program, beside=beside, **settings) as server:
        world, given = await prepared(server, provider, world, tokens)
        world = replace(world, uploads=sent_to_store(folder / "images", people.admin, people.primary))
        await facts_caught_up(sessions)
        kept = await Kept.of(database_url)
        target = Target(world, given, server, tokens, reached, kept)
        yield target
        target.close()
        await kept.close()


def sent_to_store(images: Path, *admins: UUID) -> list[UUID]:
    """Pictures that each admin can take over, as if they had been sent to the bucket."""
    uploads = [uuid4() for _ in range(UPLOADS)]
    for admin in admins:
        place = images / "uploads" / str(admin)
        place.mkdir(parents=True)
        for upload in uploads:
            (place / str(upload)).write_bytes(PIXEL)
    return uploads


async def prepared(server: Server, provider: Provider, world: World, tokens: dict[str, str]) -> tuple[World, Tokens]:
    """Adds what only the shop itself can make: a picture with its file, payments that the provider knows."""
    people = world.shop.people

    async with httpx.AsyncClient(base_url=server.url, headers={"sec-fetch-site": "same-origin"}, timeout=60) as client:

        async def ask(role: str, document: str, **variables: Any) -> Any:
            headers = {"cookie": f"accessToken-{server.port}={tokens[role]}", "content-type": "application/json"}
            content = json.dumps({"query": document, "variables": variables})
            answer = await client.post("/graphql", content=content, headers=headers)
            return answer.json()["data"]

        picture = await client.post(
            "/uploads/images",
            content=drawn(size=(600, 800)),
            headers={"cookie": f"accessToken-{server.port}={tokens['primary']}"},
        )
        async with begin(world.shop.sessions) as session:
            paid_before = select(Order.checkout_id).where(Order.checkout_id.is_not(None))
            await session.execute(delete(Checkout).where(Checkout.id.not_in(paid_before)))
            for user_id in (people.shopper, people.other, people.admin, people.primary):
                for variant_id in people.variants:
                    await cart.add_line(session, user_id, variant_id)
        paid, still_open = [(await ask(role, START))["startCheckout"]["sessionId"] for role in ("shopper", "other")]
        assert await asyncio.to_thread(provider.pay, paid) == 200
        preview_variables = {"selection": {"ids": [str(people.product)]}, "change": CHANGE}
        preview = await ask("primary", PREVIEW, **preview_variables)
        versions = {
            str(order): await version_of(world.shop.sessions, order)
            for owner in (world.shopper, world.other)
            for order in (owner.order, owner.shipped_order)
        }
    async with begin(world.shop.sessions) as session:
        shopper = await _reserving(session, world.shopper, paid)
        other = await _reserving(session, world.other, still_open)
        # However long it takes, what needs a recent sign-in is reached.
        await session.execute(text("UPDATE sessions SET authenticated_at = now() + interval '1 day'"))
        later = datetime.now(UTC) + timedelta(days=1)
        user_id = people.shopper
        # The sweep would take it for forgotten, and finish it each time that it is brought back.
        await session.execute(update(Checkout).values(check_at=later, expires_at=later))
        session.add_all(
            [
                PasswordReset(user_id=user_id, token_hash=token_hash(RESET), expires_at=later),
                EmailVerification(
                    user_id=user_id, token_hash=token_hash(CONFIRM), expires_at=later, email="shopper@shop.test"
                ),
                StockAlert(
                    email="waits@shop.test",
                    variant_id=people.variants[1],
                    token_hash=unsubscribing.hash_of(UNSUBSCRIBE),
                    mailed_at=datetime.now(UTC),
                ),
            ]
        )
    claims = {"sub": "1001", "email": "ann@shop.test", "name": "Ann Google"}
    google = provider.tell("/_control/google/token", claims=claims)["token"]
    tokens_of_world = Tokens(
        RESET, CONFIRM, UNSUBSCRIBE, google, preview["admin"]["productsPreview"]["token"], versions
    )
    image = UUID(picture.json()["id"])
    return replace(world, image=image, shopper=shopper, other=other), tokens_of_world


async def _reserving(session: AsyncSession, owner: Belongings, checkout: str) -> Belongings:
    """The same belongings, with the open checkout of that session."""
    reservation = select(Checkout.id).where(Checkout.stripe_session_id == checkout)
    return replace(owner, checkout=checkout, reservation=(await session.scalars(reservation)).one())
