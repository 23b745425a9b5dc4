"""An operation executed by its plan answers what graphql-core answers, byte by byte.

Documents are made at random from the shop's schema, and so is what its fields answer: also errors, nulls, and values
that no resolver should return. `just random-documents` tries thousands, others each time.
"""

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, cast

import orjson
import pytest
from graphql import ExecutionResult, execute, get_operation_ast, parse, validate
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strawberry.execution import optimized_is_awaitable
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.utils.await_maybe import await_maybe

from server.catalog.queries import ProductRow
from server.catalog.types import Product
from server.platform.gql import cost, execution
from server.platform.gql.plans import execution as planned_execution
from server.platform.gql.plans.execution import Execution, RootField
from server.platform.gql.plans.planned import PlannedExecution
from server.platform.gql.plans.prepared import PreparedOperation
from server.platform.gql.plans.writers import Writers, _Source
from tests.platform.gql.random_documents import RandomDocument
from tests.platform.gql.random_values import Values, row, schema_of

EXAMPLES = int(os.environ.get("PLAN_EXAMPLES", "100"))
FAULTS = (0, 0, 5, 60)
"""Unusual values in a thousand."""
ROUNDS = 3
"""Each operation is executed with other values, and other values of its variables, by the same plan."""
OF_A_PLANTED_FAULT = 1_000
_values: list[Values] = []
SCHEMA = schema_of(_values)
GRAPHQL = SCHEMA._schema
seeds = st.integers(0, 10**9)
at_random = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize="PLAN_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module", autouse=True)
def no_limit_of_cost() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cost, "LIMIT", 10**9)
        yield


def written(result: Any) -> bytes:
    """As bytes; a value that is no JSON, which a faulty writer lets through, is written as Python shows it."""
    answer = {"data": result.data, "errors": [error.formatted for error in result.errors or ()]}
    return orjson.dumps(answer, default=repr)


async def by_the_library(text: str, variables: dict[str, Any]) -> bytes:
    pending = execute(
        GRAPHQL,
        parse(text),
        variable_values=variables,
        executor_class=StrawberryGraphQLCoreExecutionContext,
        is_awaitable=cast("Any", optimized_is_awaitable),  # A TypeGuard that does not say so.
        operation_extensions=None,
    )
    result = await await_maybe(pending)
    assert isinstance(result, ExecutionResult)
    return written(result)


async def by_plan(operation: PreparedOperation, variables: dict[str, Any]) -> bytes:
    result = await operation.execute(variables, None, None)
    assert result is not None
    return written(result)


def prepared(text: str) -> PreparedOperation:
    document = parse(text)
    operation = get_operation_ast(document)
    assert operation is not None
    return PreparedOperation(GRAPHQL, document, operation)


