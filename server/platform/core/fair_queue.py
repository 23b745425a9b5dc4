"""A bounded queue in which clients take turns."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable


class FairQueue:
    """Requests that wait for a turn. Clients take turns, so one with many requests delays only itself."""

    def __init__(self, max_queued: int) -> None:
        self._max = max_queued
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[bool]]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def has_room(self, client: Hashable) -> bool:
        """Whether a request of this client may wait: there is room, or another client has more requests waiting."""
        return self._length < self._max or self._has_greedier(client)

    async def wait(
        self, client: Hashable, seconds: float, pass_on: Callable[[], None], *, is_begun: bool = False
    ) -> bool:
        """Waits at most `seconds` for a turn. Returns whether it came.

        What `is_begun` goes before the client's other requests. `pass_on` is called when the turn came for a request
        that has been cancelled.
        """
        if not self.has_room(client):
            return False
        if self._length >= self._max:
            self._make_room()
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        turns = self._waiting.setdefault(client, deque())
        if is_begun:
            turns.appendleft(turn)
        else:
            turns.append(turn)
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

    def _has_greedier(self, client: Hashable) -> bool:
        """Whether another client has at least two requests more in the queue."""
        most = max(map(len, self._waiting.values()), default=0)
        return len(self._waiting.get(client, ())) + 1 < most

    def _make_room(self) -> None:
        """Refuses the newest request of the client with the most requests."""
        greediest = max(self._waiting, key=lambda each: len(self._waiting[each]))
        turn = self._waiting[greediest][-1]
        self._forget(greediest, turn)
        if not turn.done():
            turn.set_result(False)

    def _forget(self, client: Hashable, turn: asyncio.Future[bool]) -> None:
        turns = self._waiting.get(client)
        if turns is None or turn not in turns:
            return
        turns.remove(turn)
        self._length -= 1
        if not turns:
            del self._waiting[client]
