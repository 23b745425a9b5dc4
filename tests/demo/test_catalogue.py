from collections import Counter

from demo.catalogue import SIZES, VIEWS, products

DISCOUNT_SHARE = 1 / 3


def test_every_category_is_stocked_with_at_least_ten_products() -> None:
    counted = Counter(product.category for product in products())

    assert counted == {
        "men_shirts": 16,
        "men_jeans": 12,
        "women_shirts": 12,
        "women_jeans": 11,
        "women_trousers": 11,
    }


def test_at_least_a_third_is_discounted_and_every_discount_is_below_the_price() -> None:
    discounted = [product for product in products() if product.discounted_price_cents is not None]

    assert len(discounted) / len(products()) >= DISCOUNT_SHARE
    assert {product.category for product in discounted} == {product.category for product in products()}
    assert all(0 < (product.discounted_price_cents or 0) < product.price_cents for product in discounted)


def test_a_product_has_two_to_four_colors_and_an_unbroken_run_of_sizes() -> None:
    for product in products():
        assert 2 <= len(product.colors) <= 4, product.slug
        assert "".join(product.sizes) in "".join(SIZES), product.slug
        assert set(product.stock) == {(color.name, size) for color in product.colors for size in product.sizes}


def test_stock_differs_by_variant_and_some_of_it_is_gone() -> None:
    held = Counter(units for product in products() for units in product.stock.values())
    gone = [product.slug for product in products() if not any(product.stock.values())]

    assert gone == ["mens-gingham-shirt", "mens-summer-jean"]
    assert sum(held.values()) == 827
    assert held[0] == 88
    assert held[1] + held[2] + held[3] == 126


def test_every_color_has_its_own_front_back_and_detail_with_alternative_text() -> None:
    for product in products():
        for color in product.colors:
            shown = product.pictures_of(color.name)
            assert tuple(picture.view for picture in shown) == VIEWS
            assert all(picture.alt.startswith(f"{product.name}, {color.name}, ") for picture in shown)

    files = [picture.file for product in products() for picture in product.pictures]
    assert len(set(files)) == len(files) == 513


def test_names_and_slugs_tell_products_apart() -> None:
    assert len({product.slug for product in products()}) == len(products())
    assert len({(product.gender, product.name) for product in products()}) == len(products())
    assert len({product.details.number for product in products()}) == len(products())


def test_text_is_american_plain_and_without_exclamation_marks() -> None:
    for product in products():
        text = f"{product.subtitle} {product.description}"
        assert "!" not in text
        assert not {"colour", "centimetre", "millimetre", "grey"} & set(text.lower().replace(".", "").split())
        assert 60 <= len(product.description) <= 320, product.slug
