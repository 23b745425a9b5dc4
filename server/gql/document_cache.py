"""Parsed and validated documents, kept by the hash of their text within a bound in bytes."""

import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from graphql import ASTValidationRule, DocumentNode, GraphQLError, GraphQLSchema, parse, validate
from strawberry.extensions import SchemaExtension
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from server.core.byte_cache import ByteLimitedCache
from server.gql.documents import LONGEST_KEPT, MAX_TOKENS
from server.gql.execution import HIDE_SUGGESTIONS

KEPT_BYTES = 24_000_000
"""Every document of the client takes ten of them together."""
TOKEN_BYTES = 700
"""What a token and its nodes take: 340 to 740, names of 60 characters among them. The text comes on top."""

MAX_ERRORS = 20
"""Of one answer; validation ends there, since each error of an unknown name is compared with every known one."""

Rules = tuple[type[ASTValidationRule], ...]


class _Known(NamedTuple):
    """A document, and the rules that it is known to keep."""

    document: DocumentNode
    keeps: frozenset[Rules] = frozenset()


class DocumentCache:
    """The documents of one schema. A text is parsed once, and validated once, while it is worth keeping.

    Documents that break a rule are validated each time: their errors hold on to much more than the document.
    """

    def __init__(self, limit: int = KEPT_BYTES) -> None:
        self._known = ByteLimitedCache[bytes, _Known]("documents", limit)

    def parse(self, text: str) -> DocumentNode:
        """Raises GraphQLSyntaxError, for more than MAX_TOKENS tokens too."""
        key = _key(text)
        if known := self._known.get(key):
            return known.document
        document = parse(text, max_tokens=MAX_TOKENS)
        if len(text) <= LONGEST_KEPT:
            self._known.put(key, _Known(document), size_of(document, text))
        return document

    def errors(self, schema: GraphQLSchema, text: str, document: DocumentNode, rules: Rules) -> list[GraphQLError]:
        """What is wrong with the document; empty for a valid one."""
        key = _key(text)
        known = self._known.get(key)
        if known and known.document is document and rules in known.keeps:
            return []
        hidden = bool(schema.extensions.get(HIDE_SUGGESTIONS))
        every = (*rules, MaybeNullValidationRule, OneOfInputValidationRule)
        errors = validate(schema, document, every, max_errors=MAX_ERRORS, hide_suggestions=hidden)
        if known and known.document is document and not errors:
            self._known.put(key, _Known(document, known.keeps | {rules}), size_of(document, text))
        return errors


class CachedDocuments(SchemaExtension):
    """Parses and validates by way of the cache, in place of Strawberry's own, which count documents and not bytes."""

    def __init__(self, documents: DocumentCache) -> None:
        super().__init__()
        self._documents = documents

    def on_parse(self) -> Iterator[None]:
        context = self.execution_context
        if context.query:
            context.graphql_document = self._documents.parse(context.query)
        yield

    def on_validate(self) -> Iterator[None]:
        context = self.execution_context
        if context.graphql_document is not None and context.query is not None:
            context.pre_execution_errors = self._documents.errors(
                context.schema._schema, context.query, context.graphql_document, tuple(context.validation_rules)
            )
        yield


def size_of(document: DocumentNode, text: str) -> int:
    """Bytes that a parsed document takes, its text among them."""
    tokens, token = 0, document.loc.start_token if document.loc else None
    while token is not None:
        tokens += 1
        token = token.next
    return tokens * TOKEN_BYTES + 2 * sys.getsizeof(text)


def _key(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
