"""POST /graphql as a client meets it: encodings, refusals, limits, masks."""

import gzip
import json
from typing import Any

import pytest
from graphql import GraphQLObjectType

from server.platform.core.cursors import FOREIGN_CURSOR, encode_cursor
from server.platform.gql import document_cache
from server.schema import build
from tests.api.conftest import Shop

PRODUCTS = json.dumps(
    {"query": "{ products { nodes { name } } " + "".join(f"a{n}: shop {{ name currency }} " for n in range(30)) + "}"}
)


async def ask(shop: Shop, query: str, role: str = "visitor") -> dict[str, Any]:
    answer: dict[str, Any] = (await shop.clients[role].post("/graphql", content=json.dumps({"query": query}))).json()
    return answer


async def test_a_long_answer_is_compressed_for_who_takes_it(shop: Shop) -> None:
    long = json.dumps({"query": "{ __schema { types { name description fields { name description } } } }"})
    client = shop.clients["visitor"]

    plain = await client.post("/graphql", content=long, headers={"accept-encoding": "identity"})
    async with client.stream("POST", "/graphql", content=long, headers={"accept-encoding": "gzip"}) as packed:
        raw = b"".join([chunk async for chunk in packed.aiter_raw()])

    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(raw) == plain.content
    assert len(raw) * 3 < len(plain.content)


async def test_a_cached_answer_is_the_same_compressed_or_not(shop: Shop) -> None:
    client = shop.clients["visitor"]

    answers = [await client.post("/graphql", content=PRODUCTS, headers={"accept-encoding": each}) for each in ENCODINGS]

    assert len({answer.content for answer in answers}) == 1
    assert answers[0].json()["data"]["products"]["nodes"][0]["name"] == "Oxford Shirt"


ENCODINGS = ("identity", "gzip", "gzip", "identity")


async def test_a_query_that_asks_for_too_much_is_told_its_price(shop: Shop) -> None:
    answer = await ask(shop, "{ products(first: 100) { nodes { related(first: 100) { related { name } } } } }")

    [error] = answer["errors"]
    assert error["extensions"]["code"] == "TOO_COSTLY"
    assert error["extensions"]["cost"] > error["extensions"]["limit"] == 5_000


async def test_what_is_no_graphql_is_refused_in_words(shop: Shop) -> None:
    for body in ("[]", "{}", '{"query": 7}', '{"query": "{ shop { name } }", "variables": 3}', "{"):
        refused = await shop.clients["visitor"].post("/graphql", content=body)

        assert refused.status_code == 400
        [error] = refused.json()["errors"]
        assert error["message"]
        assert error["extensions"]["code"] == "BAD_USER_INPUT"


async def test_another_sites_page_can_change_nothing(shop: Shop) -> None:
    before = await shop.snapshot()
    document = json.dumps(
        {"query": f'mutation {{ addToCart(variantId: "{shop.people.variants[1]}") {{ __typename }} }}'}
    )
    foreign = (
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none", "origin": "https://evil.example"},
    )

    for headers in foreign:
        refused = await shop.clients["shopper"].post("/graphql", content=document, headers=headers)
        assert refused.status_code == 403
    form = await shop.clients["shopper"].post("/graphql", content=document, headers={"content-type": "text/plain"})
    assert form.status_code == 400

    assert await shop.snapshot() == before


async def test_a_document_is_validated_once_however_often_it_is_asked(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The signed-in, because visitors' answers about the catalogue are kept whole.
    document = "query OnlyHere { viewer { id email } }"
    seen: list[str] = []
    for name in ("parse", "validate"):
        work = getattr(document_cache, name)

        def noted(*given: Any, _name: str = name, _work: Any = work, **named: Any) -> Any:
            seen.append(_name)
            return _work(*given, **named)

        monkeypatch.setattr(document_cache, name, noted)

    answers = [await ask(shop, document, "shopper") for _ in range(5)]

    assert len({json.dumps(answer) for answer in answers}) == 1
    assert seen == ["parse", "validate"]


async def test_no_list_goes_on_from_a_cursor_of_another(shop: Shop) -> None:
    taking = {
        f"{kind.name}.{name}"
        for kind in build()._schema.type_map.values()
        if isinstance(kind, GraphQLObjectType)
        for name, field in kind.fields.items()
        if "after" in field.args
    }
    assert taking == set(PAGED)

    for document in PAGED.values():
        answer = await ask(shop, document.replace("BEHIND", f'after: "{encode_cursor("of", "none")}"'), "primary")

        [error] = answer["errors"]
        assert error["message"] == FOREIGN_CURSOR
        assert error["extensions"]["code"] == "BAD_USER_INPUT"


PAGED = {
    "Query.products": "{ products(BEHIND) { totalCount } }",
    "SearchResult.products": '{ search(query: "shirt") { products(BEHIND) { totalCount } } }',
    "Viewer.orders": "{ viewer { orders(BEHIND) { totalCount } } }",
    "User.orders": "{ admin { users(first: 1) { nodes { orders(BEHIND) { totalCount } } } } }",
    "Analytics.report": "{ admin { analytics { report(range: { preset: TODAY }, BEHIND) { rowCount } } } }",
    "ReportRow.behind": "{ admin { analytics { report(range: { preset: TODAY }) "
    "{ totals { behind(BEHIND) { totalCount } } } } } }",
    **{
        f"Admin.{name}": f"{{ admin {{ {name}(BEHIND) {{ totalCount }} }} }}"
        for name in (
            *(
                "auditLog",
                "discountCodes",
                "failedJobs",
                "imports",
                "orders",
                "pages",
                "paymentTroubles",
                "products",
                "users",
            ),
            *("reservations", "stock", "stockMovements", "stockReservations"),
        )
    },
}
"""Each list that is read page by page, asked to go on behind a cursor."""
