"""The web server: one process that serves HTTP."""

import os
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from server.app import DRAIN_SECONDS, create_app
from server.config import Settings
from server.core import gc_tuning, logs
from server.run.database import database, look
from server.run.graceful_shutdown import run
from server.run.reports import ReportProcess
from server.run.slow_clients import allow_files, serving_options
from server.run.startup_checks import check_contents, check_settings
from server.run.systemd import inherited_sockets
from server.web.load_shedding import ConcurrencyLimiter


def serve(settings: Settings, *, reload: bool = False) -> None:
    """Serves until SIGTERM or SIGINT, on inherited sockets or on one of its own; then shuts down gracefully.

    Raises CommandRefused when the shop may not open with these settings or this database.
    """
    logs.configure()
    check_settings(settings)
    allow_files()
    with database(settings) as url:
        check_contents(settings, look(url))
        os.environ["DATABASE_URL"] = url
        if reload:
            uvicorn.run(**_options(settings), reload=True, reload_dirs=["server"])
        else:
            run(uvicorn.Config(**_options(settings)), inherited_sockets())


def _options(settings: Settings) -> dict[str, Any]:
    return {
        "app": "server.run.serve:app",
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


def app() -> ASGIApp:
    """The ASGI app; uvicorn calls it in each process, also after a reload."""
    shop = create_app(Settings(), ReportProcess())
    made = ConcurrencyLimiter(shop, shop.state.shop.visitors)
    gc_tuning.freeze_startup_objects()
    return made
