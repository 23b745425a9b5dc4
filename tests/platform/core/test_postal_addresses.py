"""The lines of an address are those of its country."""

import pytest

from server.platform.core import countries
from server.platform.core.postal_addresses import lines_of

PARTS = {"name": "Ann Lee", "address1": "1 High St", "address2": "Flat 2"}


@pytest.mark.parametrize(
    ("country", "city", "state", "postal_code", "place"),
    [
        ("US", "San Francisco", "CA", "94103", ["San Francisco, CA 94103", "United States"]),
        ("GB", "London", "", "SW1Y 4LE", ["London", "SW1Y 4LE", "United Kingdom"]),
        ("DE", "Berlin", "", "10115", ["10115 Berlin", "Germany"]),
        ("IT", "Milano", "MI", "20121", ["20121 Milano MI", "Italy"]),
        ("BR", "São Paulo", "SP", "01304-001", ["São Paulo-SP", "01304-001", "Brazil"]),
        ("IE", "Dublin", "Co. Dublin", "D02 X285", ["Dublin", "Co. Dublin", "D02 X285", "Ireland"]),
        ("JP", "Shibuya-ku", "東京都", "150-0001", ["Shibuya-ku, Tokyo", "150-0001", "Japan"]),
        ("KR", "서초구", "서울특별시", "06646", ["서초구", "Seoul", "06646", "South Korea"]),
        ("AE", "Al Ain", "Abu Zabi", "", ["Al Ain", "Abu Zabi", "United Arab Emirates"]),
    ],
)
def test_address_is_written_as_its_country_writes_it(
    country: str, city: str, state: str, postal_code: str, place: list[str]
) -> None:
    address = {**PARTS, "country_code": country, "city": city, "state": state, "postal_code": postal_code}

    assert lines_of(address) == ("Ann Lee", "1 High St", "Flat 2", *place)


def test_lines_follow_the_order_of_the_country() -> None:
    hungary = {**PARTS, "country_code": "HU", "city": "Budapest", "postal_code": "1052"}
    kazakhstan = {**PARTS, "country_code": "KZ", "city": "Almaty", "postal_code": "050000"}

    assert lines_of(hungary) == ("Ann Lee", "Budapest", "1 High St", "Flat 2", "1052", "Hungary")
    assert lines_of(kazakhstan) == ("050000", "Almaty", "1 High St", "Flat 2", "Ann Lee", "Kazakhstan")


@pytest.mark.parametrize(
    ("country", "missing", "lines"),
    [
        ("US", {"state": ""}, ["San Francisco 94103"]),
        ("US", {"postal_code": ""}, ["San Francisco, CA"]),
        ("US", {"city": "", "state": ""}, ["94103"]),
        ("SE", {"city": "Stockholm", "postal_code": ""}, ["Stockholm"]),
        ("SE", {"city": "Stockholm", "postal_code": "118 21"}, ["SE-118 21 Stockholm"]),
        ("SE", {"city": "Stockholm", "postal_code": "se-118 21"}, ["se-118 21 Stockholm"]),
        ("SG", {"city": "singapore", "state": "", "postal_code": "238823"}, ["SINGAPORE 238823"]),
        ("GG", {"city": "St Peter Port", "postal_code": "GY1 1AA"}, ["St Peter Port", "GY1 1AA"]),
    ],
)
def test_empty_part_leaves_neither_gap_nor_separator(country: str, missing: dict[str, str], lines: list[str]) -> None:
    address = {"city": "San Francisco", "state": "CA" * (country == "US"), "postal_code": "94103", **missing}

    assert list(lines_of({"country_code": country, **address})) == [*lines, countries.name_of(country)]


@pytest.mark.parametrize("code", ["", "ZZ"])
def test_an_address_without_a_country_code_keeps_its_words(code: str) -> None:
    address = {**PARTS, "city": "Königsberg", "postal_code": "4", "country": "Prussia", "country_code": code}

    assert lines_of(address) == ("Ann Lee", "1 High St", "Flat 2", "4 Königsberg", "Prussia")
    assert lines_of({**address, "country": "Ungarn"})[-1] == "Ungarn"


def test_country_in_words_names_the_format_and_stays_as_typed() -> None:
    address = {**PARTS, "city": "Budapest", "postal_code": "1052", "country": "Magyarország"}

    assert lines_of(address) == ("Ann Lee", "Budapest", "1 High St", "Flat 2", "1052", "Magyarország")


def test_no_country_loses_a_part_or_changes_what_was_typed(subtests: pytest.Subtests) -> None:
    for code, country in countries.names().items():
        for state in ["", *[each.code for each in countries.states_of(code).choices]]:
            with subtests.test(country, state=state):
                address = {**PARTS, "country_code": code, "city": "Ümlaut von der Stadt", "postal_code": "z9Z 9z"}

                lines = lines_of({**address, "state": state})

                text = "\n".join(lines)
                parts = [*PARTS.values(), "Ümlaut von der Stadt", "z9Z 9z", countries.state_words(code, state)]
                assert [part for part in parts if part not in text] == []
                assert lines[-1] == country
                assert all(line == line.strip(" ,-") and "  " not in line for line in lines)
