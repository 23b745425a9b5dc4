"""The web server: one process that answers HTTP."""

import os

import uvicorn
from starlette.applications import Starlette

from server.app import DRAIN_SECONDS, create_app
from server.config import Settings
from server.run.database import database, look
from server.run.guard import check_contents, check_settings


def serve(settings: Settings, *, reload: bool = False) -> None:
    """Answers requests until SIGTERM or SIGINT, then finishes the ones under way.

    Raises Refused when this shop may not open with these settings or this database.
    """
    check_settings(settings)
    with database(settings) as url:
        check_contents(settings, look(url))
        os.environ["DATABASE_URL"] = url
        uvicorn.run(
            "server.run.serve:app",
            factory=True,
            host=settings.host,
            port=settings.port,
            reload=reload,
            reload_dirs=["server"] if reload else None,
            access_log=False,
            log_level="warning",
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=DRAIN_SECONDS,
            limit_concurrency=1000,
            ws_max_size=1_000_000,
        )


def app() -> Starlette:
    """What uvicorn calls in each process, also after a reload."""
    return create_app(Settings())
