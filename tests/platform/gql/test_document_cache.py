"""Documents that are kept parsed and validated: by their hash, in bytes, and only while they are worth it."""

import gc
import tracemalloc

import pytest
from graphql import DocumentNode, GraphQLSyntaxError, parse, specified_rules

from server.platform.gql import document_cache
from server.platform.gql.document_cache import KEPT_BYTES, DocumentCache, size_of
from server.platform.gql.documents import LONGEST_KEPT
from server.schema import build
from tests.e2e.whole_shop import ROOT

RULES = tuple(specified_rules)
VALID, INVALID = "query A { shop { name } }", "{ shop { nam } }"
DOCUMENTS = {
    "names": "{ " + " ".join(f"name{n}" for n in range(1_400)) + " }",
    "long names": "{ " + " ".join("x" * 11 + str(n) for n in range(1_200)) + " }",
    "aliases": "{ " + " ".join(f"a{n}: name" for n in range(480)) + " }",
    "numbers": "{ products(a: [" + " ".join(map(str, range(1_400))) + "]) { name } }",
    "depth": "{ " + "a { " * 150 + "b" + " }" * 150 + " }",
    "variables": "query (" + " ".join(f"$v{n}: Int" for n in range(330)) + ") { name }",
    "comments": "#a\n" * 1_400 + "{ a }",
    "a long text beyond Latin-1": '{ a(b: "' + "x" * 19_000 + '\U0001f600") }',
}


def test_a_text_is_parsed_and_validated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    documents, schema = DocumentCache(), build()._schema

    first = documents.parse(VALID)
    errors = documents.errors(schema, VALID, first, RULES)

    assert documents.parse("".join(VALID)) is first
    assert errors == documents.errors(schema, VALID, first, ()) == []
    monkeypatch.delattr(document_cache, "validate")
    assert documents.errors(schema, VALID, first, RULES) == []


def test_what_is_valid_by_some_rules_may_not_be_by_others() -> None:
    documents, schema = DocumentCache(), build()._schema
    document = documents.parse(INVALID)

    assert documents.errors(schema, INVALID, document, ()) == []
    for _ in range(2):
        [error] = documents.errors(schema, INVALID, document, RULES)
        assert error.message == "Cannot query field 'nam' on type 'Shop'. Did you mean 'name'?"


def test_what_cannot_be_parsed_or_is_too_long_is_not_kept() -> None:
    documents = DocumentCache()

    for text in ("{", "{ " + "a " * 1_501 + "}"):
        with pytest.raises(GraphQLSyntaxError):
            documents.parse(text)
    long = VALID + " " * LONGEST_KEPT
    assert documents.parse(long) is not documents.parse(long)
    assert len(documents._known) == 0


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_documents_size_is_not_underestimated(kind: str) -> None:
    text = DOCUMENTS[kind]
    gc.collect()
    tracemalloc.start()
    document = parse(text + " ", max_tokens=1_500)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert taken < 1.1 * size_of(document, text)


def test_ten_times_as_many_as_fit_take_no_more_than_the_bound() -> None:
    limit = 600_000
    documents = DocumentCache(limit)
    gc.collect()
    tracemalloc.start()
    for n in range(120):
        documents.parse(f"{{ a{n} " + " ".join(f"name{each}" for each in range(60)) + " }")
        assert documents._known.size.bytes <= limit
    gc.collect()  # Tokens refer to each other in circles.
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert taken < 1.3 * limit
    assert 5 < len(documents._known) < 20


def test_every_document_of_the_client_fits_twice() -> None:
    texts = [each.read_text() for each in (ROOT / "client/src").rglob("*.graphql")]
    parsed: list[tuple[DocumentNode, str]] = [(parse(text), text) for text in texts if text.strip()]

    assert max(map(len, texts)) < LONGEST_KEPT / 2
    assert 2 * sum(size_of(document, text) for document, text in parsed) < KEPT_BYTES
