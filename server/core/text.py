"""Rules that any text from outside obeys before a domain looks at it."""

import re
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError
from sqlalchemy import event
from sqlalchemy.engine import Engine, ExceptionContext

from server.core.errors import InvalidInput, NotFound

UNSTORABLE = "Contains characters that cannot be stored"
_NUL_IN_TEXT = {"22021", "22P05"}
"""What PostgreSQL calls it, in a text and in JSON."""
EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")


def is_storable(text: str) -> bool:
    """PostgreSQL takes neither NUL nor half of a surrogate pair."""
    return not any(char == "\x00" or "\ud800" <= char <= "\udfff" for char in text)


def text_problem(text: str, longest: int, missing: str | None = None) -> str | None:
    """What is wrong with a text, once trimmed; None for nothing. It may be empty where no words are given for that."""
    words = text.strip()
    if missing and not words:
        return missing
    if len(words) > longest:
        return f"At most {longest:,} characters"
    return None if is_storable(words) else UNSTORABLE


def trimmed(text: str, field: str, longest: int, missing: str | None = None) -> str:
    """The text without blanks around it. Raises InvalidInput, by the rules of `text_problem`."""
    if problem := text_problem(text, longest, missing):
        raise InvalidInput({field: problem})
    return text.strip()


def _storable(value: str) -> str:
    if not is_storable(value):
        raise PydanticCustomError("unstorable", UNSTORABLE)
    return value


Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200), AfterValidator(_storable)]


def is_email(value: str) -> bool:
    """The specification's simple pattern, with the length that mail allows."""
    return len(value) <= 254 and EMAIL.fullmatch(value) is not None


def search_terms(typed: str | None) -> str:
    """What somebody types to find something, trimmed and without NUL, which nothing has in it."""
    return (typed or "").replace("\x00", "").strip()


def like_literal(text: str) -> str:
    """Text that LIKE takes for itself."""
    for special in ("\\", "%", "_"):
        text = text.replace(special, f"\\{special}")
    return text


def parse_id(value: str, what: str = "This") -> UUID:
    """Raises NotFound: a made-up id is the id of nothing."""
    try:
        return UUID(value)
    except ValueError as error:
        raise NotFound(what) from error


@event.listens_for(Engine, "handle_error")
def _refuse_unstorable(context: ExceptionContext) -> BaseException | None:
    """No text in PostgreSQL has a NUL: whoever sent one that no rule caught is told so, whatever it was meant for."""
    if getattr(context.original_exception, "sqlstate", None) in _NUL_IN_TEXT:
        return InvalidInput({"text": UNSTORABLE})
    return None
