"""Introspection: the usual documents are answered from what is prepared, and every other one has its price."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    GraphQLSchema,
    OperationDefinitionNode,
    build_client_schema,
    execute_sync,
    get_introspection_query,
    parse,
    print_schema,
)

from server.platform.gql.cost import LIMIT
from server.platform.gql.document_cache import DocumentCache
from server.platform.gql.introspection import PreparedIntrospection, usual_selection
from server.platform.gql.introspection_cost import IntrospectionPrice
from server.schema import build
from tests.api.conftest import Shop
from tests.calls import counted_calls

CLIENT = Path(__file__).parents[3] / "client"
USUAL = get_introspection_query()
EVERY_FIELD = "fields(includeDeprecated: true)"
ROVER = """
query GraphIntrospectQuery { __schema { queryType { name } mutationType { name } subscriptionType { name }
  types { ...FullType } directives { name description locations args { ...InputValue } } } }
fragment FullType on __Type { kind name description
  fields(includeDeprecated: true) { name description args { ...InputValue } type { ...TypeRef }
    isDeprecated deprecationReason }
  inputFields { ...InputValue } interfaces { ...TypeRef }
  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
  possibleTypes { ...TypeRef } }
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
  ofType { kind name ofType { kind name ofType { kind name } } } } } } } }
"""
"""As Apollo's command line sends it."""
USUAL_ONES = {
    "with nothing but blanks different": " ".join(USUAL.split()),
    "without a name": USUAL.replace("query IntrospectionQuery", "", 1),
    "with another name": USUAL.replace("IntrospectionQuery", "GetSchema", 1),
    "with fragments of other names": USUAL.replace("FullType", "T")
    .replace("InputValue", "V")
    .replace("on __V", "on __InputValue"),
    "without subscriptions, as old servers need it": USUAL.replace("subscriptionType { name kind }", ""),
    "Apollo's": ROVER,
    "with variables for what is deprecated": USUAL.replace("query IntrospectionQuery", "query ($old: Boolean = true)")
    .replace("includeDeprecated: true", "includeDeprecated: $old")
    .replace("description", "description @include(if: $old)"),
    "with fields that are left out": "{ __schema { types @skip(if: false) { name kind @skip(if: true) ...A } } }"
    " fragment A on __Type { fields @include(if: false) { name } enumValues { name @skip(if: true) } }",
    "in part": "{ __schema { types { name fields { name isDeprecated } } directives { name } } }",
}
UNUSUAL_ONES = {
    "an alias": "{ a: __schema { types { name } } }",
    "a field twice, with and without what is deprecated": (
        "{ __schema { types { fields { name } fields(includeDeprecated: true) { name } } } }"
    ),
    "a type by name": '{ __type(name: "Query") { name } }',
    "another field beside it": "{ __schema { types { name } } shop { name } }",
    "a way back into a type": "{ __schema { types { fields { type { fields { name } } } } } }",
    "fields of the query type": "{ __schema { queryType { fields { name } } } }",
    "a variable without a value": (
        "query ($old: Boolean) { __schema { types { fields(includeDeprecated: $old) { name } } } }"
    ),
    "a required variable without a value": (
        "query ($old: Boolean!) { __schema { types { fields(includeDeprecated: $old) { name } } } }"
    ),
    "a variable of another type": (
        "query ($old: Int = 1) { __schema { types { fields(includeDeprecated: $old) { name } } } }"
    ),
    "an undefined variable": "{ __schema { types { fields(includeDeprecated: $old) { name } } } }",
    "an unused variable": "query ($old: Boolean = true) { __schema { types { name } } }",
    "a variable twice": (
        "query ($a: Boolean = true, $a: Boolean = true) { __schema { types { name @skip(if: $a) } } }"
    ),
    "a field twice, with a variable and its value": (
        "query ($old: Boolean = true) { __schema { types { fields(includeDeprecated: $old) { name } "
        "fields(includeDeprecated: true) { name } } } }"
    ),
    "an unknown directive": "{ __schema { types { name @twice(if: true) } } }",
    "a directive without its argument": "{ __schema { types { name @skip } } }",
    "an unknown field that is left out": "{ __schema { types { name nam @skip(if: true) } } }",
    "no selection": "{ __schema }",
    "a selection of a leaf": "{ __schema { types { name { name } } } }",
    "an unknown field": "{ __schema { types { nam } } }",
    "an unknown fragment": "{ __schema { ...A } }",
    "an unused fragment": "{ __schema { types { name } } } fragment A on __Type { name }",
    "a fragment of another type": "{ __schema { types { ...A } } } fragment A on __Field { name }",
    "a fragment in itself": "{ __schema { ...A } } fragment A on __Schema { types { name } ...A }",
    "a fragment in itself, a level deeper each time": (
        "{ __schema { types { fields { type { ...A } } } } } fragment A on __Type { name ofType { ...A } }"
    ),
    "fragments in a circle": (
        "{ __schema { ...A } } fragment A on __Schema { ...B } fragment B on __Schema { types { name } ...A }"
    ),
    "levels without end": "{ __schema { types { fields { type " + "{ ofType " * 60 + "{ name }" + " }" * 64,
    "two operations": "query A { __schema { types { name } } } query B { __schema { types { name } } }",
    "a mutation": "mutation { __schema { types { name } } }",
    "an argument that is none": "{ __schema { types { name(includeDeprecated: true) } } }",
}


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return build()._schema


