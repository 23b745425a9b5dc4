"""Writing and reading the CSV file, cell by cell."""

from datetime import UTC, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.catalog.drafts import MOMENT_FORM
from server.catalog.measurements import LONGEST, MICROMETERS, SHORTEST, length_text
from server.inventory import csv_file
from server.platform.core.text import UNSTORABLE, is_blank
from tests.catalog.specified import CATEGORIES
from tests.inventory.files import file_of, rows_of

IMAGE = "01a1fea8-354a-71bc-a7f5-3f3a4babf5b0"


BERLIN = ZoneInfo("Europe/Berlin")


def read_one(**cells: str) -> object:
    """The value of the only cell beside the SKU, or its problem's message."""
    [(given_column, _)] = cells.items()
    column = given_column.replace("(", "").replace(")", "").replace(" ", "_").lower()
    table, problems = csv_file.read(file_of([{"sku": "A-1", **cells}]), BERLIN, CATEGORIES)
    return problems[0].message if problems else table.rows[0].values[column]


@pytest.mark.parametrize(
    ("column", "text", "expected"),
    [
        ("price", "89.90", 8_990),
        ("price", "$89.9", 8_990),
        ("price", "89,90", 8_990),
        ("price", "89", 8_900),
        ("price", "0", "Invalid price value"),
        ("price", "", "Invalid price value"),
        ("price", "-1", "Invalid price value"),
        ("price", "1.234", "Invalid price value"),
        ("price", "1e3", "Invalid price value"),
        ("price", "1,250.00", 125_000),
        ("price", "$234,567.5", 23_456_750),
        ("price", "1,250", 125_000),
        ("price", ".5", 50),
        ("price", "1,25.00", "Invalid price value"),
        ("price", "1.250,00", "Invalid price value"),
        ("price", "٣١", "Invalid price value"),
        ("price", "1,000,000.00", "Invalid price value"),
        ("discounted_price", "", None),
        ("discounted_price", "67.5", 6_750),
        ("discounted_price", "free", "Invalid discounted price value"),
        ("stock", "12", 12),
        ("stock", "12.0", 12),
        ("stock", "0", 0),
        ("stock", "-1", "Pieces are a whole number from 0 to 1,000,000"),
        ("stock", "1.5", "Pieces are a whole number from 0 to 1,000,000"),
        ("stock", "", "Pieces are a whole number from 0 to 1,000,000"),
        ("exported_stock", "", None),
        ("weight_grams", "", None),
        ("weight_grams", "350", 350),
        ("weight_grams", "light", "Grams are a whole number from 0 to 100,000"),
        ("category", "Men_Shirts", "men_shirts"),
        ("category", "", "Product category is required"),
        ("size", "xl", "XL"),
        ("size", "50", "Sizes are XS, S, M, L, XL, XXL"),
        ("color_hex", "#ABCDEF", "#abcdef"),
        ("color_hex", "blue", "A color is written like #2f4e7d"),
        ("name", "", "Product name is required"),
        ("name", "x" * 201, "At most 200 characters"),
        ("name", "a\x00b", UNSTORABLE),
        ("name", "\u200b", "Product name is required"),
        ("name", "\u200b \ufeff\u3164", "Product name is required"),
        ("name", "Caf\u00e9 \U0001f9e5", "Caf\u00e9 \U0001f9e5"),
        ("color", "\u2060", "A variant needs its color"),
        ("discount_starts", "2026-11-27T08:00:00Z", datetime(2026, 11, 27, 8, tzinfo=UTC)),
        ("discount_starts", "2026-11-27T08:00:00-05:00", datetime(2026, 11, 27, 13, tzinfo=UTC)),
        ("discount_starts", "2026-11-27 08:00", datetime(2026, 11, 27, 7, tzinfo=UTC)),
        ("discount_starts", "2026-07-01", datetime(2026, 6, 30, 22, tzinfo=UTC)),
        ("discount_starts", "0001-01-01", MOMENT_FORM),
        ("discount_starts", "1999-12-31T23:59:59Z", MOMENT_FORM),
        ("discount_starts", "2000-01-01T00:00:00Z", datetime(2000, 1, 1, tzinfo=UTC)),
        ("discount_ends", "9000-12-31T23:59:59Z", datetime(9000, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("discount_ends", "9001-01-01T00:00:00Z", MOMENT_FORM),
        ("discount_ends", "9999-12-31T23:59:59Z", MOMENT_FORM),
        ("discount_ends", "9999-12-31T23:00:00-14:00", MOMENT_FORM),
        ("discount_starts", "Friday", MOMENT_FORM),
        ("images", f"https://shop.test/images/{IMAGE}/900.webp front.jpg", None),
        ("images", f"/images/{IMAGE}/900.webp", (UUID(IMAGE),)),
        ("images", f"{IMAGE} {IMAGE}", "A picture is named twice"),
        ("images", "", ()),
        ("Front Rise (cm)", "26,5", 265_000),
        ("waist_in", "31.125", 790_575),
        ("waist_in", "33.00004", 838_201),
        ("waist_cm", "", None),
        ("waist_cm", "300.1", "A measurement is a number of centimeters from 1 to 300"),
        ("waist_cm", "31 in", "A measurement is a number of centimeters from 1 to 300"),
        ("waist_in", "0.39", "A measurement is a number of inches from 0.4 to 118.1"),
        ("waist_in", "31 1/8", "A measurement is a number of inches from 0.4 to 118.1"),
        ("waist_in", "٣١", "A measurement is a number of inches from 0.4 to 118.1"),
    ],
)
def test_a_cell_is_read_or_refused_with_words(column: str, text: str, expected: object) -> None:
    read = read_one(**{column: text})

    if column == "images" and expected is None:
        assert isinstance(read, str)
        assert read.endswith("is no picture of this shop: give its address here, or its id")
    else:
        assert read == expected


@given(st.integers(SHORTEST, LONGEST), st.sampled_from(sorted(MICROMETERS)))
def test_any_length_is_written_so_that_it_is_read_as_the_same_micrometers(micrometers: int, unit: str) -> None:
    assert read_one(**{f"waist_{unit}": length_text(micrometers, unit)}) == micrometers


def test_every_problem_is_told_with_row_line_column_and_cell() -> None:
    content = b'sku,description,price,stock\r\nA-1,"two\r\nlines",9.90,1\r\nA-2,one,nine,-4\r\n,one,9.90,1\r\n'

    table, problems = csv_file.read(content, BERLIN, CATEGORIES)

    assert [(each.row, each.line, each.column, each.cell, each.value) for each in problems] == [
        (3, 4, "price", "C3", "nine"),
        (3, 4, "stock", "D3", "-4"),
        (4, 5, "sku", "A4", ""),
    ]
    assert [row.values["description"] for row in table.rows] == ["two\nlines"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "The file is empty"),
        (b"name\nOxford\n", "A column `sku` says which variant a row is about"),
        (b"sku,prise\nA-1,9\n", "There is no such column. Columns are: sku, product, name"),
        (b"sku,prise,colour\nA-1,9,red\n", "There are no such columns. Columns are: sku, product, name"),
        (b"sku,price,Price\nA-1,9,9\n", "This column is there twice"),
        (
            b"sku,waist_cm,Waist (in)\nA-1,79,31\n",
            "Give this measurement in centimeters or in inches, not in both",
        ),
        (b"sku,price\nA-1,9,10\n", "This cell has no column in the first row"),
        ("sku,name\nA-1,Café\n".encode("latin-1"), 'Is not UTF-8; save it as "CSV UTF-8"'),
        (b'sku,name\nA-1,"open\n', "Cannot be read: unexpected end of data"),
        (b"sku\n" + b"A\n" * 20_001, "At most 20,000 rows at once"),
    ],
)
def test_a_file_that_is_no_such_table_says_what_it_is(content: bytes, message: str) -> None:
    _, problems = csv_file.read(content, BERLIN, CATEGORIES)

    assert problems[-1].message.startswith(message)


