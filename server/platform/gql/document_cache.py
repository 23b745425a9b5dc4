"""A cache of parsed and validated documents, keyed by the hash of their text and bounded in bytes."""

import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from graphql import ASTValidationRule, DocumentNode, GraphQLError, GraphQLSchema, parse, validate
from strawberry.extensions import SchemaExtension
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from server.platform.core.byte_cache import ByteLimitedCache
from server.platform.core.error_codes import ErrorCode
from server.platform.gql.documents import LONGEST_KEPT, MAX_TOKENS
from server.platform.gql.execution import HIDE_SUGGESTIONS

KEPT_BYTES = 16_000_000
"""The documents of the client take half of it together."""
TOKEN_BYTES = 700
"""Estimated bytes of a token and its nodes; 340 to 740 were measured. The text is added."""

MAX_ERRORS = 20
"""In one response. Validation stops there, since it compares each unknown name with every known one."""

Rules = tuple[type[ASTValidationRule], ...]


class _Known(NamedTuple):
    """A parsed document, and the rules that it is known to pass."""

    document: DocumentNode
    keeps: frozenset[Rules] = frozenset()


class DocumentCache:
    """The documents of one schema, each parsed once and validated once while it stays in the cache.

    Invalid documents are validated each time: their errors hold much more memory than the document.
    """

    def __init__(self, limit: int = KEPT_BYTES) -> None:
        self._known = ByteLimitedCache[bytes, _Known]("documents", limit)

    def parse(self, text: str) -> DocumentNode:
        """The parsed document. Raises GraphQLSyntaxError, also for more than MAX_TOKENS tokens."""
        key = _key(text)
        if entry := self._known.get(key):
            return entry.document
        document = parse(text, max_tokens=MAX_TOKENS)
        if len(text) <= LONGEST_KEPT:
            self._known.put(key, _Known(document), size_of(document, text))
        return document

    def errors(self, schema: GraphQLSchema, text: str, document: DocumentNode, rules: Rules) -> list[GraphQLError]:
        """The validation errors of a document, with their code; empty for a valid one."""
        key = _key(text)
        entry = self._known.get(key)
        if entry and entry.document is document and rules in entry.keeps:
            return []
        hidden = bool(schema.extensions.get(HIDE_SUGGESTIONS))
        every = (*rules, MaybeNullValidationRule, OneOfInputValidationRule)
        errors = validate(schema, document, every, max_errors=MAX_ERRORS, hide_suggestions=hidden)
        for error in errors:
            error.extensions = {**(error.extensions or {}), "code": ErrorCode.GRAPHQL_VALIDATION_FAILED}
        if entry and entry.document is document and not errors:
            self._known.put(key, _Known(document, entry.keeps | {rules}), size_of(document, text))
        return errors


class CachedDocuments(SchemaExtension):
    """Parses and validates through the cache. Strawberry's own caches are bounded by number, not by bytes."""

    def __init__(self, documents: DocumentCache) -> None:
        super().__init__()
        self._documents = documents

    def on_parse(self) -> Iterator[None]:
        """Takes the parsed document from the cache."""
        context = self.execution_context
        if context.query:
            context.graphql_document = self._documents.parse(context.query)
        yield

    def on_validate(self) -> Iterator[None]:
        """Takes the validation result from the cache."""
        context = self.execution_context
        if context.graphql_document is not None and context.query is not None:
            context.pre_execution_errors = self._documents.errors(
                context.schema._schema, context.query, context.graphql_document, tuple(context.validation_rules)
            )
        yield


def size_of(document: DocumentNode, text: str) -> int:
    """Estimated bytes of a parsed document with its text."""
    tokens, token = 0, document.loc.start_token if document.loc else None
    while token is not None:
        tokens += 1
        token = token.next
    return tokens * TOKEN_BYTES + 2 * sys.getsizeof(text)


def _key(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
