"""`python -m server web`: a process that serves HTTP."""

import asyncio
from typing import Any

import structlog
import uvicorn
from starlette.types import ASGIApp

from server.app import create_app
from server.config import Settings
from server.pages.older_builds import OlderBuilds
from server.platform.core import gc_tuning, logs
from server.platform.core.errors import Unavailable
from server.platform.pages import assets
from server.platform.pages.renderer import Renderer
from server.platform.processes.graceful_shutdown import run
from server.platform.processes.slow_clients import allow_files, serving_options
from server.platform.processes.systemd import inherited_sockets
from server.platform.web.load_shedding import ConcurrencyLimiter
from server.run.database import connected, look
from server.run.metrics import trace, with_metrics
from server.run.reports_socket import ReportsSocket
from server.run.startup_checks import check_contents, check_pictures, check_settings
from server.shop_process import DRAIN_SECONDS

log = structlog.get_logger()


def serve(settings: Settings, renderer: Renderer) -> None:
    """Serves until SIGTERM or SIGINT, on inherited sockets or on one of its own; then shuts down gracefully.

    Raises CommandRefused when the shop may not open with these settings or this database.
    """
    logs.configure()
    check_settings(settings)
    trace(settings, "web")
    allow_files()
    with connected(settings) as here:
        contents = look(here.direct_url)
        check_contents(here, contents)
        check_pictures(here, contents)
        publish_assets(here)
        run(uvicorn.Config(**_options(here, renderer)), inherited_sockets())


def publish_assets(settings: Settings) -> None:
    """Gives other versions of this shop the client's files before a page names them. Must not be in an event loop."""
    try:
        asyncio.run(OlderBuilds.of(settings).publish(assets.built().immutable))
    except Unavailable as error:
        log.error("assets.not_published", error=type(error).__name__)


def _options(settings: Settings, renderer: Renderer) -> dict[str, Any]:
    return {
        "app": lambda: app(settings, renderer),
        "factory": True,
        "host": settings.host,
        "port": settings.port,
        "access_log": False,
        "log_config": None,
        "log_level": "warning",
        "server_header": False,
        "proxy_headers": False,
        "timeout_keep_alive": 30,
        "timeout_graceful_shutdown": DRAIN_SECONDS,
        "ws_max_size": 1_000_000,
        **serving_options(),
    }


def app(settings: Settings, renderer: Renderer | None = None) -> ASGIApp:
    """The ASGI app with its admission; uvicorn calls it when its event loop is there."""
    reports = ReportsSocket(settings.reports_socket) if settings.reports_socket else None
    shop = create_app(settings, reports, renderer)
    with_metrics(shop.state.shop)
    most = settings.limits.max_concurrent_requests
    admission = ConcurrencyLimiter(shop, shop.state.shop.visitors, shop.state.shop.known, max_concurrent=most)
    gc_tuning.freeze_startup_objects()
    return admission
