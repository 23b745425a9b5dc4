from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from server.catalog import search
from server.catalog.index import terms
from server.catalog.index.index import CatalogIndex
from server.catalog.index.postings import Postings
from server.catalog.index.products import IndexedColor, IndexedProduct
from server.catalog.index.words import plain, spoken, typed_words
from server.catalog.lists import ProductCriteria, ProductListSort

NAVY, LIGHT_BLUE = IndexedColor("Navy", "#27314a", "Blue"), IndexedColor("Light Blue", "#8fa8c8", "Blue")
BLACK, WASHED_BLACK = IndexedColor("Black", "#25262a", "Black"), IndexedColor("Washed Black", "#3b3c40", "Black")
WHITE = IndexedColor("White", "#f1efea", "White", ("M", "L"), ("L",))


def product(name: str, category: str, *colors: IndexedColor, subtitle: str = "", sold: int = 0) -> IndexedProduct:
    gender, subcategory = category.split("_")
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return IndexedProduct(
        id=uuid4(),
        name=name,
        text=f"{name} {subtitle}",
        gender=gender,
        subcategory=subcategory,
        charged_cents=8_900,
        on_sale=name == "Slim Jean",
        popularity=sold,
        created_at=moment,
        colors=colors,
    )


SHELF = [
    product("Oxford Shirt", "men_shirts", WHITE, NAVY, subtitle="Eight-wale café cotton", sold=1),
    product("Chambray Shirt", "men_shirts", LIGHT_BLUE, subtitle="Blue warp, white weft", sold=9),
    product("Slim Jean", "men_jeans", WASHED_BLACK, LIGHT_BLUE, sold=8),
    product("Straight Jean", "women_jeans", BLACK, subtitle="Cut as in 1873", sold=7),
    product("Wide Trouser", "women_trousers", IndexedColor("Pitch", "#222222", "Black"), sold=6),
]
NAMES = {each.id: each.name for each in SHELF}


@pytest.fixture(scope="module")
def index() -> CatalogIndex:
    index = CatalogIndex()
    for each in SHELF:
        index.put(each)
    return index


def found(index: CatalogIndex, text: str, criteria: ProductCriteria | None = None) -> list[str]:
    page = index.page(criteria or ProductCriteria(), ProductListSort.RELEVANCE, 10, searched=typed_words(text))
    return [NAMES[UUID(str(each.id))] for each in page.positions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("navy", ["Oxford Shirt", "Chambray Shirt", "Slim Jean"]),
        ("light blue", ["Chambray Shirt", "Slim Jean"]),
        ("black", ["Slim Jean", "Straight Jean", "Wide Trouser"]),
        ("black jean", ["Slim Jean", "Straight Jean"]),
        ("white shirt", ["Oxford Shirt"]),
        ("white navy", []),
        ("blue jeans", ["Slim Jean"]),
        ("pants", ["Wide Trouser"]),
        ("pan", ["Wide Trouser"]),
        ("sale", ["Slim Jean"]),
        ("women's black pants", ["Wide Trouser"]),
        ("CAFÉ", ["Oxford Shirt"]),
        ("wale", ["Oxford Shirt"]),
    ],
)
def test_colors_synonyms_and_sale_are_words(index: CatalogIndex, text: str, expected: list[str]) -> None:
    assert found(index, text) == expected


def test_a_color_is_searched_in_the_size_and_stock_of_that_color(index: CatalogIndex) -> None:
    assert found(index, "white", ProductCriteria(sizes=("M",))) == ["Oxford Shirt"]
    assert found(index, "white", ProductCriteria(sizes=("M",), in_stock=True)) == []
    assert found(index, "white", ProductCriteria(sizes=("L",), in_stock=True)) == ["Oxford Shirt"]
    assert found(index, "navy", ProductCriteria(sizes=("L",))) == []


@pytest.mark.parametrize(
    ("typed", "corrected"),
    [
        ("jenas", "jeans"),
        ("oxfrod", "oxford"),
        ("oxforrd shrit", "oxford shirt"),
        ("stright je", "straight je"),
        ("sale", "sale"),
        ("navvy", "navy"),
        ("turquoise", "turquoise"),
        ("sweaters", "sweaters"),
        ("emeral", "emeral"),
        ("187", "187"),
        ("1874", None),
        ("kayak", None),
        ("xz", None),
    ],
)
def test_only_a_word_that_there_is_not_is_a_slip(index: CatalogIndex, typed: str, corrected: str | None) -> None:
    words = index.corrected(typed_words(typed))

    assert (words and spoken(words)) == corrected


def test_words_are_spelled_alike() -> None:
    assert plain("Garment-DYED Cafè, Women's Løse\u2019s") == plain("garment-dyed cafe, womens loses")
    assert typed_words("T-Shirt  linen linen _ -- 🧵") == [("t", "shirt"), ("linen",)]


def test_a_color_that_comes_back_is_found_as_before() -> None:
    index = CatalogIndex()
    poplin = product("Poplin Shirt", "men_shirts", IndexedColor("Saffron", "#e8a33d", "Yellow", ("XXL",), ("XXL",)))
    twill = product("Twill Shirt", "men_shirts", IndexedColor("Brick", "#8c3b2e", "Red", ("XXS",), ("XXS",)))
    index.put(poplin)
    index.remove(poplin.id)
    index.put(twill)
    index.put(poplin)

    for text, expected in (("saffron", poplin), ("brick", twill), ("yellow", poplin), ("red", twill)):
        page = index.page(ProductCriteria(), ProductListSort.RELEVANCE, 10, searched=typed_words(text))
        assert [each.id for each in page.positions] == [expected.id]
    assert index.all(ProductCriteria(sizes=("XXL",))) == [poplin.id]


def test_a_search_is_looked_up_once_for_everything_that_is_asked_about_it(
    index: CatalogIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[terms.Rank] = []
    look_up = terms.terms_of

    def counted(postings: Postings, words: Sequence[terms.Word], rank: terms.Rank) -> list[terms.Term]:
        looked_up.append(rank)
        return look_up(postings, words, rank)

    monkeypatch.setattr(terms, "terms_of", counted)
    query = search.understood(index, "blue")
    search.suggestions(index, query)
    index.page(ProductCriteria(), ProductListSort.RELEVANCE, 5, searched=query.words)
    index.total(ProductCriteria(), query.words)
    index.facets(ProductCriteria(), query.words)

    assert looked_up == [terms.ALL_FIELDS, terms.NAME_FIELDS]
