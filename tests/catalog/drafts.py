"""A valid draft of a product, and what is wrong with a changed one."""

from uuid import uuid4

import pytest

from server.catalog.drafts import NewColor, NewPicture, ProductDraft, validate
from server.platform.core.errors import InvalidInput
from tests.catalog.specified import CATEGORIES

GOOD = ProductDraft(
    name="Oxford Shirt",
    subtitle="Washed cotton",
    description="A paragraph.",
    price_cents=8_900,
    gender="men",
    subcategory="shirts",
    colors=[NewColor("#b9cce3", "Sky"), NewColor("#25262a")],
    sizes=["S", "M"],
    pictures=[NewPicture(uuid4(), 0, "Front")],
    stock=10,
)


def problems(draft: ProductDraft) -> dict[str, str]:
    with pytest.raises(InvalidInput) as refusal:
        validate(draft, CATEGORIES, most_pictures=12)
    return refusal.value.errors
