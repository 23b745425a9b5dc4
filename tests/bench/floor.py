"""The floor that the shop is measured against: the same rows by hand, with Starlette, asyncpg and orjson alone.

No session, no limits, no log, no cache: `uvicorn tests.bench.floor:app` with BENCH_DATABASE. Nothing of it is shipped.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

CONNECTIONS = 8
_LIST = """
    SELECT products.id::text, name, price_cents, sum_stock AS stock, (
        SELECT product_colors.name FROM product_colors
        WHERE product_colors.product_id = products.id ORDER BY position LIMIT 1
    ) AS color
    FROM products, LATERAL (SELECT sum(stock) AS sum_stock FROM variants WHERE product_id = products.id) AS stock
    WHERE gender = $1 AND subcategory = $2 AND products.retired_at IS NULL
    ORDER BY popularity DESC, products.id DESC LIMIT 24
"""
_PRODUCT = "SELECT id::text, name, title, description, price_cents FROM products WHERE id = $1"
_VARIANTS = "SELECT id::text, size, stock, color_id::text FROM variants WHERE product_id = $1"
_OFFER = """
    SELECT variants.id, stock, price_cents FROM variants JOIN products ON products.id = product_id
    WHERE variants.id = $1
"""
_CART = "SELECT id FROM carts WHERE user_id = $1 FOR NO KEY UPDATE"
_COUNT = "SELECT count(*) FROM cart_lines WHERE cart_id = $1"
_PUT = """
    INSERT INTO cart_lines (cart_id, variant_id, quantity, seen_price_cents) VALUES ($1, $2, 1, $3)
    ON CONFLICT (cart_id, variant_id) DO UPDATE SET quantity = cart_lines.quantity + 1
"""
_LINES = """
    SELECT cart_lines.quantity, name, price_cents FROM cart_lines
    JOIN variants ON variants.id = variant_id JOIN products ON products.id = product_id WHERE cart_id = $1
"""


def _json(value: object) -> Response:
    return Response(orjson.dumps(value), media_type="application/json")


async def ping(_request: Request) -> Response:
    return Response("alive", media_type="text/plain")


async def listed(request: Request) -> Response:
    """24 products of a category."""
    rows = await request.app.state.pool.fetch(_LIST, "men", "shirts")
    return _json([dict(row) for row in rows])


async def product(request: Request) -> Response:
    """A product and its variants, two statements."""
    product_id = UUID(request.path_params["id"])
    async with request.app.state.pool.acquire() as connection:
        product_row = await connection.fetchrow(_PRODUCT, product_id)
        variants = await connection.fetch(_VARIANTS, product_id)
    return _json({**dict(product_row), "variants": [dict(row) for row in variants]})


async def add(request: Request) -> Response:
    """One piece more in a cart: a durable transaction of five statements."""
    body = orjson.loads(await request.body())
    user_id, variant_id = UUID(body["user"]), UUID(body["variant"])
    async with request.app.state.pool.acquire() as connection, connection.transaction():
        offer = await connection.fetchrow(_OFFER, variant_id)
        cart_id = await connection.fetchval(_CART, user_id)
        await connection.fetchval(_COUNT, cart_id)
        await connection.execute(_PUT, cart_id, variant_id, offer["price_cents"])
        lines = await connection.fetch(_LINES, cart_id)
    return _json([dict(row) for row in lines])


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    async with asyncpg.create_pool(os.environ["BENCH_DATABASE"], min_size=CONNECTIONS, max_size=CONNECTIONS) as pool:
        app.state.pool = pool
        yield


app = Starlette(
    routes=[
        Route("/ping", ping),
        Route("/list", listed),
        Route("/product/{id}", product),
        Route("/add", add, methods=["POST"]),
    ],
    lifespan=lifespan,
)
