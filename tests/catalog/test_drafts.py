from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from server.catalog.drafts import NewColor, NewPicture, NewVariant, ProductDraft, color_names, validate
from server.platform.core.text import UNSTORABLE
from tests.catalog.drafts import GOOD, problems
from tests.catalog.specified import CATEGORIES

EMPTY = ProductDraft(
    name=" ",
    subtitle="",
    description="",
    price_cents=None,
    gender="",
    subcategory="",
    colors=[],
    sizes=[],
    pictures=[],
    discounted_price_cents=0,
)


def test_a_complete_draft_is_accepted() -> None:
    validate(GOOD, CATEGORIES, most_pictures=12)


@pytest.mark.spec("validation.product")
def test_an_empty_form_shows_the_specifications_messages_in_order() -> None:
    assert list(problems(EMPTY).items()) == [
        ("name", "Product name is required"),
        ("description", "Product description is required"),
        ("subtitle", "Product subtitle is required"),
        ("price", "Invalid price value"),
        ("discountedPrice", "Invalid discounted price value"),
        ("category", "Product category is required"),
        ("gender", "Select a gender"),
        ("stock", "Invalid stock value"),
        ("images", "Product image is required"),
        ("colors", "At least one color must be selected"),
        ("sizes", "At least one size must be selected"),
    ]


@pytest.mark.spec("validation.product")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"name": "x" * 201}, {"name": "At most 200 characters"}),
        ({"name": "a\x00b"}, {"name": UNSTORABLE}),
        ({"description": "\ud800"}, {"description": UNSTORABLE}),
        ({"description": "x" * 5_001}, {"description": "At most 5,000 characters"}),
        ({"price_cents": 0}, {"price": "Invalid price value"}),
        ({"price_cents": -5}, {"price": "Invalid price value"}),
        ({"price_cents": 100_000_000}, {"price": "Invalid price value"}),
        ({"discounted_price_cents": -1}, {"discountedPrice": "Invalid discounted price value"}),
        ({"discount_percentage": 101}, {"discountPercentage": "Invalid discount percentage value"}),
        ({"gender": "kids"}, {"gender": "Select a gender"}),
        ({"subcategory": "trousers"}, {"category": "Category of men is one of: shirts, jeans"}),
        ({"stock": 0}, {"stock": "Invalid stock value"}),
        ({"stock": -1}, {"stock": "Invalid stock value"}),
        ({"stock": 1_000_001}, {"stock": "Invalid stock value"}),
        ({"stock": None}, {"stock": "Invalid stock value"}),
        ({"pictures": [NewPicture(uuid4())] * 13}, {"images": "At most 12 images"}),
        ({"pictures": [NewPicture(uuid4(), 2)]}, {"images": "An image names a color that is not there"}),
        ({"pictures": [NewPicture(uuid4(), -1)]}, {"images": "An image names a color that is not there"}),
        ({"pictures": [NewPicture(uuid4(), 0, "\x00")]}, {"images": UNSTORABLE}),
        ({"pictures": [NewPicture(uuid4(), 0, "x" * 201)]}, {"images": "An image's text has at most 200 characters"}),
        ({"colors": [NewColor("#fff", "a\x00b")]}, {"colors": UNSTORABLE}),
        ({"colors": [NewColor("blue")]}, {"colors": "A color is written like #2f4e7d"}),
        ({"colors": [NewColor("#fff", "A"), NewColor("#000", "a ")]}, {"colors": "Colors need different names"}),
        ({"sizes": ["S", "XXXL"]}, {"sizes": "Sizes are XS, S, M, L, XL, XXL"}),
        ({"stock": None, "variants": [NewVariant(0, "S", 0)]}, {"stock": "Invalid stock value"}),
        ({"variants": [NewVariant(0, "S", 9)]}, {"stock": "Stock differs from the sum of the variants"}),
        (
            {"stock": None, "variants": [NewVariant(0, "S", -1), NewVariant(0, "M", 2)]},
            {"variants": "Stock of a variant cannot be below 0"},
        ),
        (
            {"stock": None, "variants": [NewVariant(0, "S", 1), NewVariant(0, "S", 2)]},
            {"variants": "A variant is named twice"},
        ),
        (
            {"stock": None, "variants": [NewVariant(2, "S", 1)]},
            {"variants": "A variant names a color or size that is not there"},
        ),
        (
            {"stock": None, "variants": [NewVariant(0, "XL", 1)]},
            {"variants": "A variant names a color or size that is not there"},
        ),
    ],
)
def test_a_broken_rule_is_named_and_nothing_else(change: dict[str, Any], expected: dict[str, str]) -> None:
    assert problems(replace(GOOD, **change)) == expected


@pytest.mark.parametrize("change", [{"discounted_price_cents": 8_900}, {"discounted_price_cents": 99_000}])
def test_a_discount_that_does_not_count_is_no_error(change: dict[str, Any]) -> None:
    validate(replace(GOOD, **change), CATEGORIES, most_pictures=12)


def test_nameless_colors_are_named_after_the_nearest_css_color_and_numbered() -> None:
    drafts = [NewColor("#000000"), NewColor("#010101"), NewColor("#ffffff", " Chalk "), NewColor("#020202", "black 2")]

    assert color_names(drafts) == ["black", "black 3", "Chalk", "black 2"]
