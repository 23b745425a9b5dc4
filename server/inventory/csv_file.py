"""Products, variants and stock as a CSV table with one row for each variant: writing and reading.

Written for spreadsheets: UTF-8 with byte-order mark, commas, CRLF, quotes where needed. A cell that a spreadsheet would
take for a formula begins with an apostrophe, which reading removes. Reading also accepts semicolons or tabs, decimal
commas, grouped thousands, a dollar sign, columns in any order, and LF. Each cell is checked here; `import_plan`
compares the rows with the shop.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from server.catalog import colors, fields
from server.catalog.categories import Categories
from server.catalog.drafts import MOMENT_FORM, MOST_STOCK, SKU_LENGTH, skus_problem, window_problem
from server.catalog.fields import NAME_LENGTH
from server.catalog.measurements import LONGEST, MICROMETERS, MOST_DECIMALS, POINTS, SHORTEST, length_of
from server.platform.core import days, money
from server.platform.core.rules import NumberRule, TextRule
from server.platform.core.text import text_problem

MOST_ROWS = 20_000
MOST_BYTES = 20_000_000
LONGEST_CELL = 20_000

MEASUREMENTS = {f"{point}_{unit}": (point, unit) for unit in MICROMETERS for point in POINTS}
"""Columns of the finished garment's lengths, in either unit; one for all colors of a size."""

TEXT_COLUMNS = {each.csv_column: each for each in fields.TEXTS if each.csv_column}
PRODUCT_COLUMNS = {
    **{column: text.name for column, text in TEXT_COLUMNS.items()},
    "category": "category",
    **{each.csv_column: each.name for each in fields.FACTS if each.csv_column and each.csv_column not in TEXT_COLUMNS},
}
"""Columns with one value for all rows of a product, and the members of `ProductFacts` that they are."""

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_PICTURE = re.compile(r"(?:.*/images/)?([0-9a-fA-F-]{36})(?:/[^\s]*)?")


@dataclass(frozen=True)
class CsvProblem:
    """What is wrong in one cell. `row` is the spreadsheet's, with the header as 1; `line` is the text file's."""

    row: int
    line: int
    column: str
    cell: str
    value: str
    message: str

    @property
    def place(self) -> tuple[int, int, str]:
        """Sorts problems in the order of the file: by row, then by column."""
        return self.row, len(self.cell), self.cell


@dataclass(frozen=True)
class CsvRow:
    """One variant's cells, converted to our types; empty optional cells are None.

    Contains only columns that the file has.
    """

    number: int
    line: int
    texts: Mapping[str, str]
    values: Mapping[str, Any]


@dataclass(frozen=True)
class CsvFile:
    """A whole file. `columns` are in its order; `row_count` includes rows that have problems, not the header."""

    columns: Sequence[str]
    rows: Sequence[CsvRow]
    row_count: int

    def problem(self, row: CsvRow, column: str, message: str) -> CsvProblem:
        """A problem in a row's column, with the cell's spreadsheet name ("C7") and text."""
        place = self.columns.index(column) if column in self.columns else 0
        text = row.texts.get(column, "")[:200]
        return CsvProblem(row.number, row.line, column, f"{letters(place)}{row.number}", text, message)


class _CellError(ValueError):
    """A cell that breaks a rule; the text is for the author of the file."""


def _text(rule: TextRule) -> Callable[[str], str]:
    def read(text: str) -> str:
        if problem := rule.problem(text):
            raise _CellError(problem)
        return text

    return read


def _amount(rule: NumberRule) -> Callable[[str], int | None]:
    def read(text: str) -> int | None:
        cents = _cents(text)
        if (text and cents is None) or rule.problem(cents):
            raise _CellError(rule.message)
        return cents

    return read


_AMOUNT = re.compile(r"(?=.*[0-9])([0-9]{1,3}(?:,[0-9]{3})+|[0-9]*)(?:[.,]([0-9]{1,2}))?\.?")


def _cents(text: str) -> int | None:
    """As the product form reads an amount: a comma before three digits groups, before one or two it is the point."""
    match = _AMOUNT.fullmatch("".join(text.split()).removeprefix("$"))
    if match is None or len(match[1]) > 12:
        return None
    try:
        return money.cents(f"0{match[1].replace(',', '')}.{match[2] or '0'}")
    except ValueError:
        return None


def _moment(text: str) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise _CellError(MOMENT_FORM) from error


def _in_utc(value: Any, zone: ZoneInfo) -> Any:
    """A moment in UTC; without an offset it is of this zone's clock. Any other value as it is."""
    if not isinstance(value, datetime):
        return value
    try:
        moment = value.astimezone(UTC) if value.tzinfo else days.moment_of(value, zone)
    except OverflowError as error:
        raise _CellError(MOMENT_FORM) from error
    if problem := window_problem(moment, None):
        raise _CellError(problem)
    return moment


