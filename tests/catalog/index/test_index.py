import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.catalog.index import order
from server.catalog.index.index import CatalogIndex, Position, microseconds
from server.catalog.index.products import IndexedColor, IndexedProduct
from server.catalog.index.words import typed_words
from server.catalog.lists import ProductCriteria, ProductListSort
from tests.catalog.index.reading import SORT_KEYS, Reading

EXAMPLES = int(os.environ.get("CATALOGUE_EXAMPLES", "40"))
"""`just random-catalogues` asks for more."""
QUIETLY = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]

COLORS = [
    ("Navy", "#27314a", "Blue"),
    ("Light Blue", "#8fa8c8", "Blue"),
    ("Sky", "#b9cce3", "Blue"),
    ("Black", "#25262a", "Black"),
    ("Washed Black", "#3b3c40", "Black"),
    ("White", "#f1efea", "White"),
    ("Rust", "#9c5538", "Brown"),
]
NAMES = ["Oxford Shirt", "Linen Overshirt", "Straight Jean", "Black Label Jean", "T-Shirt", "Wide Trouser"]
SUBTITLES = ["Washed cotton", "Blue warp, white weft", "Light denim", "Navy lining", "t-shirt soft", ""]
TYPED = ["navy", "light blue", "black shirt", "blu", "white", "sale", "pants", "t-shirt", "overshirts", "sh", "men je"]
TYPED += ["washed", "dark", "light", "grey", "women's", "kayak", "tee", "li den", "rust jean", "blue sale", "s"]

ids = st.integers(0, 14).map(lambda number: UUID(int=number * 7919 % 15 + 1))
sizes = st.lists(st.sampled_from(["S", "M", "XXL"]), unique=True, max_size=2).map(tuple)
categories = st.sampled_from(["men_shirts", "men_jeans", "women_shirts", "women_trousers"])


@st.composite
def colors(draw: st.DrawFn) -> IndexedColor:
    own_sizes = draw(sizes)
    in_stock = tuple(size for size in own_sizes if draw(st.booleans()))
    return IndexedColor(*draw(st.sampled_from(COLORS)), own_sizes, in_stock)


@st.composite
def products(draw: st.DrawFn) -> IndexedProduct:
    gender, subcategory = draw(categories).split("_")
    return IndexedProduct(
        id=draw(ids),
        name=draw(st.sampled_from(NAMES)),
        text=" ".join([draw(st.sampled_from(["", "Men's thing"])), draw(st.sampled_from(SUBTITLES))]),
        gender=gender,
        subcategory=subcategory,
        charged_cents=draw(st.integers(1, 4)),
        on_sale=draw(st.booleans()),
        popularity=draw(st.integers(0, 3)),
        created_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(microseconds=draw(st.integers(0, 3))),
        colors=tuple(draw(st.lists(colors(), max_size=3))),
    )


filters = st.builds(
    ProductCriteria,
    gender=st.sampled_from([None, None, "men", "women"]),
    subcategory=st.sampled_from([None, None, "shirts", "trousers"]),
    on_sale=st.sampled_from([False, False, True]),
    in_stock=st.booleans(),
    sizes=sizes,
    families=st.lists(st.sampled_from(["Blue", "Black"]), unique=True, max_size=2).map(tuple),
    price_from=st.none() | st.integers(0, 5),
    price_to=st.none() | st.integers(0, 5),
)
changes = st.lists(products() | ids, max_size=25)
questions = st.lists(
    st.tuples(filters, st.sampled_from(ProductListSort), st.sampled_from(["", *TYPED])), min_size=1, max_size=4
)


@pytest.fixture(autouse=True)
def small_blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "BLOCK", 2)
        patch.setattr(order, "DENSE", 2)
        patch.setattr(order, "FEW", 2)
        patch.setattr(order, "GROUP", 2)
        yield


Question = tuple[ProductCriteria, ProductListSort, str]


def indexed(changes: list[IndexedProduct | UUID], questions: Sequence[Question] = ()) -> tuple[CatalogIndex, Reading]:
    """An index that has gone through the changes, products that came or changed and ids of those that went.

    It is asked the questions after each, so that it has something to keep too long.
    """
    index, by_id = CatalogIndex(), dict[UUID, IndexedProduct]()
    for change in changes:
        if isinstance(change, UUID):
            index.remove(change)
            by_id.pop(change, None)
        else:
            index.put(change)
            by_id[change.id] = change
        for criteria, sort, typed in questions:
            index.page(criteria, sort, 1, searched=typed_words(typed))
    return index, Reading(by_id.values())


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=QUIETLY)
@given(changes, questions, st.data())
def test_any_question_after_any_changes_is_answered_as_a_plain_reading_does(
    changes: list[IndexedProduct | UUID],
    questions: list[Question],
    data: st.DataObject,
) -> None:
    index, reading = indexed(changes, questions)

    assert set(index.ids()) == {product.id for product in reading.products}
    for criteria, sort, typed in questions:
        words = typed_words(typed)
        expected = reading.listed(criteria, sort, words)
        offset = data.draw(st.integers(0, 3))
        first = data.draw(st.integers(1, 6))

        whole = index.page(criteria, sort, 100, searched=words)
        assert [each.id for each in whole.positions] == [product.id for product in expected]
        some = index.page(criteria, sort, first, offset=offset, searched=words)
        assert some.positions == whole.positions[offset : offset + first]
        assert some.has_next == (len(expected) > offset + first)
        for at, position in enumerate(whole.positions):
            rest = index.page(criteria, sort, first, position, searched=words)
            assert rest.positions == whole.positions[at + 1 : at + 1 + first]
        assert index.total(criteria, words) == len(expected)
        assert index.facets(criteria, words) == reading.facets(criteria, words)
        assert index.all(criteria) == [product.id for product in reading.listed(criteria, ProductListSort.FEATURED)]
    for product in reading.products:
        assert index.related(product.id, product.gender, product.subcategory, 3) == [
            each.id for each in reading.related(product, 3)
        ]


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=QUIETLY)
@given(
    changes, st.sampled_from([sort for sort in ProductListSort if sort is not ProductListSort.RELEVANCE]), products()
)
def test_a_page_goes_on_behind_a_product_that_has_left(
    changes: list[IndexedProduct | UUID], sort: ProductListSort, gone: IndexedProduct
) -> None:
    index, reading = indexed([*changes, gone.id])
    key = SORT_KEYS[sort]
    value = microseconds(key(gone)) if sort is ProductListSort.NEWEST else key(gone)

    page = index.page(ProductCriteria(), sort, 100, Position(0, value, gone.id))

    before = [each.id for each in Reading([*reading.products, gone]).listed(ProductCriteria(), sort)]
    assert [each.id for each in page.positions] == before[before.index(gone.id) + 1 :]


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=QUIETLY)
@given(changes)
def test_what_has_left_leaves_nothing_behind(changes: list[IndexedProduct | UUID]) -> None:
    index, reading = indexed(changes)

    for product in reading.products:
        index.remove(product.id)

    assert (len(index), index.postings.words, index.postings.keys) == (0, [], 0)
