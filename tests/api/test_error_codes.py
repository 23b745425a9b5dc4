"""Every code of an error is declared once, and documented."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import StoreError
from server.schema import build
from tests.api.conftest import Shop

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs/graphql.md").read_text()


def errors_below(kind: type[StoreError]) -> Iterator[type[StoreError]]:
    for each in kind.__subclasses__():
        yield each
        yield from errors_below(each)


def test_every_expected_error_has_a_declared_code() -> None:
    build()

    assert len(list(errors_below(StoreError))) > 40
    assert [each.__name__ for each in errors_below(StoreError) if not isinstance(each.code, ErrorCode)] == []


def test_no_code_is_written_as_text() -> None:
    """GraphQL errors that a module makes by itself take theirs from the list too."""
    written = [
        f"{path.relative_to(ROOT)}:{value.lineno}"
        for path in (ROOT / "server").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "code" and isinstance(value, ast.Constant)
        if isinstance(value.value, str) and value.value.isupper()
    ]

    assert written == []


def test_the_document_lists_every_code_with_its_meaning() -> None:
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (.+) \|$", DOCUMENT, re.M))

    assert rows == {code.value: code.meaning for code in ErrorCode}


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"sec-fetch-site": "cross-site"}, 403, ErrorCode.FORBIDDEN),
        ({"content-type": "text/plain"}, 400, ErrorCode.BAD_USER_INPUT),
        ({"host": "evil.test"}, 421, ErrorCode.MISDIRECTED_REQUEST),
        ({"content-length": "9000000"}, 413, ErrorCode.TOO_LARGE),
    ],
)
async def test_what_middleware_refuses_is_an_error_of_graphql_too(
    shop: Shop, headers: dict[str, str], status: int, code: ErrorCode
) -> None:
    refused = await shop.clients["visitor"].post("/graphql", content=b"{}", headers=headers)

    assert refused.status_code == status
    [error] = refused.json()["errors"]
    assert error["message"]
    assert error["extensions"]["code"] == code
