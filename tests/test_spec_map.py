"""tests/spec_map.toml names real tests and real words, for every section of the specification."""

import pytest

from tests.mutants import applies, mutants, named_tests
from tests.spec_map import SECTIONS, Row, exists, left_out, places, problems_of, read, repeated

ROWS = read()


def test_no_row_is_there_twice() -> None:
    assert repeated(ROWS) == []


@pytest.mark.parametrize("section", SECTIONS.values())
def test_every_section_has_rows(section: int) -> None:
    assert [row.id for row in ROWS if row.section == section]


def test_every_row_names_tests_that_exist_and_words_that_stand_in_one_place() -> None:
    assert [problem for row in ROWS for problem in problems_of(row)] == []


def test_a_row_that_promises_too_much_is_caught() -> None:
    row = Row(
        id="weather.rain",
        says="It rains.",
        texts=["It is raining cats and dogs"],
        tests=["tests/test_spec_map.py::test_that_is_not_there"],
        unproven="Nobody looked.",
    )

    assert list(problems_of(row)) == [
        "weather.rain: begins with none of screens, entities, states, validation, roles, calls, errors, constants, "
        "guards",
        "weather.rain: needs tests, or the reason why there are none",
        "weather.rain: there is no test tests/test_spec_map.py::test_that_is_not_there",
        "weather.rain: the shop says 'It is raining cats and dogs' nowhere",
    ]


def test_a_word_is_found_as_a_whole_however_it_is_written(tmp_path_factory: pytest.TempPathFactory) -> None:
    here = tmp_path_factory.mktemp("client")
    files = {
        here / "quoted.ts": "const a = 'No orders'; const b = \"Men's Sale\"; const c = 'Men\\'s Sale';",
        here / "element.tsx": "<p>\n  No\n  orders\n</p>",
        here / "longer.ts": "'No orders found'",
    }

    assert [path.name for path in places("No orders", files)] == ["quoted.ts", "element.tsx"]
    assert [path.name for path in places("Men's Sale", files)] == ["quoted.ts", "quoted.ts"]


def test_tests_of_both_languages_are_found_by_name() -> None:
    assert exists("tests/test_spec_map.py::test_no_row_is_there_twice")
    assert exists("client/src/ui/toaster.test.tsx::a message goes by itself after 2000 ms")
    assert not exists("client/src/ui/toaster.test.tsx::a message goes by itself")


def test_what_a_specification_quotes_and_no_row_has_is_told() -> None:
    rows = [Row(id="screens.cart.empty", says="Empty.", texts=["Your cart is empty"])]

    assert left_out("'Your cart is empty' and the shop's 'Men's Sale', 'Men's Sale'", rows) == ["Men's Sale"]


def test_every_section_has_a_mutant() -> None:
    broken = {row.section for row in ROWS for mutant in mutants() if mutant.row == row.id}

    assert broken == set(SECTIONS.values())


def test_every_mutant_changes_one_place_and_has_tests_that_the_map_names() -> None:
    astray = [
        mutant for mutant in mutants() if not applies(mutant) or not set(mutant.tests) <= set(named_tests(mutant, ROWS))
    ]

    assert [(mutant.row, mutant.find) for mutant in astray] == []
    assert [mutant.row for mutant in mutants() if not named_tests(mutant, ROWS)] == []
