"""Countries by the names and codes that people write, and the states of their addresses."""

import time

import pycountry
import pytest

from server.platform.core import countries

UNINHABITED = {"AQ", "BV", "GS", "HM", "IO", "TF", "UM"}
"""Codes of ISO 3166 to which no post goes."""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Germany", "DE"),
        ("deutschland", "DE"),
        ("  DE ", "DE"),
        ("Osterreich", "AT"),
        ("Österreich", "AT"),
        ("U.S.A.", "US"),
        ("UK", "GB"),
        ("england", "GB"),
        ("Côte d'Ivoire", "CI"),
        ("Polska", "PL"),
        ("Grmany", None),
        ("", None),
    ],
)
def test_a_country_is_known_as_people_write_it(words: str, code: str | None) -> None:
    assert countries.code_of(words) == code


def test_words_that_are_no_name_cost_nothing() -> None:
    """Accents by turns are sorted in time that grows with the square of their number: seconds, for one request."""
    accents = "\u0315\u0300" * 30_000

    began = time.process_time()
    codes = {words: countries.code_of(words) or countries.state_of("US", words) for words in ("a" + accents, accents)}

    assert set(codes.values()) == {None}
    assert time.process_time() - began < 0.5
    assert [countries.code_of("Germany" + "." * many) for many in (93, 94)] == ["DE", None]


def test_every_country_is_known_by_its_own_name_and_code() -> None:
    names = countries.names()

    assert {code: countries.code_of(name) for code, name in names.items()} == {code: code for code in names}
    assert {code: countries.code_of(code) for code in names} == {code: code for code in names}


def test_countries_are_those_of_iso_3166_with_all_names_and_codes() -> None:
    standard = {each.alpha_2: each for each in pycountry.countries if each.alpha_2 not in UNINHABITED}
    written = {
        code: {
            each.alpha_3,
            each.name,
            getattr(each, "common_name", each.name),
            getattr(each, "official_name", each.name),
        }
        for code, each in standard.items()
    }

    assert set(countries.names()) == set(standard)
    for code, words in written.items():
        assert {each: countries.code_of(each) for each in words} == dict.fromkeys(words, code)


def test_the_states_of_the_united_states_are_those_of_iso_3166() -> None:
    states = countries.states_of("US")
    standard = {each.code[3:] for each in pycountry.subdivisions if each.country_code == "US"}

    assert (states.label, states.is_required) == ("State", True)
    assert standard - {"UM"} <= {each.code for each in states.choices}


@pytest.mark.parametrize(
    ("country", "words", "code"),
    [
        ("US", "ca", "CA"),
        ("US", "California", "CA"),
        ("CA", "Québec", "QC"),
        ("JP", "Hokkaido", "北海道"),
        ("US", "Bavaria", None),
        ("SE", "Skåne", None),
        ("ZZ", "CA", None),
        ("../..", "CA", None),
    ],
)
def test_a_state_is_known_by_its_code_and_name(country: str, words: str, code: str | None) -> None:
    assert countries.state_of(country, words) == code


def test_a_state_is_written_in_english_letters() -> None:
    assert [countries.state_words("US", "CA"), countries.state_words("JP", "北海道")] == ["CA", "Hokkaido"]
