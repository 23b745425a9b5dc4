"""Puts the stand-ins together: routes, the courier, and the mail server beside them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from demo.outside import controls, faults, google, ids, keys, pages, payments, sessions, webhooks
from demo.outside.api import Api
from demo.outside.checkout import Checkout
from demo.outside.courier import Courier
from demo.outside.demo import Demo
from demo.outside.errors import ApiError
from demo.outside.guard import OwnNameOnly
from demo.outside.ledger import Ledger
from demo.outside.settings import Settings

TIMERS = {
    sessions.EXPIRE: sessions.expire_when_due,
    payments.SETTLE: payments.settle,
    payments.SETTLE_REFUND: payments.settle_refund,
}


def create(ledger: Ledger, settings: Settings) -> Starlette:
    """The ASGI app of the stand-ins."""
    looks = pages.Pages(settings)
    return Starlette(
        routes=[
            Route("/_health", _health),
            Route(keys.GOOGLE_CERTS_PATH, _certificates(ledger)),
            *controls.routes(ledger, settings),
            *Checkout(ledger, settings, looks).routes(),
            *Demo(ledger, settings, looks).routes(),
            *pages.routes(),
            Route("/v1/{path:path}", Api(ledger, settings.stripe_key).answer, methods=["GET", "POST", "DELETE"]),
        ],
        middleware=[Middleware(OwnNameOnly, settings=settings)],
        exception_handlers={ApiError: _refused},
        lifespan=_lifespan(ledger, settings),
    )


def _lifespan(ledger: Ledger, settings: Settings) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await run_in_threadpool(_prepare, ledger, settings)
        courier = asyncio.create_task(Courier(ledger, TIMERS).run())
        yield
        courier.cancel()

    return lifespan


def _prepare(ledger: Ledger, settings: Settings) -> None:
    with ledger.transaction() as tx:
        webhooks.ensure_shop_endpoint(tx, settings)
        google.ensure_key(tx)


async def _health(request: Request) -> Response:
    return JSONResponse({"status": "ok"})


def _certificates(ledger: Ledger) -> Callable[[Request], Response]:
    def endpoint(request: Request) -> Response:
        if faults.take(ledger, "GET", keys.GOOGLE_CERTS_PATH):
            return JSONResponse({"error": "unavailable (a fault set on purpose)"}, 503)
        with ledger.reading() as tx:
            certificates = google.certificates(tx)
        headers = {"cache-control": f"public, max-age={google.CERTS_MAX_AGE}, must-revalidate, no-transform"}
        return JSONResponse(certificates, headers=headers)

    return endpoint


async def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, ApiError):
        raise error
    return JSONResponse(error.envelope(ids.new("req_", 14)), error.status)
