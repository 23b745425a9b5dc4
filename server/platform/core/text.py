"""Rules for all text from outside, applied before any domain looks at it."""

import re
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError
from sqlalchemy import event
from sqlalchemy.engine import Engine, ExceptionContext

from server.platform.core.errors import InvalidInput, NotFound

UNSTORABLE = "Contains characters that cannot be stored"
_NUL_IN_TEXT = {"22021", "22P05"}
"""PostgreSQL's error codes for NUL in text and in JSON."""
_BLANK_LETTERS = frozenset(" \u115f\u1160\u2800\u3164\uffa0")
"""Characters that Unicode calls printable and that every font leaves empty."""
EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")


def is_storable(text: str) -> bool:
    """Whether PostgreSQL can store the text: it accepts neither NUL nor unpaired surrogates."""
    return not any(char == "\x00" or "\ud800" <= char <= "\udfff" for char in text)


def is_blank(text: str) -> bool:
    """Whether nothing of the text can be seen: it is empty, or all spaces, controls and zero-width characters.

    A text that cannot be stored is another problem.
    """
    return is_storable(text) and all(char in _BLANK_LETTERS or not char.isprintable() for char in text)


def camel_case(name: str) -> str:
    """A name of Python as GraphQL and forms spell it: `priceFrom` of `price_from`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def in_words(name: str) -> str:
    """A name in code as a label: "Two columns" of `two_columns`."""
    return name.replace("_", " ").capitalize()


def text_problem(text: str, longest: int, missing: str | None = None) -> str | None:
    """What is wrong with a text once it is trimmed; None when nothing is. Empty text is allowed without `missing`."""
    words = text.strip()
    if missing and is_blank(words):
        return missing
    if len(words) > longest:
        return f"At most {longest:,} characters"
    return None if is_storable(words) else UNSTORABLE


def trimmed(text: str, field: str, longest: int, missing: str | None = None) -> str:
    """The text without surrounding whitespace. Raises InvalidInput by the rules of `text_problem`."""
    if problem := text_problem(text, longest, missing):
        raise InvalidInput({field: problem})
    return text.strip()


def _storable(value: str) -> str:
    if not is_storable(value):
        raise PydanticCustomError("unstorable", UNSTORABLE)
    return value


Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200), AfterValidator(_storable)]


def is_email(value: str) -> bool:
    """Whether the text matches the specification's simple pattern and mail's maximal length, 254."""
    return len(value) <= 254 and EMAIL.fullmatch(value) is not None


def search_terms(typed: str | None) -> str:
    """A search text, trimmed and without NUL, which no stored text contains."""
    return (typed or "").replace("\x00", "").strip()


def like_literal(text: str) -> str:
    """The text with LIKE's special characters escaped."""
    for special in ("\\", "%", "_"):
        text = text.replace(special, f"\\{special}")
    return text


def parse_id(value: str, what: str = "This") -> UUID:
    """The UUID in a client's id. Raises NotFound for malformed ids too: no object has one."""
    try:
        return UUID(value)
    except ValueError as error:
        raise NotFound(what) from error


def readable_id(value: str) -> UUID | None:
    """The UUID in a client's id; None where there is none."""
    try:
        return UUID(value)
    except ValueError:
        return None


@event.listens_for(Engine, "handle_error")
def _refuse_unstorable(context: ExceptionContext) -> BaseException | None:
    """Turns PostgreSQL's refusal of NUL into InvalidInput, for text that no other rule has caught."""
    if getattr(context.original_exception, "sqlstate", None) in _NUL_IN_TEXT:
        return InvalidInput({"text": UNSTORABLE})
    return None