def _whole(rule: NumberRule) -> Callable[[str], int]:
    def read(text: str) -> int:
        plain = text.removesuffix(".0").removesuffix(",0")
        if not (plain.isascii() and plain.isdigit() and len(plain) <= 9) or rule.problem(int(plain)):
            raise _CellError(rule.message)
        return int(plain)

    return read


def _optional_whole(rule: NumberRule) -> Callable[[str], int | None]:
    read = _whole(rule)
    return lambda text: read(text) if text else None


def _sku(text: str) -> str:
    if problem := _SKU.problem(text) or skus_problem([text]):
        raise _CellError(problem)
    return text


def _category(text: str) -> str:
    category = text.lower()
    if not category:
        raise _CellError("Product category is required")
    return category


def _among(categories: Categories, column: str, value: Any) -> Any:
    """The value as it is, a size as the shop writes it, unless the shop has no such category or size."""
    if column == "category" and value not in categories.by_key:
        raise _CellError(f"Category is one of: {', '.join(categories.by_key)}")
    if column != "size":
        return value
    if size := categories.size_choices.named(value):
        return size
    raise _CellError(f"Sizes are {', '.join(categories.size_choices.names)}")


def _hex(text: str) -> str | None:
    normal = colors.normal_hex(text) if text else None
    if text and normal is None:
        raise _CellError("A color is written like #2f4e7d")
    return normal


def _size(text: str) -> str:
    return " ".join(text.split())


def _pictures(text: str) -> tuple[UUID, ...]:
    image_ids = []
    for word in text.split():
        match = _PICTURE.fullmatch(word)
        try:
            image_ids.append(UUID(match[1] if match else ""))
        except ValueError as error:
            raise _CellError(f"{word[:100]} is no picture of this shop: give its address here, or its id") from error
    if len(set(image_ids)) < len(image_ids):
        raise _CellError("A picture is named twice")
    return tuple(image_ids)


def _length(unit: str, range_: str) -> Callable[[str], int | None]:
    def read(text: str) -> int | None:
        plain = text.replace(",", ".")
        if not plain:
            return None
        if re.fullmatch(rf"[0-9]{{1,3}}(\.[0-9]{{1,{MOST_DECIMALS}}})?", plain):
            micrometers = length_of(plain, unit)
            if SHORTEST <= micrometers <= LONGEST:
                return micrometers
        raise _CellError(f"A measurement is a number of {range_}")

    return read


_SKU = TextRule(SKU_LENGTH, missing="Every row needs its SKU")
_LENGTHS = {"cm": _length("cm", "centimeters from 1 to 300"), "in": _length("in", "inches from 0.4 to 118.1")}
_PIECES = NumberRule(0, MOST_STOCK, f"Pieces are a whole number from 0 to {MOST_STOCK:,}")
_FACTS: dict[str, Callable[[str], Any]] = {
    **{column: _text(text.rule) for column, text in TEXT_COLUMNS.items() if isinstance(text.rule, TextRule)},
    "category": _category,
    "price": _amount(fields.PRICE),
    "discounted_price": _amount(fields.DISCOUNTED_PRICE),
    "discount_starts": _moment,
    "discount_ends": _moment,
    "weight_grams": _optional_whole(fields.WEIGHT),
}
READERS: dict[str, Callable[[str], Any]] = {
    "sku": _sku,
    "product": _text(TextRule(NAME_LENGTH)),
    **{column: _FACTS[column] for column in PRODUCT_COLUMNS},
    "images": _pictures,
    "color": _text(TextRule(NAME_LENGTH, missing="A variant needs its color")),
    "color_hex": _hex,
    "color_images": _pictures,
    "size": _size,
    "stock": _whole(_PIECES),
    "exported_stock": _optional_whole(_PIECES),
    **{column: _LENGTHS[unit] for column, (_, unit) in MEASUREMENTS.items()},
}


def columns_in(unit: str) -> tuple[str, ...]:
    """The columns of an export, in its order; measurements in this unit."""
    return tuple(column for column in READERS if MEASUREMENTS.get(column, ("", unit))[1] == unit)


COLUMNS = columns_in("cm")
"""In the order of an export."""


def written(rows: Iterable[Sequence[str]], *, begins: bool = True) -> Iterator[bytes]:
    """Rows as a file, or as its continuation, in chunks."""
    if begins:
        yield b"\xef\xbb\xbf"
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    for row in rows:
        writer.writerow([_guarded(text) for text in row])
        if buffer.tell() > 64_000:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def shown(cell: str) -> str:
    """The part of a cell that a problem quotes, without NUL, which PostgreSQL could not store."""
    return cell[:200].replace("\x00", "\ufffd")


