"""The categories of the specification, which a fresh shop has."""

from server.catalog.categories import Categories, CategoryFacts, DepartmentFacts, KindFacts

LEGS = ("waist", "front_rise", "thigh", "inseam", "hem")
POINTS = {
    "men_shirts": ("collar", "shoulder", "chest", "sleeve", "length"),
    "men_jeans": LEGS,
    "women_shirts": ("shoulder", "bust", "waist", "sleeve", "length"),
    "women_jeans": LEGS,
    "women_trousers": LEGS,
}
"""Where garments are measured, by category in the order of the menu."""


def category(key: str) -> CategoryFacts:
    department, _, kind = key.partition("_")
    name = kind.capitalize()
    gender = {"men": "male", "women": "female"}[department]
    whom = DepartmentFacts(
        department, department.capitalize(), f"{department.capitalize()}'s Collection", department, False, 1, gender
    )
    return CategoryFacts(key, name, None, kind, POINTS[key], False, 1, whom, KindFacts(kind, name))


ROWS = tuple(category(key) for key in POINTS)
CATEGORIES = Categories(ROWS, tuple(dict.fromkeys(each.department for each in ROWS)))
