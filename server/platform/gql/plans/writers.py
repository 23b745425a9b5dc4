"""Generates functions that write an object's selection, without walking the selection for each object.

There is a writer for a selection of attributes and plain resolvers, down to its leaves. It refuses whatever is
unusual: an error, a null where none may be, a value that must be awaited, an object of an unknown class. The caller
then executes the object field by field, which is how errors come about.

No text of a document becomes code: names and values are constants in the namespace of the generated function.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from types import CoroutineType, GeneratorType, NoneType
from typing import Any, NamedTuple, TypeAlias

from graphql import (
    FieldNode,
    GraphQLAbstractType,
    GraphQLBoolean,
    GraphQLEnumType,
    GraphQLError,
    GraphQLField,
    GraphQLFloat,
    GraphQLID,
    GraphQLInt,
    GraphQLLeafType,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    GraphQLString,
    VariableNode,
    get_argument_values,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
    is_object_type,
)
from graphql.execution.collect_fields import FieldDetailsList, GroupedFieldSet
from graphql.execution.values import VariableValues
from graphql.pyutils import UndefinedType
from graphql.type import GRAPHQL_MAX_INT, GRAPHQL_MIN_INT

from server.platform.core.byte_cache import ByteLimitedCache
from server.platform.gql.descriptions import described, described_object
from server.platform.gql.execution import FIELD_BYTES
from server.platform.gql.plans.plain_fields import (
    PLAIN,
    arguments_in_python,
    attribute,
    plain_resolver,
)

Arguments = Mapping[int, dict[str, Any]]
Writer: TypeAlias = Callable[[Any, list[int], Arguments], dict[str, Any]]
"""Takes the object, the bytes left for the response (which it counts down), and the arguments given by variables."""
Collect = Callable[[GraphQLObjectType, FieldDetailsList], GroupedFieldSet]

TYPE_NAME = "__typename"
WRITER_BYTES, LINE_BYTES = 1_500, 150
"""Estimated bytes of a writer, and of each line of its source."""
MEMO_KEY = "memo_key"
"""A class of which objects never change names with this attribute the one that they are made of; it has an `id`."""
NEVER_WRITTEN = (Exception, CoroutineType, GeneratorType, NoneType, UndefinedType)


SERIALIZED = ByteLimitedCache[tuple[object, object], "_Written"]("written objects", 12_000_000)
"""What writers have made of objects that never change, by writer and id."""
WRITTEN_BYTES = 3
"""Bytes of memory for each byte of a response; 2.2 to 2.8 were measured."""


class _Written(NamedTuple):
    """What became of an object, and how many bytes of the response it is."""

    source: object
    value: dict[str, Any]
    bytes: int


class NeedsFullExecution(Exception):
    """Raised for a value that a writer cannot serialize; graphql-core then executes the operation."""


class NotPlain(Exception):
    """A selection for which there is no writer."""


class Classes(set[type]):
    """The Python classes whose objects are known to be written as one type of the schema."""

    def __init__(self, kind: GraphQLObjectType) -> None:
        super().__init__()
        self._only = origin_of(kind) if kind.is_type_of else None

    def learn(self, value: object) -> None:
        """Adds the class of a value. Raises NeedsFullExecution for one that needs ordinary execution."""
        cls = type(value)
        if issubclass(cls, NEVER_WRITTEN) or hasattr(cls, "__await__") or (self._only and cls is not self._only):
            raise NeedsFullExecution
        self.add(cls)


class Writers:
    """The writers of one document, each generated on first use."""

    def __init__(self, schema: GraphQLSchema) -> None:
        self.size = 0
        """Estimated bytes of all of them."""
        self.by_variables: list[tuple[GraphQLField, FieldNode]] = []
        """Fields whose arguments contain variables; their places are the keys of `Arguments`."""
        self.take_variables = set[Writer]()
        """Writers that look into `Arguments`, or have another one do so."""
        self._schema = schema
        self._known: dict[tuple[GraphQLObjectType, int], Writer | None] = {}
        self._classes: dict[GraphQLObjectType, Classes] = {}

    def writer(self, kind: GraphQLObjectType, details: FieldDetailsList, collect: Collect) -> Writer | None:
        """The writer of a selection; None when it is not plain. `details` must live as long as this object."""
        key = (kind, id(details))
        if key not in self._known:
            try:
                self._known[key] = self._generated(kind, details, collect)
            except (NotPlain, GraphQLError):
                self._known[key] = None
        return self._known[key]

    def known(self, kind: GraphQLObjectType, details: FieldDetailsList) -> Writer | None:
        """A writer that was generated before."""
        return self._known.get((kind, id(details)))

    def arguments(self, place: int, variables: VariableValues, *, hide_suggestions: bool) -> dict[str, Any]:
        """The arguments of one field that depend on variables. Raises GraphQLError for those that do not fit."""
        definition, node = self.by_variables[place]
        values = get_argument_values(definition, node, variables, None, hide_suggestions)
        return arguments_in_python(definition, values)

    def classes(self, kind: GraphQLObjectType) -> Classes:
        """The classes of a type's objects."""
        if kind not in self._classes:
            if kind.is_type_of and origin_of(kind) is None:
                raise NotPlain
            self._classes[kind] = Classes(kind)
        return self._classes[kind]

    def dispatch(self, kind: GraphQLAbstractType, details: FieldDetailsList, collect: Collect) -> dict[type, Writer]:
        """Writers by the class of the object, of the possible types that have one."""
        possible = [(origin_of(each), each) for each in self._schema.get_possible_types(kind)]
        origins = [origin for origin, _ in possible]
        writers = {
            origin: writer
            for origin, each in possible
            if origin and origins.count(origin) == 1 and (writer := self.writer(each, details, collect))
        }
        if not writers:
            raise NotPlain
        return writers

    def _generated(self, kind: GraphQLObjectType, details: FieldDetailsList, collect: Collect) -> Writer:
        source = _Source(self, kind, collect)
        fields = [source.field(self._schema, name, each) for name, each in collect(kind, details).items()]
        source.end(fields)
        self.size += WRITER_BYTES + LINE_BYTES * len(source.lines)
        write = source.function()
        if source.takes_variables:
            self.take_variables.add(write)
        elif name := getattr(origin_of(kind), MEMO_KEY, None):
            return _written_once(write, attrgetter(name))
        return write


