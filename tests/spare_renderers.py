"""Processes with V8, handed from a shop that drew no page to the next one of the same test run."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from socket import socket
from subprocess import Popen
from typing import Any

import pytest

from server.platform.pages.renderer import SCRIPT, Renderer

OPEN, CLOSE = Renderer.open, Renderer.close
"""As the shop does it."""
_Process = tuple[Popen[bytes], socket | None, tuple[StreamReader, StreamWriter]]


@asynccontextmanager
async def kept() -> AsyncIterator[None]:
    """Those that came by `open`, on this event loop, and were asked nothing since."""
    loop, spare, unused = asyncio.get_running_loop(), list[_Process](), set[Renderer]()
    send = Renderer._send

    async def open(renderer: Renderer) -> None:
        is_ours = renderer._script is not None and renderer._script.name == str(SCRIPT)
        if not is_ours or renderer._process is not None or asyncio.get_running_loop() is not loop:
            await OPEN(renderer)
            return
        if spare:
            renderer._process, renderer._socket, renderer._streams = spare.pop()
        else:
            await OPEN(renderer)
        unused.add(renderer)

    async def count(renderer: Renderer, expression: str) -> Any:
        unused.discard(renderer)
        return await send(renderer, expression)

    async def close(renderer: Renderer) -> None:
        process, streams = renderer._process, renderer._streams
        if renderer in unused and process is not None and process.poll() is None and streams is not None:
            spare.append((process, renderer._socket, streams))
            renderer._process = renderer._socket = renderer._streams = None
        unused.discard(renderer)
        await CLOSE(renderer)

    with pytest.MonkeyPatch.context() as patch:
        for name, way in (("open", open), ("close", close), ("_send", count)):
            patch.setattr(Renderer, name, way)
        yield
    for process, _, streams in spare:
        streams[1].close()
        process.kill()
        process.wait()
