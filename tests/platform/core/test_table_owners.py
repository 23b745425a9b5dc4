"""Domains read their own tables and those of lower domains, in SQL text too, and views of higher domains for them."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.platform.core.db import Base
from server.tables import ALL_MODELS
from tests.sql_texts import newest_texts

ROOT = Path(__file__).resolve().parents[3]
LAYERS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]["layers"]
FLOORS = {
    domain.strip().removeprefix("server."): floor
    for floor, layer in enumerate(reversed(LAYERS))
    for domain in layer.split("|")
}
STATEMENT = re.compile(r"\b(?:SELECT|FROM|JOIN|INSERT INTO|UPDATE|TRUNCATE|LOCK TABLE)\b")
NAMED = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE|TABLE|TRUNCATE|ON|USING|REFERENCES)\s+(?:ONLY\s+)?(\w+)")
LISTED = re.compile(r"\bFROM\s+\w+(?:\s+\w+)?((?:\s*,\s*\w+(?:\s+\w+)?)+)")
QUALIFIED = re.compile(r"(?<![\w.])(\w+)\.\w+")
GIVEN = re.compile(r"-- Given to ([\w, ]+):")


def owners() -> dict[str, str]:
    """The domain of each table, by the module of its model, and of each view, by its file."""
    assert ALL_MODELS
    of_tables = {
        mapper.local_table.description: mapper.class_.__module__.split(".")[1] for mapper in Base.registry.mappers
    }
    of_views = {
        view: _domain(name)
        for name, text in newest_texts().items()
        for view in re.findall(r"CREATE (?:OR REPLACE )?VIEW (\w+)", text)
    }
    return of_tables | of_views


def _domain(file: str) -> str:
    """Of a SQL text; what knows no shop has its texts in `core/`."""
    return file.split("/")[0].replace("core", "platform")


def given() -> set[tuple[str, str]]:
    """Domains, each with a view that a higher one says it gives to it."""
    heads = ((name.split("/")[1], GIVEN.match(text)) for name, text in newest_texts().items())
    return {(domain.strip(), view) for view, head in heads if head for domain in head[1].split(",")}


def tables_in(sql: str) -> set[str]:
    """Every word that stands where SQL has a table; among them are aliases and functions."""
    sql = re.sub(r"--.*", "", sql)
    more = (word.split()[0] for listed in LISTED.findall(sql) for word in listed.split(",") if word.strip())
    return {*NAMED.findall(sql), *QUALIFIED.findall(sql), *more}


def tables_of_module(source: str) -> Iterator[str]:
    """Tables that Python names: in `table("…")`, in SQL text and in fragments of it."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("table"), args=[name, *_]):
                assert isinstance(name, ast.Constant), f"line {node.lineno}: a table is named where it is read"
                yield str(name.value)
            case ast.Call(func=ast.Name("text" | "literal_column"), args=[ast.Constant(str(fragment)), *_]):
                yield from tables_in(fragment)
            case ast.JoinedStr(values=values):
                yield from _in_text(
                    "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in values)
                )
            case ast.Constant(str(said)):
                yield from _in_text(said)


def _in_text(said: str) -> set[str]:
    return tables_in(said) if STATEMENT.search(said) else set()


def read() -> set[tuple[str, str, str]]:
    """Domain, file and table, for every table and view that a domain's files name."""
    domains = owners()
    reads = {(_domain(file), file, name) for file, text in newest_texts().items() for name in tables_in(text)}
    for path in sorted((ROOT / "server").rglob("*.py")):
        domain = path.relative_to(ROOT / "server").parts[0].removesuffix(".py")
        if domain in FLOORS:
            reads |= {(domain, path.relative_to(ROOT).as_posix(), name) for name in tables_of_module(path.read_text())}
    return {(domain, file, name) for domain, file, name in reads if name in domains}


def test_no_domain_reads_a_table_of_a_higher_one() -> None:
    domains = owners()
    above = {
        (domain, file, name)
        for domain, file, name in read()
        if domains[name] != domain and FLOORS[domains[name]] >= FLOORS[domain] and (domain, name) not in given()
    }

    assert above == set(), "the reading belongs in the higher domain, or that one gives a view"


def test_a_view_is_given_to_domains_that_read_it() -> None:
    assert given() <= {(domain, name) for domain, _, name in read()}


def test_foreign_keys_point_downwards() -> None:
    domains = owners()

    for table in Base.metadata.tables.values():
        for key in table.foreign_keys:
            to = domains[key.column.table.name]
            assert to == domains[table.name] or FLOORS[to] < FLOORS[domains[table.name]], (table.name, key)


@pytest.mark.parametrize(
    "source",
    [
        'orders = table("orders", column("id"))',
        'statement = "SELECT id FROM orders"',
        'statement = f"UPDATE orders SET {columns}"',
        'statement = text("SELECT FROM users, orders WHERE users.id = orders.user_id")',
        'found = select(literal_column("orders.id"))',
        'statement = """DELETE FROM users USING orders WHERE true"""',
        'statement = "SELECT count(*) FROM users JOIN ONLY orders ON true"',
    ],
)
def test_a_table_is_found_however_it_is_named(source: str) -> None:
    assert "orders" in set(tables_of_module(source))
