"""Queues of requests that wait for a slot: one for each priority, in which clients take turns."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import IntEnum


class Priority(IntEnum):
    """How urgent a request is, by what the server knows of it; the most urgent first."""

    BUYER = 0
    """A session with something in its cart or an open checkout, or a signed webhook of the payment provider."""
    SIGNED_IN = 1
    ANONYMOUS = 2


@dataclass(frozen=True)
class Visitor:
    """Whom a request is from, used for its place in a queue and for nothing else."""

    priority: Priority
    client: Hashable
    """Account, network or provider. Requests of one client share its turns."""


class RequestQueue:
    """Waiting requests of one priority. Clients take turns, so one with many requests delays only itself."""

    def __init__(self, max_queued: int) -> None:
        self._max = max_queued
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[bool]]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    async def wait(self, client: Hashable, seconds: float, pass_on: Callable[[], None]) -> bool:
        """Waits at most `seconds` for a turn. Returns whether it came.

        `pass_on` is called when the turn came for a request that has been cancelled.
        """
        if self._length >= self._max and not self._make_room(client):
            return False
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._length += 1
        end = asyncio.get_running_loop().call_later(seconds, self._give_up, client, turn)
        try:
            return await turn
        except asyncio.CancelledError:
            self._forget(client, turn)
            if turn.done() and not turn.cancelled() and turn.result():
                pass_on()
            raise
        finally:
            end.cancel()

    def _give_up(self, client: Hashable, turn: asyncio.Future[bool]) -> None:
        if not turn.done():
            self._forget(client, turn)
            turn.set_result(False)

    def call(self) -> bool:
        """Gives the turn to the next client. Returns False when the queue is empty."""
        while self._waiting:
            client, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            self._length -= 1
            if turns:
                self._waiting[client] = turns
            if not turn.done():
                turn.set_result(True)
                return True
        return False

    def _make_room(self, client: Hashable) -> bool:
        """Refuses the newest request of the client with the most requests, unless that is this client."""
        greediest = max(self._waiting, key=lambda each: len(self._waiting[each]))
        own = len(self._waiting.get(client, ()))
        if own + 1 >= len(self._waiting[greediest]):
            return False
        refused = self._waiting[greediest].pop()
        self._length -= 1
        if not refused.done():
            refused.set_result(False)
        return True

    def _forget(self, client: Hashable, turn: asyncio.Future[bool]) -> None:
        turns = self._waiting.get(client)
        if turns is None or turn not in turns:
            return
        turns.remove(turn)
        self._length -= 1
        if not turns:
            del self._waiting[client]
