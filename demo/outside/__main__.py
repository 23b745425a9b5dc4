"""Runs the stand-ins until it receives a signal to stop."""

import asyncio
import logging
import os
import socket
import sys
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from demo.outside import settings

if TYPE_CHECKING:
    from demo.outside.ledger import Ledger

HOST = "127.0.0.1"
PORT_TAKEN = 2


def main() -> int:
    """Runs the stand-ins until interrupted. Returns the exit code.

    They listen before they load: a request that arrives meanwhile is answered afterwards.
    """
    options = settings.read(sys.argv[1:])
    logging.basicConfig(level=logging.WARNING, format="%(name)s %(levelname)s %(message)s")
    try:
        web, mail = _listen(options.port, "OUTSIDE_PORT"), _listen(options.smtp_port, "OUTSIDE_SMTP_PORT")
    except PortTaken as error:
        print(error, file=sys.stderr)  # noqa: T201
        return PORT_TAKEN
    if options.settings_from_stdin:
        sys.stdin.buffer.read()
    from demo.outside.ledger import Ledger

    ledger = Ledger(options.data)
    with closing(ledger), suppress(KeyboardInterrupt):
        asyncio.run(_serve(options, ledger, web, mail))
    return 0


class PortTaken(Exception):
    """Another process listens on the port."""


def _listen(port: int, setting: str) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        message = f"The stand-ins cannot listen on {HOST}:{port} ({os.strerror(error.errno or 0)}): set {setting}."
        raise PortTaken(message) from error
    return listener


async def _serve(options: settings.Settings, ledger: "Ledger", web: socket.socket, mail: socket.socket) -> None:
    import uvicorn

    from demo.outside import app, mailbox

    loop = asyncio.get_running_loop()
    smtp = await loop.create_server(lambda: mailbox.protocol(ledger), sock=mail)
    config = uvicorn.Config(
        app.create(ledger, options), log_level="warning", access_log=False, timeout_graceful_shutdown=2, lifespan="on"
    )
    server = uvicorn.Server(config)
    async with smtp:
        await server.serve(sockets=[web])


if __name__ == "__main__":
    sys.exit(main())
