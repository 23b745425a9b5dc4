"""Documents at random for a schema: fragments, aliases, directives and variables included, nearly all of them valid."""

import re
from dataclasses import dataclass, field
from random import Random
from typing import Any

from graphql import (
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLSchema,
    get_named_type,
    is_abstract_type,
    is_composite_type,
    is_input_object_type,
    is_list_type,
    is_non_null_type,
    is_required_argument,
    is_required_input_field,
)

MOST_FIELDS = 7
MOST_SELECTIONS = 60
MOST_SWITCHES = 3
DEEPEST = 6
SCALARS: dict[str, tuple[str, object]] = {
    "Int": ("3", 3),
    "Float": ("1.5", 1.5),
    "Boolean": ("true", True),
    "Money": ('"19.90"', "19.90"),
    "DateTime": ('"2026-05-01T09:30:00Z"', "2026-05-01T09:30:00Z"),
    "Date": ('"2026-05-01"', "2026-05-01"),
    "Decimal": ('"12.5"', "12.5"),
    "Size": ('"M"', "M"),
}
UNFIT: tuple[object, ...] = ("NO_SUCH", -1, None, 2**40, [], True)


@dataclass
class RandomDocument:
    """A document of one operation, being written."""

    schema: GraphQLSchema
    random: Random
    variables: dict[str, Any] = field(default_factory=dict)
    _declared: list[str] = field(default_factory=list)
    _fragments: dict[str, str] = field(default_factory=dict)
    _switches: list[str] = field(default_factory=list)
    _names: int = 0
    _left: int = MOST_SELECTIONS

    def operation(self, kind: str) -> str:
        """The text of a `query` or `mutation`; `variables` are what goes with it."""
        root = self.schema.query_type if kind == "query" else self.schema.mutation_type
        body = " ".join([self.selections(root, 0), *self._fragments.values()])
        declared = [each for each in self._declared if re.search(rf"\{each.partition(':')[0]}\b", body)]
        return f"{kind} Random{'(' if declared else ''}{', '.join(declared)}{')' if declared else ''} {body}"

    def selections(self, kind: Any, depth: int) -> str:
        parts = [self._part(kind, depth) for _ in range(self.random.randint(1, MOST_FIELDS)) if self._left > 0]
        return f"{{ {' '.join(parts) or '__typename'} }}"

    def _part(self, kind: Any, depth: int) -> str:
        self._left -= 1
        turn = self.random.random()
        if turn > 0.95:
            return "__typename"
        if depth < DEEPEST and turn < 0.22:
            return self._spread(kind, depth) if turn < 0.1 else self._inline(kind, kind, depth)
        if is_abstract_type(kind) and turn < 0.7:
            return self._inline(kind, self.random.choice(self.schema.get_possible_types(kind)), depth)
        return self._field(kind, depth)

    def _inline(self, kind: Any, narrowed: Any, depth: int) -> str:
        condition = "" if narrowed is kind and self.random.random() < 0.5 else f" on {narrowed.name}"
        return f"...{condition}{self._directive()} {self.selections(narrowed, depth + 1)}"

    def _spread(self, kind: Any, depth: int) -> str:
        names = [name for name in self._fragments if name.endswith(f"_{kind.name}")]
        if names and self.random.random() < 0.5:
            return f"...{self.random.choice(names)}{self._directive()}"
        self._names += 1
        name = f"F{self._names}_{kind.name}"
        written = self.selections(kind, depth + 1)
        self._fragments[name] = f"fragment {name} on {kind.name} {written}"
        return f"...{name}{self._directive()}"

    def _field(self, kind: Any, depth: int) -> str:
        fields = getattr(kind, "fields", {})
        fit = [
            name for name, each in fields.items() if depth < DEEPEST or not is_composite_type(get_named_type(each.type))
        ]
        if not fit:
            return "__typename"
        with_arguments = [name for name in fit if fields[name].args]
        name = self.random.choice(with_arguments if with_arguments and self.random.random() < 0.3 else fit)
        definition = fields[name]
        arguments = self._arguments(definition.args)
        is_named_anew = bool(arguments) or self.random.random() < 0.15
        self._names += is_named_anew
        alias = f"a{self._names}: " if is_named_anew else ""
        named = get_named_type(definition.type)
        inner = f" {self.selections(named, depth + 1)}" if is_composite_type(named) else ""
        return f"{alias}{name}{arguments}{self._directive()}{inner}"

    def _directive(self) -> str:
        if self.random.random() > 0.15:
            return ""
        name = self.random.choice(("include", "skip"))
        if self.random.random() < 0.4:
            return f" @{name}(if: {self.random.choice(('true', 'false'))})"
        if len(self._switches) < MOST_SWITCHES:
            self._switches.append(self._variable("Boolean!", self.random.random() < 0.6))
        return f" @{name}(if: {self.random.choice(self._switches)})"

    def _arguments(self, arguments: dict[str, GraphQLArgument]) -> str:
        pairs = [
            f"{name}: {self._argument(each)}"
            for name, each in arguments.items()
            if is_required_argument(each) or self.random.random() < 0.6
        ]
        return f"({', '.join(pairs)})" if pairs else ""

    def _argument(self, argument: GraphQLArgument) -> str:
        literal, value = self._value(argument.type)
        if self.random.random() < 0.5:
            return literal
        if self.random.random() < 0.03:
            value = self.random.choice(UNFIT)
        return self._variable(str(argument.type), value)

    def _variable(self, kind: str, value: object) -> str:
        name = f"v{len(self._declared)}"
        self._declared.append(f"${name}: {kind}")
        if kind.endswith("!") or self.random.random() < 0.85:
            self.variables[name] = value
        return f"${name}"

    def _value(self, kind: GraphQLInputType) -> tuple[str, Any]:
        """A literal, and the same as JSON."""
        if is_non_null_type(kind):
            return self._value(kind.of_type)
        if is_list_type(kind):
            literal, value = self._value(kind.of_type)
            return f"[{literal}]", [value]
        if isinstance(kind, GraphQLEnumType):
            name = self.random.choice(list(kind.values))
            return name, name
        if is_input_object_type(kind):
            return self._object(kind)
        return SCALARS.get(str(kind), ('"text"', "text"))

    def _object(self, kind: GraphQLInputObjectType) -> tuple[str, Any]:
        members = {
            name: self._value(each.type)
            for name, each in kind.fields.items()
            if is_required_input_field(each) or kind.is_one_of
        }
        if kind.is_one_of:
            members = dict([next(iter(members.items()))])
        literal = ", ".join(f"{name}: {written}" for name, (written, _) in members.items())
        return f"{{{literal}}}", {name: value for name, (_, value) in members.items()}