class GivenArguments(dict[int, dict[str, Any]]):
    """The arguments of one execution that contain variables, each read when it is first needed."""

    def __init__(self, writers: Writers, variables: VariableValues, *, hide_suggestions: bool) -> None:
        super().__init__()
        self._writers, self._variables, self._hides = writers, variables, hide_suggestions

    def __missing__(self, place: int) -> dict[str, Any]:
        self[place] = arguments = self._writers.arguments(place, self._variables, hide_suggestions=self._hides)
        return arguments


class _Source:
    """The source of one writer: `s` is the object, `n` the bytes left, `a` the arguments, `b` the bytes of this one."""

    def __init__(self, writers: Writers, kind: GraphQLObjectType, collect: Collect) -> None:
        self._writers = writers
        self._kind = kind
        self._collect = collect
        classes = writers.classes(kind)
        self._namespace: dict[str, Any] = {
            "u": NeedsFullExecution,
            "k": classes,
            "learn": classes.learn,
            "awaited": CoroutineType,
        }
        self._bytes = 0
        self._values = 0
        self.takes_variables = False
        self.lines = ["if type(s) not in k: learn(s)", "b = 0"]

    def field(self, schema: GraphQLSchema, name: str, details: FieldDetailsList) -> str:
        """Adds the code of a field; returns its item of the dictionary. Raises NotPlain."""
        node = details[0].node
        self._bytes += FIELD_BYTES + len(name)
        key = self._constant(name)
        if node.name.value == TYPE_NAME:
            self._bytes += len(self._kind.name)
            return f"{key}: {self._constant(self._kind.name)}"
        definition = schema.get_field(self._kind, node.name.value)
        if definition is None or described(definition) is None or details[0].fragment_variable_values:
            raise NotPlain
        value = self._variable()
        self.lines.append(f"{value} = {self._resolved(definition, node)}")
        if not attribute(definition):
            # Ordinary execution calls the method again.
            self.lines.append(f"if type({value}) is awaited: {value}.close(); raise u")
        self._complete(definition.type, details, value, "")
        return f"{key}: {value}"

    def end(self, fields: list[str]) -> None:
        """Adds the count of bytes and the result."""
        self.lines += [f"n[0] -= b + {self._bytes}", "if n[0] < 0: raise u", f"return {{{', '.join(fields)}}}"]

    def function(self) -> Writer:
        """The function that this source defines."""
        body = "".join(f"\n    {line}" for line in self.lines)
        exec(compile(f"def write(s, n, a):{body}", "<writer>", "exec"), self._namespace)  # noqa: S102
        write: Writer = self._namespace.pop("write")
        return write

    def _constant(self, value: object) -> str:
        name = f"c{len(self._namespace)}"
        self._namespace[name] = value
        return name

    def _variable(self) -> str:
        self._values += 1
        return f"v{self._values}"

    def _resolved(self, definition: GraphQLField, node: FieldNode) -> str:
        resolve = plain_resolver(definition)
        if resolve is None:
            raise NotPlain
        if name := attribute(definition):
            return f"s.{name}"
        function = self._constant(resolve)
        if any(isinstance(each.value, VariableNode) for each in node.arguments or ()):
            self.takes_variables = True
            self._writers.by_variables.append((definition, node))
            return f"{function}(s, **a[{len(self._writers.by_variables) - 1}])"
        try:
            values = get_argument_values(definition, node)
        except GraphQLError as error:
            raise NotPlain from error
        constants = arguments_in_python(definition, values).items()
        return f"{function}({', '.join(['s', *(f'{name}={self._constant(value)}' for name, value in constants)])})"

    def _complete(self, kind: GraphQLOutputType, details: FieldDetailsList, value: str, indent: str) -> None:
        """Adds code that replaces a variable's value by what stands in the response."""
        if is_non_null_type(kind):
            self._complete_present(kind.of_type, details, value, indent)
        else:
            self.lines.append(f"{indent}if {value} is not None:")
            self._complete_present(kind, details, value, f"{indent}    ")

    def _complete_present(self, kind: GraphQLOutputType, details: FieldDetailsList, value: str, indent: str) -> None:
        if is_leaf_type(kind):
            self.lines += [f"{indent}{line}" for line in self._leaf(kind, value)]
        elif is_list_type(kind):
            self._complete_list(kind.of_type, details, value, indent)
        else:
            self.lines += [f"{indent}{line}" for line in self._object(kind, details, value)]

    def _object(self, kind: Any, details: FieldDetailsList, value: str) -> list[str]:
        if is_object_type(kind):
            writer = self._writers.writer(kind, details, self._collect)
            if writer is None:
                raise NotPlain
            self.takes_variables |= writer in self._writers.take_variables
            return [f"{value} = {self._constant(writer)}({value}, n, a)"]
        writers = self._writers.dispatch(kind, details, self._collect)
        self.takes_variables |= not self._writers.take_variables.isdisjoint(writers.values())
        by_class = self._constant(writers)
        return [
            f"if type({value}) not in {by_class}: raise u",
            f"{value} = {by_class}[type({value})]({value}, n, a)",
        ]

    def _complete_list(self, kind: GraphQLOutputType, details: FieldDetailsList, value: str, indent: str) -> None:
        items, item = self._variable(), self._variable()
        self.lines += [
            f"{indent}if type({value}) is not list and type({value}) is not tuple: raise u",
            f"{indent}{items} = []",
            f"{indent}for {item} in {value}:",
        ]
        self._complete(kind, details, item, f"{indent}    ")
        self.lines += [f"{indent}    {items}.append({item})", f"{indent}{value} = {items}"]

    def _leaf(self, kind: GraphQLLeafType, value: str) -> list[str]:
        if kind in (GraphQLString, GraphQLID):
            return [f"if type({value}) is not str: raise u", f"b += len({value})"]
        if kind is GraphQLBoolean:
            return [f"if type({value}) is not bool: raise u", f"b += {FIELD_BYTES}"]
        if kind is GraphQLInt:
            fits = f"{GRAPHQL_MIN_INT} <= {value} <= {GRAPHQL_MAX_INT}"
            return [f"if type({value}) is not int or not {fits}: raise u", f"b += {FIELD_BYTES}"]
        if kind is GraphQLFloat:
            is_finite = f"{value} - {value} == 0"
            return [f"if type({value}) is not float or not {is_finite}: raise u", f"b += {FIELD_BYTES}"]
        if isinstance(kind, GraphQLEnumType):
            names = self._constant(_names_by_id(kind))
            return [
                f"if id({value}) not in {names}: raise u",
                f"{value} = {names}[id({value})]",
                f"b += len({value})",
            ]
        written, plain = self._constant(kind.coerce_output_value), self._constant(PLAIN)
        return [
            f"if type({value}) not in {plain}: raise u",
            f"{value} = {written}({value})",
            f"if type({value}) is not str: raise u",
            f"b += len({value})",
        ]


