"""What a mail to an unconfirmed address repeats of typed text.

A visitor who enters another person's address could otherwise send that person any text through the shop. One rule
for every mail: greetings go without a name, and typed text is without anything that a mail program makes a link of.
"""

import re
import unicodedata
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from server.mail.messages import Origin

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Data = TypeVar("Data", bound="DataclassInstance")

LEFT_OUT = "…"
_LINK = re.compile(
    r"""
    :/ | // | \\\\ | www\. | @ | xn--                # a scheme, a path without one, a host, an address
    | \b(?:mailto|tel|sms|javascript|data):
    | [^\W_][\w-]*(?:\.[\w-]+)*\.[^\W\d_]{2,}       # a domain: labels between dots, the last one of letters
    | \d{1,3}(?:\.\d{1,3}){3}                      # an IPv4 address
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DOTS = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61\u2024\ufe52", "."))


def without_links(text: str) -> str:
    """The text with an ellipsis in place of each word that could become a link; everything else stays as it was."""
    return " ".join(LEFT_OUT if _LINK.search(_as_read(word)) else word for word in text.split(" "))


def for_unconfirmed(data: Data) -> Data:
    """A message, or a part of one, as an unconfirmed address gets it."""
    origins = _origins(type(data))
    cleaned = {field.name: _cleaned(getattr(data, field.name), origins[field.name]) for field in fields(data)}
    return replace(data, **cleaned)


def _cleaned(value: Any, origin: Origin) -> Any:
    if isinstance(value, tuple):
        return tuple(_cleaned(each, origin) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return for_unconfirmed(value)
    if not isinstance(value, str) or origin is Origin.SHOP:
        return value
    return "" if origin is Origin.GREETING else without_links(value)


def _as_read(word: str) -> str:
    """As a mail program reads it: compatible characters as one, dots of other scripts as dots, nothing invisible."""
    shown = "".join(char for char in unicodedata.normalize("NFKC", word.translate(_DOTS)) if char.isprintable())
    return shown.translate(_DOTS)


@lru_cache(64)
def _origins(kind: type) -> dict[str, Origin]:
    """Who wrote the text of each field; a person, where its type does not say."""
    return {name: _origin(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}


def _origin(hint: Any) -> Origin:
    for part in get_args(hint):
        if isinstance(part, Origin):
            return part
        if (inner := _origin(part)) is not Origin.PERSON:
            return inner
    return Origin.PERSON
