"""Stripe's form encoding (`line_items[0][price_data][currency]=usd`), and shapes that a request must have."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from demo.outside.errors import Invalid
from demo.outside.ledger import Json

Check = Callable[[Any, str], Any]
_KEY = re.compile(r"^([^\[\]]+)((?:\[[^\[\]]*\])*)$")
_PART = re.compile(r"\[([^\[\]]*)\]")


def decode(pairs: Iterable[tuple[str, str]]) -> Json:
    """Nested dicts and lists from bracketed names. Raises Invalid when a name is not well formed."""
    root: Json = {}
    for name, value in pairs:
        match = _KEY.match(name)
        if not match:
            raise Invalid(f"Invalid parameter name: {name}", param=name)
        parts = [match[1], *_PART.findall(match[2])]
        _place(root, parts, value, name)
    return {key: _lists(value) for key, value in root.items()}


def _place(node: Json, parts: list[str], value: str, name: str) -> None:
    *path, last = parts
    for part in path:
        node = node.setdefault(part or str(len(node)), {})
        if not isinstance(node, dict):
            raise Invalid(f"Invalid parameter: {name} is both a value and a group.", param=name)
    node[last or str(len(node))] = value


def _lists(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    if node and all(key.isdigit() for key in node):
        return [_lists(node[key]) for key in sorted(node, key=int)]
    return {key: _lists(value) for key, value in node.items()}


@dataclass(frozen=True)
class Shape:
    """The parameters that a request or a group in it may have. What is given as '' is unset, as at Stripe."""

    fields: Mapping[str, Check]
    required: tuple[str, ...] = ()
    beyond: frozenset[str] = frozenset()
    """Real parameters of Stripe that this stand-in does not speak; refused in words of their own."""

    def __call__(self, value: Any, path: str = "") -> Json:
        """The converted parameters. Raises Invalid for unknown, missing or invalid ones."""
        if not isinstance(value, dict):
            raise Invalid("Invalid object", param=path)
        read: Json = {}
        for name, member in value.items():
            where = f"{path}[{name}]" if path else name
            check = self.fields.get(name)
            if check is None:
                raise _unknown(where, name in self.beyond)
            if member == "" and name in self.required:
                raise Invalid(
                    f"You passed an empty string for '{where}'. It is required.", "parameter_invalid_empty", where
                )
            if member != "":
                read[name] = check(member, where)
        for name in self.required:
            if name not in read:
                where = f"{path}[{name}]" if path else name
                raise Invalid(f"Missing required param: {where}.", "parameter_missing", where)
        return read


def _unknown(where: str, exists: bool) -> Invalid:
    if exists:
        return Invalid(f"The stand-in does not speak the parameter {where}.", "parameter_unknown", where)
    return Invalid(f"Received unknown parameter: {where}", "parameter_unknown", where)


def text(longest: int = 5000) -> Check:
    """Checks a string of limited length."""

    def check(value: Any, path: str) -> str:
        if not isinstance(value, str):
            raise Invalid("Invalid string", param=path)
        if len(value) > longest:
            raise Invalid(f"Invalid string: must be at most {longest} characters", "parameter_invalid_string", path)
        return value

    return check


def whole(least: int | None = None, most: int | None = None) -> Check:
    """Checks an integer within bounds."""

    def check(value: Any, path: str) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"-?\d{1,18}", value):
            raise Invalid(f"Invalid integer: {value}", "parameter_invalid_integer", path)
        number = int(value)
        if least is not None and number < least:
            raise Invalid(f"This value must be greater than or equal to {least}.", "parameter_invalid_integer", path)
        if most is not None and number > most:
            raise Invalid(f"This value must be less than or equal to {most}.", "parameter_invalid_integer", path)
        return number

    return check


def flag(value: Any, path: str) -> bool:
    """Checks a boolean."""
    if value not in ("true", "false"):
        raise Invalid(f"Invalid boolean: {value}", param=path)
    return bool(value == "true")


def one_of(*names: str) -> Check:
    """Checks one of several words."""

    def check(value: Any, path: str) -> str:
        if value not in names:
            raise Invalid(f"Invalid {path}: must be one of {', '.join(names)}", param=path)
        return str(value)

    return check


def many(check: Check, most: int, what: str = "items") -> Check:
    """Checks a list of limited length, item by item."""

    def check_all(value: Any, path: str) -> list[Any]:
        if not isinstance(value, list):
            raise Invalid("Invalid array", param=path)
        if len(value) > most:
            raise Invalid(f"You may only specify up to {most} {what}.", param=path)
        return [check(item, f"{path}[{index}]") for index, item in enumerate(value)]

    return check_all


def metadata(value: Any, path: str) -> dict[str, str]:
    """At most 50 keys of 40 characters with values of 500, all strings."""
    if isinstance(value, list):
        value = {str(index): item for index, item in enumerate(value)}
    if not isinstance(value, dict) or len(value) > 50:
        raise Invalid("Metadata can have up to 50 keys", param=path)
    for key, item in value.items():
        if len(key) > 40:
            raise Invalid(f"Metadata keys can have up to 40 characters: {key}", param=path)
        if not isinstance(item, str) or len(item) > 500:
            raise Invalid("Metadata values can have up to 500 characters", param=f"{path}[{key}]")
    return {key: item for key, item in value.items() if item != ""}


def address(value: Any, path: str) -> str:
    """Checks an http or https URL."""
    url = text(2048)(value, path)
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Invalid("Not a valid URL", "url_invalid", path)
    return str(url)


def currency(value: Any, path: str) -> str:
    """Checks a currency code."""
    lower = str(value).lower()
    if lower not in ("usd", "eur", "gbp", "sek", "nok", "dkk", "cad", "aud", "chf"):
        raise Invalid(f"Invalid currency: {value}.", param=path)
    return lower


def moment(value: Any, path: str) -> Any:
    """A Unix time, or bounds on one: gt, gte, lt, lte."""
    if isinstance(value, dict):
        return Shape({bound: whole(0) for bound in ("gt", "gte", "lt", "lte")})(value, path)
    return whole(0)(value, path)


expansion = many(text(500), 20)
EXPAND: Mapping[str, Check] = {"expand": expansion}
PAGING: Mapping[str, Check] = {
    **EXPAND,
    "limit": whole(1, 100),
    "starting_after": text(255),
    "ending_before": text(255),
    "created": moment,
}
