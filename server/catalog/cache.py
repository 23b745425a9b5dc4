"""Finished answers to visitors' catalogue queries, kept until the catalogue changes."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import lru_cache
from hashlib import sha256
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import orjson
from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLSyntaxError,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    parse,
)

from server.core.db import is_unavailable

CATALOGUE_FIELDS = frozenset({"products", "product", "categories", "search", "shop", "__typename"})
LONGEST_QUERY = 20_000
MAX_TOKENS = 1_500


class Answer(NamedTuple):
    """A finished answer. Only a `complete` one (no errors in it) is kept."""

    body: bytes
    unavailable: bool = False
    """The database could not be reached."""
    complete: bool = True
    status: int = 200
    """Of the HTTP answer, where it is no GraphQL."""
    gzipped: bytes | None = None
    """The same body compressed, made once for all who will ask."""
    seconds: float = inf
    """How long it may be kept while the catalogue stays as it is."""

    @property
    def size(self) -> int:
        return len(self.body) + len(self.gzipped or b"")


Produce = Callable[[], Awaitable[Answer]]


class _Entry(NamedTuple):
    answer: Answer
    generation: int
    until: float


class CatalogCache:
    """Answers by document and variables, least recently used ones dropped first.

    An answer is served as fresh only while LISTEN is connected and nothing has changed since before it was read.
    When the connection is lost, what is here becomes stale: served only while the database cannot be reached.
    """

    def __init__(self, *, max_entries: int = 4_000, max_bytes: int = 64_000_000) -> None:
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._bytes = 0
        self._generation = 0
        self._listening = False
        self._entries: OrderedDict[bytes, _Entry] = OrderedDict()
        self._flights: dict[tuple[bytes, int], asyncio.Task[Answer]] = {}

    def changed(self, _payload: str = "") -> None:
        """LISTEN says that the catalogue has changed, or may have while it was not connected."""
        self._listening = True
        self.forget()

    def forget(self) -> None:
        """Nothing kept so far counts any more, nor what is being read now."""
        self._generation += 1
        self._entries.clear()
        self._bytes = 0

    def connection_lost(self) -> None:
        """News can be missed from now on."""
        self._listening = False

    def key(self, query: str, variables: dict[str, Any] | None, operation: str | None) -> bytes | None:
        """The key of a query that asks for the catalogue alone; None for every other document."""
        if len(query) > LONGEST_QUERY or not asks_catalogue_only(query, operation):
            return None
        asked = orjson.dumps([query, operation, variables], option=orjson.OPT_SORT_KEYS)
        return sha256(asked).digest()

    async def answer(self, key: bytes, produce: Produce) -> Answer:
        """The kept answer or a new one; however many ask at once, `produce` runs once."""
        entry = self._entries.get(key)
        if entry and self._listening and entry.generation == self._generation and monotonic() < entry.until:
            self._entries.move_to_end(key)
            return entry.answer
        flight = (key, self._generation)
        if flight not in self._flights:
            task = asyncio.create_task(self._produce(key, produce, self._generation))
            self._flights[flight] = task
            task.add_done_callback(lambda _: self._flights.pop(flight, None))
        return await asyncio.shield(self._flights[flight])

    async def _produce(self, key: bytes, produce: Produce, generation: int) -> Answer:
        try:
            answer = await produce()
        except Exception as error:
            if is_unavailable(error) and (stale := self._entries.get(key)):
                return stale.answer
            raise
        if answer.unavailable:
            stale = self._entries.get(key)
            return stale.answer if stale else answer
        if answer.complete and generation == self._generation:
            self._keep(key, _Entry(answer, generation, monotonic() + answer.seconds))
        return answer

    def _keep(self, key: bytes, entry: _Entry) -> None:
        if entry.answer.size > self._max_bytes // 10:
            return
        replaced = self._entries.pop(key, None)
        self._entries[key] = entry
        self._bytes += entry.answer.size - (replaced.answer.size if replaced else 0)
        while self._bytes > self._max_bytes or len(self._entries) > self._max_entries:
            _, dropped = self._entries.popitem(last=False)
            self._bytes -= dropped.answer.size


@lru_cache(maxsize=1_000)
def asks_catalogue_only(query: str, operation: str | None) -> bool:
    """Whether the operation is a query whose root fields are all the catalogue's, the same for every visitor."""
    try:
        document = parse(query, no_location=True, max_tokens=MAX_TOKENS)
    except GraphQLSyntaxError:
        return False
    chosen = _operation(document, operation)
    if chosen is None or chosen.operation is not OperationType.QUERY:
        return False
    fragments = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
    return _root_fields(chosen.selection_set, fragments, set()) <= CATALOGUE_FIELDS


def _operation(document: DocumentNode, name: str | None) -> OperationDefinitionNode | None:
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    if name is None:
        return operations[0] if len(operations) == 1 else None
    return next((node for node in operations if node.name and node.name.value == name), None)


def _root_fields(
    selections: SelectionSetNode, fragments: dict[str, FragmentDefinitionNode], seen: set[str]
) -> set[str]:
    names: set[str] = set()
    for node in selections.selections:
        if isinstance(node, FieldNode):
            names.add(node.name.value)
        elif isinstance(node, InlineFragmentNode):
            names |= _root_fields(node.selection_set, fragments, seen)
        elif isinstance(node, FragmentSpreadNode) and node.name.value in fragments:
            if node.name.value not in seen:
                seen.add(node.name.value)
                names |= _root_fields(fragments[node.name.value].selection_set, fragments, seen)
        else:
            names.add("an unknown fragment")
    return names
