"""Prepared answers to the usual introspection documents.

GraphiQL, code generators and editors all send one document with small variations: with or without descriptions or
deprecated fields, in the text or by variables, with types nested more or less deeply. Each selects a part of the
largest one, which a process executes once. A document that selects nothing else gets that part; every other one is
executed and costs as usual.
"""

import asyncio
import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple

import orjson
from graphql import (
    ArgumentNode,
    BooleanValueNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLSchema,
    GraphQLSyntaxError,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    SelectionNode,
    SelectionSetNode,
    VariableNode,
    execute_sync,
    get_introspection_query,
    parse,
    print_ast,
)

from server.platform.core.byte_cache import ByteLimitedCache
from server.platform.gql.document_cache import DocumentCache

LONGEST = 20_000
"""Characters of a document that may be a usual one; those of graphql-js have at most 3,000."""
MAX_SELECTIONS = 1_000
"""With all fragments expanded; documents of graphql-js have at most 150."""
MAX_LEVELS = 50
"""Nesting with fragments expanded; graphql-js uses at most 20. Fragments that include themselves end here."""
KEPT_BYTES = 8_000_000
TYPE_DEPTH = 12
"""Levels of `ofType`; types of this schema have at most four."""
DEPRECATED = "includeDeprecated"
NO_VARIABLES: Mapping[str, Any] = {}


class PreparedAnswer(NamedTuple):
    """A complete JSON response body, plain and compressed."""

    body: bytes
    gzipped: bytes


class _Unusual(Exception):
    """The document selects something that is not prepared."""


class _Shape(NamedTuple):
    """What the largest document selects of one introspection type."""

    type: str
    fields: Mapping[str, "_Shape | None"]
    filtered: frozenset[str] = frozenset()
    """Fields that omit deprecated members unless `includeDeprecated` is given."""


_REFERENCE_FIELDS: dict[str, _Shape | None] = {"kind": None, "name": None}
_REFERENCE = _Shape("__Type", _REFERENCE_FIELDS)
_REFERENCE_FIELDS["ofType"] = _REFERENCE
_DEPRECATION: dict[str, _Shape | None] = {"isDeprecated": None, "deprecationReason": None}
_NAMED: dict[str, _Shape | None] = {"name": None, "description": None}
_INPUT_VALUE = _Shape("__InputValue", {**_NAMED, "type": _REFERENCE, "defaultValue": None, **_DEPRECATION})
_FIELD = _Shape("__Field", {**_NAMED, "args": _INPUT_VALUE, "type": _REFERENCE, **_DEPRECATION}, frozenset({"args"}))
_TYPE = _Shape(
    "__Type",
    {
        "kind": None,
        **_NAMED,
        "specifiedByURL": None,
        "isOneOf": None,
        "fields": _FIELD,
        "inputFields": _INPUT_VALUE,
        "interfaces": _REFERENCE,
        "enumValues": _Shape("__EnumValue", {**_NAMED, **_DEPRECATION}),
        "possibleTypes": _REFERENCE,
    },
    frozenset({"fields", "inputFields", "enumValues"}),
)
_DIRECTIVE = _Shape(
    "__Directive",
    {**_NAMED, "isRepeatable": None, "locations": None, "args": _INPUT_VALUE, **_DEPRECATION},
    frozenset({"args"}),
)
_ROOT = _Shape("__Type", {"kind": None, "name": None})
_SCHEMA = _Shape(
    "__Schema",
    {
        "description": None,
        "queryType": _ROOT,
        "mutationType": _ROOT,
        "subscriptionType": _ROOT,
        "types": _TYPE,
        "directives": _DIRECTIVE,
    },
    frozenset({"directives"}),
)

Selected = dict[str, "_Selection"]


@dataclass
class _Selection:
    """A selected field: its subselections (None for a leaf), and whether deprecated members are omitted."""

    fields: Selected | None
    current_only: bool = False
    argument: str = ""
    """As it is written, since a document may not select a field with two."""
    is_included: bool = False
    """Whether no directive leaves it out everywhere."""


