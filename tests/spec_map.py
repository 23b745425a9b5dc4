"""`python -m tests.spec_map specification.txt`: what the specification quotes and tests/spec_map.toml leaves out."""

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MAP = ROOT / "tests" / "spec_map.toml"
CLIENT = ROOT / "client" / "src"
SECTIONS = {
    "screens": 2,
    "entities": 3,
    "states": 4,
    "validation": 5,
    "roles": 6,
    "calls": 7,
    "errors": 8,
    "constants": 9,
    "guards": 10,
}
"""The first word of an id, and the section of the specification that it stands for; guards are the shop's own rules."""
_QUOTED = re.compile(r"(?<![A-Za-z])'((?:[^'\n]|(?<=[A-Za-z])'(?=[A-Za-z]))+?)'(?![A-Za-z])")
_MARK = re.compile(r"^ *// spec: (.+)$", re.M)
_TITLE = re.compile(r"\(\s*('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`)\s*,", re.S)


@dataclass(frozen=True)
class Row:
    """One row, rule or message of the specification, in words of our own."""

    id: str
    says: str
    texts: list[str] = field(default_factory=list)
    """Literal texts, to the letter."""
    tests: list[str] = field(default_factory=list)
    """`tests/file.py::test_name`, or `client/src/file.test.tsx::title`."""
    unproven: str = ""
    """Why there is no test; empty where there is one."""

    @property
    def section(self) -> int | None:
        return SECTIONS.get(self.id.split(".")[0])


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(MAP.read_text())


def unknown_ids() -> set[str]:
    """Of marks, texts and reasons that no row has."""
    table = _tables()
    return {*marked_tests(), *table["texts"], *table["unproven"]} - table["rules"].keys()


def read() -> list[Row]:
    """Every row of the map, with the tests that are marked with it."""
    table, tests = _tables(), marked_tests()
    return [
        Row(id, says, table["texts"].get(id, []), tests.get(id, []), table["unproven"].get(id, ""))
        for id, says in table["rules"].items()
    ]


@cache
def marked_tests() -> dict[str, list[str]]:
    """Tests by the rows that they are marked with, in both languages."""
    marks = defaultdict(list)
    for path in sorted([*(ROOT / "tests").rglob("test_*.py"), *CLIENT.rglob("*.test.ts*")]):
        marked = marked_functions if path.suffix == ".py" else marked_titles
        for name, ids in marked(path.read_text()):
            for id in ids:
                marks[id].append(f"{_name(path)}::{name}")
    return marks


def marked_functions(source: str) -> Iterator[tuple[str, list[str]]]:
    if "mark.spec(" not in source:
        return
    functions = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    for function in functions:
        for mark in function.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.spec":
                yield function.name, [ast.literal_eval(each) for each in mark.args]


def marked_titles(source: str) -> Iterator[tuple[str, list[str]]]:
    """A comment `// spec: some.row, another.row` stands above its test."""
    for mark in _MARK.finditer(source):
        if title := _TITLE.search(source, mark.end()):
            yield re.sub(r"\\(.)", r"\1", title[1][1:-1]), mark[1].split(", ")


@cache
def client_files() -> dict[Path, str]:
    """What shoppers and admins get, in a shop that has kept its name: no tests, no generated code."""
    apart = ("test", "graphiql")
    return {
        path: path.read_text().replace("${shopName()}", "Minimal")
        for path in sorted(CLIENT.rglob("*.ts*"))
        if not re.search(r"\.(test|generated)\.tsx?$", path.name)
        and path.name != "fixtures.ts"
        and path.relative_to(CLIENT).parts[0] not in apart
    }


@cache
def server_files() -> dict[Path, str]:
    """Migrations included, which plant what a fresh shop has."""
    folders = (ROOT / "server", ROOT / "alembic" / "versions")
    return {path: path.read_text() for folder in folders for path in sorted(folder.rglob("*.py"))}


def places(text: str, files: dict[Path, str]) -> list[Path]:
    """Where a literal stands as a whole: between quotes, or alone in an element. A file for each time."""
    words = r"\s+".join(map(re.escape, text.replace("'", "\N{NULL}").split()))
    words = words.replace("\N{NULL}", r"(?:\\?'|'')")
    whole = re.compile(rf"(?:(['\"`]){words}\1|>\s*{words}\s*<)")
    return [path for path, source in files.items() for _ in whole.finditer(source)]


def is_message(text: str) -> bool:
    """Whether a literal has to stand once. A single word, as Men or Cancel, may label several things."""
    return " " in text


def problems_of(row: Row) -> Iterator[str]:
    """What is wrong with a row by itself."""
    if row.section is None:
        yield f"{row.id}: begins with none of {', '.join(SECTIONS)}"
    if bool(row.tests) == bool(row.unproven):
        yield f"{row.id}: needs tests, or the reason why there are none"
    for text in row.texts:
        yield from _problems_of_text(row, text)


def _problems_of_text(row: Row, text: str) -> Iterator[str]:
    client = places(text, client_files())
    if not client and not places(text, server_files()):
        yield f"{row.id}: the shop says {text!r} nowhere"
    if not is_message(text):
        return
    if len(client) > 1:
        yield f"{row.id}: {text!r} stands {len(client)} times: {', '.join(map(_name, client))}"
    for path in client:
        if not path.stem.endswith(("texts", "topics")):
            yield f"{row.id}: {text!r} belongs into a module of texts, not into {_name(path)}"


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def left_out(specification: str, rows: list[Row]) -> list[str]:
    """Every text in single quotes that no row has, in the specification's order."""
    known = {text for row in rows for text in row.texts}
    return list(dict.fromkeys(text for text in _QUOTED.findall(specification) if text not in known))


def main() -> int:
    missing = left_out(Path(sys.argv[1]).read_text(), read())
    sys.stdout.write("".join(f"{text}\n" for text in missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
