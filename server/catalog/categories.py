"""What the shop sells, for whom: the one place where a category is added.

Everything on the server that lists categories follows from here: the API's keys, URLs, the sitemap, CSV files, filters
of reports. The database's CHECK constraint does too, but needs a migration to change.
"""

from server.platform.core.rules import OneOf

DEPARTMENTS = {"men": "Men", "women": "Women"}
"""Whom a garment is cut for: names by keys."""
KINDS = {"shirts": "Shirts", "jeans": "Jeans", "trousers": "Trousers"}
"""Kinds of clothing: names by keys."""
HEADINGS = {"men": "Men's Collection", "women": "Women's Collection"}
"""Of a department's pages."""

SUBCATEGORIES: dict[str, tuple[str, ...]] = {
    "men": ("shirts", "jeans"),
    "women": ("shirts", "jeans", "trousers"),
}
"""Kinds of clothing by gender."""
CATEGORIES = tuple((gender, kind) for gender, kinds in SUBCATEGORIES.items() for kind in kinds)
"""Gender and subcategory, in the order of the menu."""
NAMES = tuple(f"{gender}_{kind}" for gender, kinds in SUBCATEGORIES.items() for kind in kinds)
"""The categories as one word each: `men_jeans`."""

DEPARTMENT = OneOf("department", tuple(DEPARTMENTS))
KIND = OneOf("kind", tuple(KINDS))
CATEGORY = OneOf("category", NAMES)
"""Rules of keys."""

_LEGS = ("waist", "front_rise", "thigh", "inseam", "hem")
POINTS: dict[str, tuple[str, ...]] = {
    "men_shirts": ("collar", "shoulder", "chest", "sleeve", "length"),
    "women_shirts": ("shoulder", "bust", "waist", "sleeve", "length"),
    "men_jeans": _LEGS,
    "women_jeans": _LEGS,
    "women_trousers": _LEGS,
}
"""By category, the points at which its garments are measured, in the order of the table."""


def check_constraint() -> str:
    """The SQL condition for `products.gender` and `products.subcategory`."""
    kinds = {gender: ", ".join(f"'{kind}'" for kind in sold) for gender, sold in SUBCATEGORIES.items()}
    return " OR ".join(f"(gender = '{gender}' AND subcategory IN ({sold}))" for gender, sold in kinds.items())


def url_pattern() -> str:
    """A regular expression for the paths of category pages, those of the sale included."""
    genders = "|".join(SUBCATEGORIES)
    own = [f"/category/{gender}/({'|'.join(kinds)})" for gender, kinds in SUBCATEGORIES.items()]
    return "|".join([f"/category/({genders}|sale)", *own, f"/category/sale/({genders})"])
