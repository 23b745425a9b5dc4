"""An oracle for the catalogue index: filters and sorts all products in plain Python."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from server.catalog.index.products import IndexedColor, IndexedProduct
from server.catalog.lists import FLAGS, Facets, ProductCriteria, ProductListSort
from server.catalog.sizes import SizeChoice

ALIKE = [
    set(line.split())
    for line in (
        "trousers trouser pants slacks chinos",
        "jeans jean denims",
        "shirts shirt",
        "tees tee tshirts tshirt",
        "sale sales clearance discounted",
        "gray grey",
        "men mens man male gents",
        "women womens woman female ladies",
    )
]
FAMILY = {"black": "black", "blue": "blue", "gray": "gray", "grey": "gray", "navy": "blue", "white": "white"}
SIZES = ("XS", "S", "M", "L", "XL", "XXL")
FAMILIES = ["Black", "Gray", "White", "Beige", "Brown", "Red", "Orange", "Yellow", "Green", "Blue", "Purple", "Pink"]
SORT_KEYS: dict[ProductListSort, Callable[[IndexedProduct], Any]] = {
    ProductListSort.RELEVANCE: lambda product: product.popularity,
    ProductListSort.FEATURED: lambda product: product.popularity,
    ProductListSort.NEWEST: lambda product: product.created_at,
    ProductListSort.PRICE_ASCENDING: lambda product: product.charged_cents,
    ProductListSort.PRICE_DESCENDING: lambda product: product.charged_cents,
}
Words = Sequence[tuple[str, ...]]


class Reading:
    """All products there are."""

    def __init__(self, products: Iterable[IndexedProduct]) -> None:
        self.products = list(products)
        self.words = {word for product in self.products for word in every_word(product)}

    def listed(self, criteria: ProductCriteria, sort: ProductListSort, words: Words = ()) -> list[IndexedProduct]:
        products = [product for product in self.products if self.is_found(product, criteria, words, loosely=True)]
        products.sort(key=lambda product: (SORT_KEYS[sort](product), product.id.bytes))
        if sort is not ProductListSort.PRICE_ASCENDING:
            products.reverse()
        if sort is ProductListSort.RELEVANCE and words:
            products.sort(key=lambda product: not self.is_found(product, criteria, words, loosely=False))
        return products

    def total(self, criteria: ProductCriteria, words: Words = ()) -> int:
        return len(self.listed(criteria, ProductListSort.FEATURED, words))

    def facets(self, criteria: ProductCriteria, words: Words = ()) -> Facets:
        def left(**change: Any) -> list[IndexedProduct]:
            return self.listed(ProductCriteria(**{**vars(criteria), **change}), ProductListSort.FEATURED, words)

        def offered(**value: Any) -> bool:
            category = ProductCriteria(gender=criteria.gender, subcategory=criteria.subcategory, **value)
            return bool(self.listed(category, ProductListSort.FEATURED, words))

        prices = [product.charged_cents for product in left(price_from=None, price_to=None)]
        sizes = {size: len(left(sizes=(size,))) for size in SIZES if offered(sizes=(size,))}
        families = {family: len(left(families=(family,))) for family in FAMILIES}
        return Facets(
            sizes,
            {family: count for family, count in families.items() if offered(families=(family,))},
            min(prices, default=None),
            max(prices, default=None),
            {name: len(left(**{name: True})) for name in FLAGS},
            tuple(SizeChoice(size, size, "Letters") for size in sizes),
        )

    def related(self, anchor: IndexedProduct, many: int) -> list[IndexedProduct]:
        others = [
            each
            for each in self.listed(ProductCriteria(gender=anchor.gender), ProductListSort.FEATURED)
            if each != anchor
        ]
        return sorted(others, key=lambda each: each.subcategory == anchor.subcategory)[:many]

    def is_found(self, product: IndexedProduct, criteria: ProductCriteria, words: Words, *, loosely: bool) -> bool:
        if criteria.gender not in (None, product.gender) or criteria.subcategory not in (None, product.subcategory):
            return False
        if criteria.on_sale and not product.on_sale:
            return False
        if criteria.price_from is not None and product.charged_cents < criteria.price_from:
            return False
        if criteria.price_to is not None and product.charged_cents > criteria.price_to:
            return False
        parts = [part for word in words for part in word]
        colors: list[IndexedColor | None] = [*product.colors]
        if not (criteria.sizes or criteria.families or criteria.in_stock):
            colors.append(None)
        return any(
            fits(color, criteria) and all(self.has(product, color, part, loosely) for part in parts) for color in colors
        )

    def has(self, product: IndexedProduct, color: IndexedColor | None, word: str, loosely: bool) -> bool:
        called = tokens(color.name) if color else set()
        if color and loosely:
            called |= with_alike({color.family.lower()}) | (depth(color) & {word})
        if family := FAMILY.get(word):
            same = with_alike({word})
            is_kin = bool(color) and loosely and color is not None and color.family.lower() == family
            return is_kin or bool(same & called) or (loosely and bool(same & name_words(product)))
        heard = called | (text_words(product) if loosely else name_words(product))
        begun = {each for each in self.words if each.startswith(word)}
        if not begun and word.endswith("s"):
            return word[:-1] in heard
        return bool(begun & heard)


def fits(color: IndexedColor | None, criteria: ProductCriteria) -> bool:
    if color is None or not (criteria.sizes or criteria.families or criteria.in_stock):
        return True
    if criteria.families and color.family not in criteria.families:
        return False
    sizes = color.in_stock if criteria.in_stock else color.sizes
    return any(not criteria.sizes or size in criteria.sizes for size in sizes)


def tokens(text: str) -> set[str]:
    words = re.findall("[a-z0-9-]+", text.lower().replace("'", ""))
    return with_alike({part for word in words for part in (*word.split("-"), word.replace("-", ""))})


def with_alike(words: set[str]) -> set[str]:
    return words.union(*(group for group in ALIKE if group & words))


def name_words(product: IndexedProduct) -> set[str]:
    return tokens(f"{product.name} {product.gender} {product.subcategory} {'sale' if product.on_sale else ''}")


def text_words(product: IndexedProduct) -> set[str]:
    return name_words(product) | tokens(product.text)


def depth(color: IndexedColor) -> set[str]:
    """Of the colors that the tests use."""
    return {"Navy": {"dark"}, "Light Blue": {"light"}, "Sky": {"light"}, "Rust": set()}.get(color.name, set())


def every_word(product: IndexedProduct) -> set[str]:
    of_colors = [tokens(color.name) | with_alike({color.family.lower()}) | depth(color) for color in product.colors]
    return text_words(product).union(*of_colors)
