"""Determines which fields a GraphQL document selects, without executing it."""

import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from math import inf
from typing import Any

from graphql import (
    BooleanValueNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLSyntaxError,
    InlineFragmentNode,
    OperationType,
    SelectionNode,
    SelectionSetNode,
    VariableNode,
    get_operation_ast,
    parse,
)

from server.platform.core.byte_cache import ByteLimitedCache

MAX_TOKENS = 1_500
LONGEST_KEPT = 20_000
"""Longest document, in characters, whose fields are cached; the client's longest has 3,000."""
NAME_BYTES = 120
"""Estimated bytes of a name in a set, beyond its characters."""
UNKNOWN = "an unknown fragment"
"""Stands for a fragment that the document does not define."""

Fragments = dict[str, FragmentDefinitionNode]

_cache = ByteLimitedCache[tuple[bytes, str | None], frozenset[str]]("asked fields", 2_000_000)
_last: tuple[str, str | None, bytes] = ("", None, b"")


def digest(query: str, operation: str | None) -> bytes:
    """The cache key of an operation of a document. The last text's is kept, since a request needs it several times."""
    global _last
    if query is not _last[0] or operation != _last[1]:
        _last = query, operation, sha256(f"{operation!r} {query}".encode("utf-8", "surrogatepass")).digest()
    return _last[2]


def asked_fields(query: str, operation: str | None, under: str | None = None) -> frozenset[str]:
    """Names of the fields that a query selects at its root, or beneath the root field `under`.

    Empty for a document that cannot be parsed, is longer than any of the client's, lacks the operation, or is not a
    query.
    """
    if len(query) > LONGEST_KEPT:
        return frozenset()
    key = digest(query, operation), under
    names = _cache.get(key)
    if names is None:
        names = _asked_fields(query, operation, under)
        _cache.put(key, names, sum(NAME_BYTES + sys.getsizeof(name) for name in names))
    return names


def _asked_fields(query: str, operation: str | None, under: str | None) -> frozenset[str]:
    try:
        document = parse(query, no_location=True, max_tokens=MAX_TOKENS)
    except GraphQLSyntaxError:
        return frozenset()
    chosen = get_operation_ast(document, operation)
    if chosen is None or chosen.operation is not OperationType.QUERY:
        return frozenset()
    fragments = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
    fields = list(_fields(chosen.selection_set, fragments, set()))
    if under is not None:
        beneath = [field.selection_set for field in fields if field and field.name.value == under]
        fields = [field for each in beneath if each for field in _fields(each, fragments, set())]
    return frozenset(field.name.value if field else UNKNOWN for field in fields)


def selected_names(document: DocumentNode, operation: str | None, variables: Mapping[str, Any]) -> frozenset[str]:
    """Names of the fields that an operation selects at any depth, without what @skip and @include leave out."""
    chosen = get_operation_ast(document, operation)
    if chosen is None:
        return frozenset()
    fragments = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
    names: set[str] = set()
    seen: set[str] = set()

    def walk(selections: SelectionSetNode) -> None:
        for node in selections.selections:
            if _is_left_out(node, variables):
                continue
            if isinstance(node, FragmentSpreadNode):
                if node.name.value in fragments and node.name.value not in seen:
                    seen.add(node.name.value)
                    walk(fragments[node.name.value].selection_set)
                continue
            if isinstance(node, FieldNode):
                names.add(node.name.value)
            if inner := getattr(node, "selection_set", None):
                walk(inner)

    walk(chosen.selection_set)
    return frozenset(names)


def names_in(selections: SelectionSetNode, fragments: Fragments, variables: Mapping[str, Any]) -> Iterator[str]:
    """Names of the fields in a selection of a valid document, itself or in fragments, that no directive leaves out."""
    for node in selections.selections:
        if node.directives and _is_left_out(node, variables):
            continue
        inner = fragments[node.name.value] if isinstance(node, FragmentSpreadNode) else node
        if isinstance(inner, FieldNode):
            yield inner.name.value
        elif isinstance(inner, FragmentDefinitionNode | InlineFragmentNode):
            yield from names_in(inner.selection_set, fragments, variables)


def _is_left_out(node: SelectionNode, variables: Mapping[str, Any]) -> bool:
    """Whether a directive leaves the selection out; a variable that is not given counts as one that does not."""
    for directive in node.directives or ():
        for argument in directive.arguments or ():
            value = argument.value
            switch = value.value if isinstance(value, BooleanValueNode) else None
            if isinstance(value, VariableNode):
                switch = variables.get(value.name.value)
            if switch is {"include": False, "skip": True}.get(directive.name.value, inf):
                return True
    return False


def _fields(selections: SelectionSetNode, fragments: Fragments, seen: set[str]) -> Iterator[FieldNode | None]:
    """The selected fields, each fragment visited once; None for an undefined fragment."""
    for node in selections.selections:
        if isinstance(node, FieldNode):
            yield node
        elif isinstance(node, InlineFragmentNode):
            yield from _fields(node.selection_set, fragments, seen)
        elif isinstance(node, FragmentSpreadNode) and node.name.value in fragments:
            if node.name.value not in seen:
                seen.add(node.name.value)
                yield from _fields(fragments[node.name.value].selection_set, fragments, seen)
        else:
            yield None