@pytest.fixture
def prepared(schema: GraphQLSchema) -> PreparedIntrospection:
    return PreparedIntrospection(schema, DocumentCache(), limit=LIMIT)


def executed(schema: GraphQLSchema, document: str) -> Any:
    """The answer of graphql-core, as JSON has it."""
    return json.loads(orjson.dumps(execute_sync(schema, parse(document)).data))


async def test_what_graphql_js_asks_is_answered_as_if_it_were_executed(
    schema: GraphQLSchema, prepared: PreparedIntrospection
) -> None:
    script = (Path(__file__).parent / "introspection_documents.js").read_text()
    # Its options are many: each combination is one document, and some of them are the same.
    written = subprocess.run(["node", "-e", script], cwd=CLIENT, check=True, capture_output=True, text=True).stdout
    documents: list[str] = list(dict.fromkeys(json.loads(written)))

    assert len(documents) > 64
    for document in documents:
        assert usual_selection(parse(document), "IntrospectionQuery") is not None, document
    for document in documents[::16]:
        answer = await prepared.answer(document, "IntrospectionQuery")
        assert answer is not None
        assert json.loads(answer.body)["data"] == executed(schema, document), document


@pytest.mark.parametrize("kind", USUAL_ONES)
async def test_the_usual_documents_are_known_however_they_are_written(
    schema: GraphQLSchema, prepared: PreparedIntrospection, kind: str
) -> None:
    answer = await prepared.answer(USUAL_ONES[kind], None)

    assert answer is not None
    assert json.loads(answer.body)["data"] == executed(schema, USUAL_ONES[kind])


VARIABLES = """query ($text: Boolean = true, $old: Boolean!) { __schema { types {
  name description @include(if: $text) fields(includeDeprecated: $old) { name isDeprecated @include(if: $old) }
} } }"""


@pytest.mark.parametrize("values", [{"old": True}, {"old": False}, {"text": False, "old": True, "unknown": 1}])
async def test_variables_decide_what_a_usual_document_selects(
    schema: GraphQLSchema, prepared: PreparedIntrospection, values: dict[str, Any]
) -> None:
    answer = await prepared.answer(VARIABLES, None, values)

    assert answer is not None
    expected = execute_sync(schema, parse(VARIABLES), variable_values=values).data
    assert json.loads(answer.body)["data"] == json.loads(orjson.dumps(expected))


@pytest.mark.parametrize("values", [{}, {"old": None}, {"old": "true"}, {"old": 1}, {"old": True, "text": None}])
async def test_other_values_of_variables_are_left_to_execution(
    prepared: PreparedIntrospection, values: dict[str, Any]
) -> None:
    assert await prepared.answer(VARIABLES, None, values) is None


@pytest.mark.parametrize("kind", UNUSUAL_ONES)
def test_every_other_document_is_executed(kind: str) -> None:
    assert usual_selection(parse(UNUSUAL_ONES[kind]), None) is None


async def test_a_name_that_is_not_the_operations_is_not_answered(prepared: PreparedIntrospection) -> None:
    assert await prepared.answer(USUAL, "Other") is None
    assert await prepared.answer("{ __schema {", None) is None
    assert await prepared.answer(USUAL + " " * 20_000, None) is None