def _written_once(write: Writer, source_of: Callable[[Any], Any]) -> Writer:
    """A writer that caches what it has written. An object is identified by its source, a row that never changes."""
    this = object()

    def written(value: Any, left: list[int], arguments: Arguments) -> dict[str, Any]:
        source = source_of(value)
        entry = SERIALIZED.get((this, source.id))
        if entry is None or entry.source is not source or left[0] < entry.bytes:
            before = left[0]
            entry = _Written(source, write(value, left, arguments), before - left[0])
            SERIALIZED.put((this, source.id), entry, WRITTEN_BYTES * entry.bytes)
            return entry.value
        left[0] -= entry.bytes
        return entry.value

    return written


def _names_by_id(kind: GraphQLEnumType) -> dict[int, str]:
    """The names of an enum's members by their identity: they live as long as the process, and hashing one is slow."""
    members = getattr(kind, "wrapped_cls", None)
    if members is None:
        raise NotPlain
    return {id(member): kind.coerce_output_value(member) for member in members}


def origin_of(kind: GraphQLObjectType) -> type | None:
    """The class whose instances are of this type and no other; None where that cannot be derived."""
    definition = described_object(kind)
    if definition is None or definition.is_type_of or definition.concrete_of or definition.name != kind.name:
        return None
    return definition.origin
