"""tests/spec_map.toml names real tests and real words, for every section of the specification."""

import pytest

from tests.mutants import applies, mutants, named_tests
from tests.spec_map import (
    SECTIONS,
    Row,
    left_out,
    marked_functions,
    marked_titles,
    places,
    problems_of,
    read,
    unknown_ids,
)

ROWS = read()


@pytest.mark.parametrize("section", SECTIONS.values())
def test_every_section_has_rows(section: int) -> None:
    assert [row.id for row in ROWS if row.section == section]


def test_every_row_has_tests_and_words_that_stand_in_one_place() -> None:
    assert [problem for row in ROWS for problem in problems_of(row)] == []


def test_every_mark_and_text_is_that_of_a_row() -> None:
    assert unknown_ids() == set()


def test_a_row_that_promises_too_much_is_caught() -> None:
    row = Row(
        id="weather.rain",
        says="It rains.",
        texts=["It is raining cats and dogs"],
    )

    assert list(problems_of(row)) == [
        "weather.rain: begins with none of screens, entities, states, validation, roles, calls, errors, constants, "
        "guards",
        "weather.rain: needs tests, or the reason why there are none",
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


def test_marks_are_read_in_both_languages() -> None:
    functions = '@pytest.mark.slow\n@pytest.mark.spec("a.b", "c.d")\nasync def test_one(x: int) -> None: ...\n'
    titles = "  // spec: a.b, c.d\n  it.each([['x', 1]])(\n    'one isn\\'t %s', () => {});\ntest('other', () => {});\n"

    assert list(marked_functions(functions)) == [("test_one", ["a.b", "c.d"])]
    assert list(marked_titles(titles)) == [("one isn't %s", ["a.b", "c.d"])]


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
