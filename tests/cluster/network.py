"""`python -m tests.cluster.network 31251:31151 …`: a node's network, which passes on from each port to another.

SIGUSR1 cuts it: nothing is passed on any more, and nothing is closed. SIGUSR2 mends it; what was lost stays lost, so
connections of before end then.
"""

import asyncio
import signal
import sys
from contextlib import suppress

import uvloop

CHUNK = 65_536


class Network:
    """All connections of one node with the others."""

    def __init__(self) -> None:
        self._is_cut = False
        self._mended = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        self._is_cut = True
        self._mended.clear()

    def mend(self) -> None:
        self._is_cut = False
        self._mended.set()
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, port: int, target: int) -> None:
        async def passing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers.add(writer)
            if self._is_cut:
                await self._mended.wait()
            with suppress(OSError):
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
                self._writers.add(far_writer)
                await asyncio.gather(self._copy(reader, far_writer), self._copy(far_reader, writer))
                self._writers.discard(far_writer)
            writer.close()
            self._writers.discard(writer)

        await asyncio.start_server(passing, "127.0.0.1", port)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                if not self._is_cut:
                    writer.write(data)
                    await writer.drain()
        if not self._is_cut:
            writer.close()


async def main(pairs: list[str]) -> None:
    network, loop = Network(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, network.cut)
    loop.add_signal_handler(signal.SIGUSR2, network.mend)
    for pair in pairs:
        port, _, target = pair.partition(":")
        await network.serve(int(port), int(target))
    await asyncio.Event().wait()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        uvloop.run(main(sys.argv[1:]))
