"""Rules of what is entered of departments, categories and size systems."""

import re
from collections.abc import Mapping, Sequence

from server.catalog.category_models import WORDS
from server.platform.core.errors import InvalidInput
from server.platform.core.rules import TextRule

LONGEST_KEY, LONGEST_NAME = 30, 60
NAME = TextRule(LONGEST_NAME, missing="A name is required")


def words_problem(words: str) -> str | None:
    """What is wrong with a key or slug; None when nothing is."""
    if re.fullmatch(WORDS, words) and len(words) <= LONGEST_KEY:
        return None
    return f"Small letters and digits, joined by hyphens, at most {LONGEST_KEY}"


def key_problem(key: str, taken: Sequence[str]) -> str | None:
    """What is wrong with a new key; None when nothing is."""
    if problem := words_problem(key):
        return problem
    return f"{key} is there already" if key in taken else None


def refuse(problems: Mapping[str, str | None]) -> None:
    """Raises InvalidInput with the problems, if there are any."""
    messages = {name: message for name, message in problems.items() if message}
    if messages:
        raise InvalidInput(messages)