def test_unknown_columns_are_one_problem() -> None:
    _, problems = csv_file.read(b"sku,Prise,price,Colour\nA-1,9,9,red\n", BERLIN, CATEGORIES)

    assert [(each.cell, each.value) for each in problems] == [("B1", "Prise, Colour")]


@pytest.mark.parametrize(
    "content",
    [
        b"sku,price\n" + b"A,x\n" * 6,
        b"sku,prise\n" + b"A,9\n" * 6,
        b"sku,price\n" + b"A,9\n" * 5 + b"A,\xe9\n",
    ],
)
def test_rows_of_a_refused_file_are_counted(content: bytes) -> None:
    table, problems = csv_file.read(content, BERLIN, CATEGORIES)

    assert problems
    assert table.row_count == 6


def test_a_sku_is_made_of_printable_characters() -> None:
    _, problems = csv_file.read("sku,price\nA\u200b1,9\n".encode(), BERLIN, CATEGORIES)

    assert [each.message for each in problems] == ["A SKU is made of printable characters"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_columns_may_come_in_any_order_with_any_usual_delimiter(delimiter: str, end: str) -> None:
    header, row = delimiter.join(["Stock", "SKU", "discounted price", ""]), delimiter.join(["3", "A-1", "9", ""])

    table, problems = csv_file.read(f"{header}{end}{row}{end}{end}".encode("utf-8-sig"), BERLIN, CATEGORIES)

    assert problems == []
    assert [row.values for row in table.rows] == [{"stock": 3, "sku": "A-1", "discounted_price": 900}]


def test_a_written_file_opens_right_in_a_spreadsheet() -> None:
    content = b"".join(csv_file.written([["sku", "name"], ["A-1", 'Café, "blue"'], ["A-2", "=1+1"], ["A-3", "@x\ny"]]))

    assert content.startswith(b"\xef\xbb\xbfsku,name\r\n")
    assert 'A-1,"Café, ""blue"""\r\n'.encode() in content
    assert b"A-2,'=1+1\r\n" in content
    assert [row["name"] for row in rows_of(content)] == ['Café, "blue"', "'=1+1", "'@x\ny"]


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), min_size=1, max_size=40)
        .map(str.strip)
        .filter(lambda name: not is_blank(name)),
        min_size=1,
        max_size=5,
    )
)
def test_any_text_comes_back_as_it_was_and_none_is_a_formula(names: list[str]) -> None:
    content = b"".join(csv_file.written([["sku", "name"], *([f"A-{at}", name] for at, name in enumerate(names))]))

    table, problems = csv_file.read(content, BERLIN, CATEGORIES)

    assert problems == []
    assert [row.values["name"] for row in table.rows] == names
    assert not any(row["name"].startswith(("=", "+", "-", "@", "\t")) for row in rows_of(content))


def test_a_nul_is_shown_as_something_that_can_be_kept() -> None:
    _, problems = csv_file.read(b"sku,name\x00\nA-1,a\x00b\n", BERLIN, CATEGORIES)

    assert problems
    assert not any("\x00" in problem.column + problem.value for problem in problems)
