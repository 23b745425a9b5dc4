import pytest

from server.catalog.colors import FAMILIES, family, nearest_name, normal_hex


@pytest.mark.parametrize(
    ("hex_value", "expected"),
    [
        ("#000000", "Black"),
        ("#25262a", "Black"),
        ("#3b3c40", "Black"),
        ("#46474b", "Gray"),
        ("#8d8e8f", "Gray"),
        ("#ffffff", "White"),
        ("#f1efea", "White"),
        ("#e4dcca", "Beige"),
        ("#cdb48a", "Beige"),
        ("#7d5836", "Brown"),
        ("#4b372b", "Brown"),
        ("#9c5538", "Brown"),
        ("#ff0000", "Red"),
        ("#5f2a33", "Red"),
        ("#ff8c00", "Orange"),
        ("#ffff00", "Yellow"),
        ("#ead9a4", "Yellow"),
        ("#008000", "Green"),
        ("#5d5f48", "Green"),
        ("#a3ab92", "Green"),
        ("#0000ff", "Blue"),
        ("#000080", "Blue"),
        ("#27314a", "Blue"),
        ("#b5c6d8", "Blue"),
        ("#800080", "Purple"),
        ("#b7abc9", "Purple"),
        ("#ffc0cb", "Pink"),
        ("#d8b5ac", "Pink"),
    ],
)
def test_a_color_belongs_to_the_family_that_people_would_say(hex_value: str, expected: str) -> None:
    assert family(hex_value) == expected


def test_every_color_has_a_family_and_every_family_stands_for_itself() -> None:
    levels = ("00", "2a", "55", "80", "aa", "d5", "ff")
    families = {family(f"#{red}{green}{blue}") for red in levels for green in levels for blue in levels}

    assert families == set(FAMILIES)
    assert {name: family(each.hex) for name, each in FAMILIES.items()} == {name: name for name in FAMILIES}


@pytest.mark.parametrize(
    ("hex_value", "name"),
    [
        ("#000000", "black"),
        ("#808080", "gray"),
        ("#00ffff", "aqua"),
        ("#f1efea", "whitesmoke"),
        ("#5874a0", "steelblue"),
    ],
)
def test_a_nameless_color_gets_the_nearest_css_name(hex_value: str, name: str) -> None:
    assert nearest_name(hex_value) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#2F4E7D", "#2f4e7d"),
        (" #2f4e7d ", "#2f4e7d"),
        ("#abc", "#aabbcc"),
        ("2f4e7d", None),
        ("#2f4e7", None),
        ("#2f4e7g", None),
        ("red", None),
        ("", None),
        ("#2f4e7d\n#", None),
    ],
)
def test_a_hex_is_three_or_six_digits_after_a_hash(text: str, expected: str | None) -> None:
    assert normal_hex(text) == expected