async def test_a_client_makes_the_same_schema_of_it(shop: Shop, schema: GraphQLSchema) -> None:
    answer = await shop.clients["visitor"].post(
        "/graphql", json={"query": USUAL, "operationName": "IntrospectionQuery"}
    )

    body = answer.json()
    built = build_client_schema(body["data"])
    assert body["extensions"]["cost"]["prepared"] is True
    assert body["extensions"]["cost"]["requested"] > 4_000
    assert "errors" not in body
    assert {line for line in print_schema(built).splitlines() if line.startswith("type ")} == {
        line for line in print_schema(schema).splitlines() if line.startswith("type ")
    }


def counting(schema: GraphQLSchema, document: str, limit: int = 10**9, **variables: Any) -> Callable[[], int]:
    """Counts the objects of a parsed document."""
    parsed = parse(document)
    fragments = {node.name.value: node for node in parsed.definitions if isinstance(node, FragmentDefinitionNode)}
    [operation] = [node for node in parsed.definitions if isinstance(node, OperationDefinitionNode)]
    pricing = IntrospectionPrice(schema, fragments, limit)
    fields = [node for node in operation.selection_set.selections if isinstance(node, FieldNode)]
    return lambda: sum(pricing.of(field, variables) for field in fields)


def price(schema: GraphQLSchema, document: str, limit: int = 10**9, **variables: Any) -> int:
    return counting(schema, document, limit, **variables)()


def objects(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(objects, value.values()))
    return sum(map(objects, value)) if isinstance(value, list) else 0


@pytest.mark.parametrize(
    "document",
    [
        get_introspection_query(input_value_deprecation=True),
        f"{{ __schema {{ types {{ {EVERY_FIELD} {{ type {{ {EVERY_FIELD} {{ name }} }} }} }} }} }}",
        f'{{ a: __type(name: "Product") {{ {EVERY_FIELD} {{ args {{ name }} }} }} b: __type(name: "No") {{ name }} }}',
        "{ __schema { types { possibleTypes { name } } queryType { name } } }",
        "{ __schema { description } }",
    ],
)
def test_the_price_is_the_number_of_objects_that_are_answered(schema: GraphQLSchema, document: str) -> None:
    answered = objects(executed(schema, document)) - 1

    assert price(schema, document) == pytest.approx(answered, abs=answered // 20)


def test_a_type_whose_name_is_a_variable_has_its_price(schema: GraphQLSchema) -> None:
    document = "query ($name: String!) { __type(name: $name) { fields { name } } }"

    named_price, unknown = price(schema, document, name="Product"), price(schema, document)

    assert 10 < named_price < 100
    assert unknown > 1_000


def test_counting_ends_early(schema: GraphQLSchema) -> None:
    many = "{ " + " ".join(f"a{n}: __schema {{ types {{ fields {{ name }} }} }}" for n in range(1_000)) + " }"
    empty = " ".join("possibleTypes { name }" for _ in range(20))
    nothing = "{ __schema { types { fields { type { " + empty + " } args { type { " + empty + " } } } } } }"

    count_many, count_nothing = counting(schema, many, 20_000), counting(schema, nothing, 20_000)

    with counted_calls() as calls:
        counted, found_nothing = count_many(), count_nothing()

    assert counted == 20_001
    assert found_nothing > 1_000
    # Without the limit it would be nine times as many.
    assert calls.count < 100_000


async def test_small_questions_about_the_schema_are_executed_and_told_their_price(shop: Shop) -> None:
    answer = await shop.clients["visitor"].post(
        "/graphql", json={"query": '{ __type(name: "Product") { name fields { name } } }'}
    )

    body = answer.json()
    assert body["data"]["__type"]["name"] == "Product"
    assert 10 < body["extensions"]["cost"]["requested"] < 100


async def test_unusual_documents_cost_what_they_ask(shop: Shop) -> None:
    whole = USUAL.replace("__schema {", "a: __schema {", 1)

    one = (await shop.clients["visitor"].post("/graphql", json={"query": whole})).json()

    assert one["extensions"]["cost"]["requested"] > 4_000
    assert one["extensions"]["cost"].get("prepared") is None


@pytest.mark.parametrize("kind", ["a fragment in itself", "fragments in a circle"])
async def test_fragments_in_a_circle_are_an_error_in_words(shop: Shop, kind: str) -> None:
    answer = await shop.clients["visitor"].post("/graphql", json={"query": UNUSUAL_ONES[kind]})

    [error] = answer.json()["errors"]
    assert answer.status_code == 200
    assert "Cannot spread fragment 'A' within itself" in error["message"]