class PreparedIntrospection:
    """Answers the usual introspection documents of one schema."""

    def __init__(self, schema: GraphQLSchema, documents: DocumentCache, *, limit: int) -> None:
        """`limit` is what `extensions.cost` names as the limit of other documents."""
        self._schema = schema
        self._documents = documents
        self._limit = limit
        self._answers = ByteLimitedCache[bytes, PreparedAnswer]("introspection answers", KEPT_BYTES)
        self._preparing = asyncio.Lock()

    async def answer(
        self, text: str, operation: str | None, variables: Mapping[str, Any] = NO_VARIABLES
    ) -> PreparedAnswer | None:
        """The prepared answer; None for a document that is not a usual one. A new one is prepared in a thread."""
        if "__schema" not in text or len(text) > LONGEST:
            return None
        try:
            selected = usual_selection(self._documents.parse(text), operation, variables)
        except GraphQLSyntaxError:
            return None
        if selected is None:
            return None
        key = sha256(repr(_canonical(selected)).encode()).digest()
        if prepared := self._answers.get(key):
            return prepared
        async with self._preparing:
            prepared = self._answers.get(key)
            if prepared is None:
                prepared = await asyncio.to_thread(self._prepare, selected)
                self._answers.put(key, prepared, len(prepared.body) + len(prepared.gzipped))
        return prepared

    def _prepare(self, selected: Selected) -> PreparedAnswer:
        data, objects = _part(self._everything, selected)
        cost = {"requested": objects, "limit": self._limit, "prepared": True}
        body = orjson.dumps({"data": data, "extensions": {"cost": cost}})
        return PreparedAnswer(body, gzip.compress(body, 6, mtime=0))

    @cached_property
    def _everything(self) -> dict[str, Any]:
        """The answer to the largest document. Raises RuntimeError when it fails."""
        result = execute_sync(self._schema, parse(_largest_document()))
        if result.errors or result.data is None:
            raise RuntimeError(f"The schema cannot be introspected: {result.errors}")
        return result.data


def usual_selection(
    document: DocumentNode, operation: str | None, variables: Mapping[str, Any] = NO_VARIABLES
) -> Selected | None:
    """What a usual introspection document selects, whatever its names; None for every other document."""
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    fragments = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
    if len(operations) != 1 or len(fragments) != len(document.definitions) - 1:
        return None
    [only] = operations
    is_meant = operation is None or (only.name is not None and only.name.value == operation)
    if only.operation is not OperationType.QUERY or only.directives or not is_meant:
        return None
    try:
        reading = _Reading(fragments, _switches(only, variables))
        selected = reading.selected(only.selection_set, _Shape("Query", {"__schema": _SCHEMA}))
    except _Unusual:
        return None
    return selected if reading.used == reading.defined else None


def _switches(operation: OperationDefinitionNode, variables: Mapping[str, Any]) -> dict[str, bool]:
    """The values of an operation's variables. Raises _Unusual unless all are Booleans that have one."""
    switches: dict[str, bool] = {}
    for each in operation.variable_definitions or ():
        default = each.default_value.value if isinstance(each.default_value, BooleanValueNode) else None
        value = variables.get(each.variable.name.value, default)
        is_boolean = print_ast(each.type) in ("Boolean", "Boolean!") and isinstance(value, bool)
        # A nullable variable without a default may not stand where a Boolean is required.
        if not is_boolean or (default is None and print_ast(each.type) == "Boolean") or each.directives:
            raise _Unusual
        switches[each.variable.name.value] = value
    if len(switches) != len(operation.variable_definitions or ()):
        raise _Unusual
    return switches


