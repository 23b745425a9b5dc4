import numpy as np
import pytest

from demo.catalogue import products
from demo.pictures import drawing, shirts, trousers
from demo.pictures.fabric import CLOTHS, PATTERNS
from demo.pictures.inks import inks_for, linear
from demo.pictures.shirt_cuts import SHIRTS
from demo.pictures.trouser_cuts import TROUSERS


def test_every_product_has_a_cut_of_its_own_kind_and_a_known_cloth() -> None:
    for product in products():
        drawn = product.drawing
        assert drawn.cut in (SHIRTS if product.subcategory == "shirts" else TROUSERS), product.slug
        assert drawn.cloth in CLOTHS, product.slug
        assert drawn.pattern is None or drawn.pattern in PATTERNS, product.slug


def test_every_detail_that_the_catalogue_names_can_be_framed() -> None:
    for product in products():
        cut, detail = product.drawing.cut, product.drawing.detail
        close = shirts.close_up(SHIRTS[cut], detail) if cut in SHIRTS else trousers.close_up(TROUSERS[cut], detail)
        whole = shirts.frame(SHIRTS[cut]) if cut in SHIRTS else trousers.frame(TROUSERS[cut])
        assert close[1] < whole[1] / 2, product.slug


def test_women_wear_no_cut_that_men_wear() -> None:
    cuts = {gender: {p.drawing.cut for p in products() if p.gender == gender} for gender in ("men", "women")}

    assert not cuts["men"] & cuts["women"]


def test_no_two_products_lie_the_same_way() -> None:
    seeds = [drawing.seed_of(product) for product in products()]

    assert len(set(seeds)) == len(seeds)


def test_plain_cloth_is_dyed_in_the_color_of_its_swatch() -> None:
    inks = inks_for("Rust", "#9c5538", "viscose", None, contrast_thread=False, horn=False)

    assert inks.of("cloth") == pytest.approx(linear("#9c5538"))


def test_jeans_are_sewn_with_copper_thread_unless_they_are_black() -> None:
    indigo = inks_for("Indigo", "#2e3f62", "denim", None, contrast_thread=True, horn=False)
    black = inks_for("Black", "#25262a", "denim", None, contrast_thread=True, horn=False)

    assert indigo.of("thread")[0] > 2 * indigo.of("thread")[2]
    assert np.ptp(black.of("thread")) < 0.02