def read(content: bytes, zone: ZoneInfo, categories: Categories) -> tuple[CsvFile, list[CsvProblem]]:
    """The file and all problems in its cells. Rows with a problem are left out of the file's rows.

    Moments without an offset are of this zone's clock; `categories` are those there are.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        problem = CsvProblem(line, line, "", f"A{line}", "", 'Is not UTF-8; save it as "CSV UTF-8"')
        as_read, _ = read(content.decode(errors="replace").encode(), zone, categories)
        return CsvFile((), (), as_read.row_count), [problem]
    if text.startswith("sep="):
        text = text.partition("\n")[2]
    lines = _Lines(text)
    reader = csv.reader(lines, delimiter=_delimiter(text), strict=True)
    rows: list[CsvRow] = []
    problems: list[CsvProblem] = []
    columns: list[str] = []
    number = row_count = 0
    is_table = True
    try:
        for number, cells in enumerate(reader, 1):
            line = lines.begun
            lines.begun = reader.line_num + 1
            if number == 1:
                columns, problems = _header(cells)
                is_table = not problems
            elif any(cell.strip() for cell in cells):
                row_count += 1
                if row_count > MOST_ROWS:
                    problems.append(
                        CsvProblem(number, line, "", f"A{number}", "", f"At most {MOST_ROWS:,} rows at once")
                    )
                    break
                if not is_table:
                    continue
                row, broken = _row(columns, number, line, cells, zone, categories)
                problems += broken
                if row:
                    rows.append(row)
    except csv.Error as error:
        problems.append(CsvProblem(number + 1, lines.begun, "", f"A{number + 1}", "", f"Cannot be read: {error}"))
    if not columns and not problems:
        problems.append(CsvProblem(1, 1, "", "A1", "", "The file is empty"))
    return CsvFile(columns, rows, row_count), problems


def letters(place: int) -> str:
    """A spreadsheet's name of a column: A, B, … Z, AA."""
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


class _Lines:
    """The text's lines for `csv`; `begun` is the line where the current row began."""

    def __init__(self, text: str) -> None:
        self._lines = io.StringIO(text, newline="")
        self.begun = 1

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)


def _delimiter(text: str) -> str:
    header = text.partition("\n")[0]
    return max(",;\t", key=header.count)


_COLUMNS_ARE = f"Columns are: {', '.join(COLUMNS)}; inches end in _in"
_NO_COLUMN = f"There is no such column. {_COLUMNS_ARE}"
_NO_COLUMNS = f"There are no such columns. {_COLUMNS_ARE}"


def _header(cells: Sequence[str]) -> tuple[list[str], list[CsvProblem]]:
    columns = ["_".join(re.sub(r"[()]", " ", cell).lower().split()) for cell in cells]
    while columns and not columns[-1]:
        columns.pop()
    problems = []
    unknown = [place for place, column in enumerate(columns) if column not in READERS]
    if unknown:
        names, place = ", ".join(shown(cells[place]).strip() or "(empty)" for place in unknown), unknown[0]
        message = _NO_COLUMN if len(unknown) == 1 else _NO_COLUMNS
        problems.append(CsvProblem(1, 1, shown(columns[place]), f"{letters(place)}1", shown(names), message))
    for place, column in enumerate(columns):
        message = ""
        if column in READERS and column in columns[:place]:
            message = "This column is there twice"
        elif any(_is_same_point(column, other) for other in columns[:place]):
            message = "Give this measurement in centimeters or in inches, not in both"
        if message:
            problems.append(CsvProblem(1, 1, shown(column), f"{letters(place)}1", shown(cells[place]), message))
    if "sku" not in columns:
        problems.append(CsvProblem(1, 1, "sku", "A1", "", "A column `sku` says which variant a row is about"))
    return columns, sorted(problems, key=lambda problem: problem.place)


def _is_same_point(column: str, other: str) -> bool:
    return column in MEASUREMENTS and other in MEASUREMENTS and MEASUREMENTS[column][0] == MEASUREMENTS[other][0]


def _row(
    columns: Sequence[str], number: int, line: int, cells: Sequence[str], zone: ZoneInfo, categories: Categories
) -> tuple[CsvRow | None, list[CsvProblem]]:
    problems = []
    texts: dict[str, str] = {}
    values: dict[str, Any] = {}
    for place, column in enumerate(columns):
        text = _plain(cells[place] if place < len(cells) else "")
        texts[column] = text
        try:
            if problem := text_problem(text, LONGEST_CELL):
                raise _CellError(problem)
            values[column] = _among(categories, column, _in_utc(READERS[column](text), zone))
        except _CellError as wrong:
            place_name = f"{letters(place)}{number}"
            problems.append(CsvProblem(number, line, column, place_name, shown(text), str(wrong)))
    for place in range(len(columns), len(cells)):
        if cells[place].strip():
            message = "This cell has no column in the first row"
            problems.append(CsvProblem(number, line, "", f"{letters(place)}{number}", shown(cells[place]), message))
    return (None if problems else CsvRow(number, line, texts, values)), problems


def _guarded(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text


def _plain(cell: str) -> str:
    """The cell without the apostrophe, surrounding whitespace and a spreadsheet's line ends."""
    text = cell.replace("\r\n", "\n").strip()
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
