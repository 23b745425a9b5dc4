"""What a document asks for is known before it runs, through fragments and whatever its shape."""

import pytest

from server.platform.gql.documents import UNKNOWN, asked_fields

TWO = "query A { shop { name } } query B { admin { users { totalCount } } }"
SPREAD = "{ ...F } fragment F on Query { admin { ...G } } fragment G on Admin { analytics { totalUsers } }"


@pytest.mark.parametrize(
    ("query", "operation", "under", "expected"),
    [
        ("{ shop { name } admin { users { totalCount } } }", None, None, {"shop", "admin"}),
        ("{ shop { name } admin { users { totalCount } } }", None, "admin", {"users"}),
        (
            "{ a: admin { b: analytics { totalUsers } } admin { __typename } }",
            None,
            "admin",
            {"analytics", "__typename"},
        ),
        ("{ ... on Query { admin { ... { analytics { totalUsers } } } } }", None, "admin", {"analytics"}),
        (SPREAD, None, "admin", {"analytics"}),
        ("{ analytics { totalUsers } shop { analytics } }", None, "admin", set()),
        ("{ admin }", None, "admin", set()),
        ("{ ...Gone admin { ...Gone } }", None, None, {"admin", UNKNOWN}),
        ("{ admin { ...Gone } }", None, "admin", {UNKNOWN}),
        ("{ ...Loop } fragment Loop on Query { ...Loop shop { name } }", None, None, {"shop"}),
        (TWO, "B", "admin", {"users"}),
        (TWO, None, None, set()),
        (TWO, "C", None, set()),
        ("mutation { signOut { ok } }", None, None, set()),
        ("subscription { cart { id } }", None, None, set()),
        ("{ admin { ", None, "admin", set()),
        ("fragment F on Query { shop { name } }", None, None, set()),
    ],
)
def test_fields_are_found_by_name(query: str, operation: str | None, under: str | None, expected: set[str]) -> None:
    assert asked_fields(query, operation, under) == expected