class Case:
    """A document with its variables, and what its fields answer in each round."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        document = RandomDocument(GRAPHQL, self._random)
        self.text = document.operation(self._random.choice(("query", "query", "mutation")))
        self.operation = prepared(self.text)
        self._variables = document.variables
        self._seed, self._faults = seed, self._random.choice(FAULTS)

    def round(self, number: int) -> dict[str, Any]:
        """Lets fields answer as in this round; returns the variables of it."""
        _values[:] = [Values(GRAPHQL, self._seed + number, self._faults)]
        others = {name: self._other(value) for name, value in self._variables.items()}
        return others if number else self._variables

    def _other(self, value: object) -> object:
        if type(value) is bool:
            return self._random.random() < 0.7
        return self._random.randrange(1, 1_000) if type(value) is int else value


async def difference(seed: int) -> tuple[str, bytes, bytes] | None:
    """The document, with the plan's answer and the library's, where they differ."""
    case = Case(seed)
    for number in range(ROUNDS):
        variables = case.round(number)
        ours, theirs = await by_plan(case.operation, variables), await by_the_library(case.text, variables)
        if ours != theirs:
            return case.text, ours, theirs
    return None


def test_nearly_all_of_the_documents_are_valid() -> None:
    valid = [not validate(GRAPHQL, parse(Case(seed).text), max_errors=1) for seed in range(100)]

    assert sum(valid) >= 95


@at_random
@given(seeds)
async def test_any_document_is_answered_as_by_graphql_core(seed: int) -> None:
    assert await difference(seed) is None


async def test_most_objects_are_written_by_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"objects": 0, "field by field": 0, "operations": 0}

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def count(*arguments: Any) -> Any:
            counts[name] += 1
            return function(*arguments)

        return count

    generated = Writers._generated
    monkeypatch.setattr(Writers, "_generated", lambda *each: counted("objects", generated(*each)))
    monkeypatch.setattr(Execution, "execute_fields", counted("field by field", Execution.execute_fields))
    monkeypatch.setattr(Execution, "execute_operation", counted("operations", Execution.execute_operation))
    for seed in range(100):
        case = Case(seed)
        for number in range(ROUNDS):
            await by_plan(case.operation, case.round(number))

    beneath_the_root = counts["field by field"] - counts["operations"]
    assert counts["objects"] > 3 * beneath_the_root > 0


async def test_an_operation_that_a_plan_writes_needs_no_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    values = OneProduct(GRAPHQL, 0, 0)
    values.row = row(random.Random(1))
    _values[:] = [values]
    operation = prepared('query ($id: ID!) { a: product(id: $id) { name } b: product(id: "") { colors { name } } }')
    first = await by_plan(operation, {"id": ""})
    monkeypatch.setattr(Execution, "__init__", None)

    assert await by_plan(operation, {"id": ""}) == first
    del values.row  # The resolver fails now.
    with pytest.raises(TypeError):
        await by_plan(operation, {"id": ""})


class OneProduct(Values):
    """The same product everywhere, of a row that a test changes."""

    row: ProductRow

    def resolve(self, _source: object, info: Any, **_arguments: object) -> Any:
        return Product.of(self.row)


async def test_what_is_made_of_a_row_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    values = OneProduct(GRAPHQL, 0, 0)
    values.row = row(random.Random(1))
    _values[:] = [values]
    prepared_operation = prepared('query ($format: ImageFormat!) { product(id: "") { name images { srcset } } }')
    by_variable = prepared('query ($f: ImageFormat!) { product(id: "") { images { srcset(format: $f) } } }')

    async def answer(operation: PreparedOperation, **variables: str) -> Any:
        result = await operation.execute({"format": "AVIF", **variables}, None, None)
        assert result is not None
        assert result.data is not None
        return result.data["product"]

    first = await answer(prepared_operation)

    assert await answer(prepared_operation) is first
    values.row = replace(values.row, name="Oxford Shirt II")
    assert (await answer(prepared_operation))["name"] == "Oxford Shirt II"
    assert await answer(by_variable, f="AVIF") != await answer(by_variable, f="JPEG")
    values.row = row(random.Random(1))
    monkeypatch.setattr(execution, "MAX_ANSWER_BYTES", len(orjson.dumps({"product": first})) // 2)
    [error] = (await prepared_operation.execute({"format": "AVIF"}, None, None)).errors  # type: ignore[union-attr, misc]
    assert error.extensions == {"code": "TOO_LARGE", "limit": execution.MAX_ANSWER_BYTES}


def without_checks(source: _Source, kind: Any, value: str) -> list[str]:
    return [line for line in LEAF(source, kind, value) if not line.startswith("if ")]


def as_if_it_were_nullable(source: _Source, kind: Any, details: Any, value: str, indent: str) -> None:
    COMPLETE(source, getattr(kind, "of_type", kind) if str(kind).endswith("!") else kind, details, value, indent)


def from_the_first_round(writers: Writers, place: int, variables: Any, *, hide_suggestions: bool) -> Any:
    first_values: dict[int, Any] = writers.__dict__.setdefault("kept", {})
    if place not in first_values:
        first_values[place] = ARGUMENTS(writers, place, variables, hide_suggestions=hide_suggestions)
    return first_values[place]


def without_errors(execution: PlannedExecution, each: RootField, result: Any, info: Any) -> Any:
    return None if isinstance(result, Exception) else COMPLETED(execution, each, result, info)


COMPLETED = PlannedExecution._completed
LEAF, COMPLETE, ARGUMENTS = _Source._leaf, _Source._complete, Writers.arguments


@pytest.mark.parametrize(
    ("of", "name", "planted"),
    [
        (_Source, "_leaf", without_checks),
        (_Source, "_complete", as_if_it_were_nullable),
        (Writers, "arguments", from_the_first_round),
        (PreparedOperation, "_key_of_plan", lambda *_: ()),
        (planned_execution, "_has_variables", lambda _: False),
        (PlannedExecution, "_completed", without_errors),
    ],
)
async def test_a_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, of: object, name: str, planted: Callable[..., Any]
) -> None:
    monkeypatch.setattr(of, name, planted)

    for seed in range(OF_A_PLANTED_FAULT):
        try:
            is_different = await difference(seed) is not None
        except TypeError:
            # An answer that cannot be written as JSON differs as well.
            is_different = True
        if is_different:
            return
    pytest.fail("Nothing differed.")


@at_random
@given(seeds)
async def test_a_plan_counts_the_bytes_of_an_answer_as_execution_field_by_field_does(seed: int) -> None:
    case = Case(seed)
    variables = case.round(0)
    whole = await by_plan(case.operation, variables)
    with pytest.MonkeyPatch.context() as patch:
        for limit in (0, *(case._random.randrange(len(whole)) for _ in range(4))):
            patch.setattr(execution, "MAX_ANSWER_BYTES", limit)
            ours = await by_plan(case.operation, case.round(0))
            with pytest.MonkeyPatch.context() as without:
                without.setattr(PreparedOperation, "plan", lambda *_: None)
                theirs = await by_plan(case.operation, case.round(0))

            assert ours == theirs