class _Reading:
    """Expands a document's fragments and merges its fields. Raises _Unusual for fields outside the shape.

    What a directive leaves out is read as well: the document has to be valid with it.
    """

    def __init__(self, fragments: Mapping[str, FragmentDefinitionNode], switches: Mapping[str, bool]) -> None:
        self._fragments = fragments
        self._switches = switches
        self._left = MAX_SELECTIONS
        self._levels = MAX_LEVELS
        self.defined = {*fragments, *(f"${name}" for name in switches)}
        self.used: set[str] = set()
        """Names of fragments, and of variables with a $."""

    def selected(self, selections: SelectionSetNode, shape: _Shape) -> Selected:
        fields: Selected = {}
        self._add(fields, selections, shape, is_included=True)
        return _included(fields)

    def _add(self, fields: Selected, selections: SelectionSetNode, shape: _Shape, *, is_included: bool) -> None:
        self._levels -= 1
        if self._levels < 0:
            raise _Unusual
        for node in selections.selections:
            self._left -= 1
            if self._left < 0:
                raise _Unusual
            included = self._is_included(node) and is_included
            if isinstance(node, FieldNode):
                self._add_field(fields, node, shape, is_included=included)
            elif isinstance(node, FragmentSpreadNode):
                self._add_fragment(fields, node.name.value, shape, is_included=included)
            elif isinstance(node, InlineFragmentNode):
                if node.type_condition and node.type_condition.name.value != shape.type:
                    raise _Unusual
                self._add(fields, node.selection_set, shape, is_included=included)
        self._levels += 1

    def _is_included(self, node: SelectionNode) -> bool:
        """Whether the node's directives, each at most once, keep it."""
        names = [each.name.value for each in node.directives or ()]
        if len(set(names)) != len(names) or not set(names) <= {"include", "skip"}:
            raise _Unusual
        return all(
            self._switch(each.arguments, "if") is (each.name.value == "include") for each in node.directives or ()
        )

    def _switch(self, arguments: Sequence[ArgumentNode] | None, name: str) -> bool:
        """The value of the one argument, which a variable may have."""
        if not arguments or len(arguments) > 1 or arguments[0].name.value != name:
            raise _Unusual
        value = arguments[0].value
        if isinstance(value, BooleanValueNode):
            return value.value
        if not isinstance(value, VariableNode) or value.name.value not in self._switches:
            raise _Unusual
        self.used.add(f"${value.name.value}")
        return self._switches[value.name.value]

    def _add_fragment(self, fields: Selected, name: str, shape: _Shape, *, is_included: bool) -> None:
        fragment = self._fragments.get(name)
        if fragment is None or fragment.directives or fragment.type_condition.name.value != shape.type:
            raise _Unusual
        self.used.add(name)
        self._add(fields, fragment.selection_set, shape, is_included=is_included)

    def _add_field(self, fields: Selected, node: FieldNode, shape: _Shape, *, is_included: bool) -> None:
        name = node.name.value
        if node.alias or name not in shape.fields:
            raise _Unusual
        inner = shape.fields[name]
        if (inner is None) != (node.selection_set is None):
            raise _Unusual
        if node.arguments and name not in shape.filtered:
            raise _Unusual
        includes_deprecated = bool(node.arguments) and self._switch(node.arguments, DEPRECATED)
        argument = print_ast(node.arguments[0]) if node.arguments else ""
        current_only = name in shape.filtered and not includes_deprecated
        selection = fields.setdefault(name, _Selection({} if inner else None, current_only, argument))
        if selection.argument != argument:
            raise _Unusual
        selection.is_included |= is_included
        if inner is not None and node.selection_set is not None and selection.fields is not None:
            self._add(selection.fields, node.selection_set, inner, is_included=is_included)


def _included(fields: Selected) -> Selected:
    """The fields without those that directives leave out."""
    return {
        name: each if each.fields is None else replace(each, fields=_included(each.fields))
        for name, each in fields.items()
        if each.is_included
    }


def _canonical(selected: Selected) -> list[Any]:
    """Equal for documents that select the same fields in any order."""
    return [
        (name, each.current_only, None if each.fields is None else _canonical(each.fields))
        for name, each in sorted(selected.items())
    ]


def _part(whole: dict[str, Any], selected: Selected) -> tuple[dict[str, Any], int]:
    """The selected part of an object, and the number of objects in it, not counting the outermost."""
    part, objects = {}, 0
    for name, selection in selected.items():
        value, fields, current_only = whole[name], selection.fields, selection.current_only
        if fields is None or value is None:
            part[name] = value
        elif isinstance(value, list):
            shown = [each for each in value if not (current_only and each.get("isDeprecated"))]
            parts = [_part(each, fields) for each in shown]
            part[name] = [each for each, _ in parts]
            objects += len(parts) + sum(inner for _, inner in parts)
        else:
            part[name], inner = _part(value, fields)
            objects += 1 + inner
    return part, objects


def _largest_document() -> str:
    return get_introspection_query(
        specified_by_url=True,
        directive_is_repeatable=True,
        schema_description=True,
        input_value_deprecation=True,
        experimental_directive_deprecation=True,
        one_of=True,
        type_depth=TYPE_DEPTH,
    )
