"""A product as entered in a form, new or edited, and its validation."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from uuid import UUID

from server.catalog import colors, fields, measurements
from server.catalog.categories import Categories
from server.catalog.fields import NAME_LENGTH, ProductTexts
from server.catalog.measurements import Measurement
from server.platform.core.errors import InvalidInput
from server.platform.core.text import UNSTORABLE, is_blank, is_storable

MOST_COLORS = 24
MOST_STOCK = 1_000_000
MOST_DETAILS = 24
DETAIL_LENGTH = 1_000
SKU_LENGTH = 64
FORM_ORDER = ("name", "description", "subtitle")
"""Of the specification's messages; those about other texts follow."""
EARLIEST, LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(9000, 12, 31, 23, 59, 59, tzinfo=UTC)
"""Bounds of a discount's times. Beyond them a moment does not exist in every time zone."""
MOMENT_FORM = "A moment is written like 2026-11-30T23:59:00Z"
NO_SUCH_IMAGE = "An image does not exist; upload it first"


@dataclass(frozen=True)
class NewColor:
    """Without a `name` it gets the nearest CSS color's. `id` names an existing color of the product."""

    hex: str
    name: str | None = None
    id: UUID | None = None

    @property
    def own_name(self) -> str:
        """The name, trimmed; empty when left out or invisible."""
        name = (self.name or "").strip()
        return "" if is_blank(name) else name


@dataclass(frozen=True)
class NewPicture:
    """`color` is an index into the draft's colors; None means all colors."""

    image_id: UUID
    color: int | None = None
    alt: str = ""


@dataclass(frozen=True)
class NewVariant:
    """`color` is an index into the draft's colors.

    `seen` is the stock that the form showed when `stock` was entered; without a `sku` one is generated.
    """

    color: int
    size: str
    stock: int
    seen: int | None = None
    sku: str = ""


@dataclass(frozen=True)
class Detail:
    """A fact about a product, such as its care or fabric."""

    label: str
    text: str


@dataclass(frozen=True, kw_only=True)
class ProductDraft(ProductTexts):
    """A product as a form has it, not validated yet.

    `stock` is spread over the variants unless `variants` are given. Left out, `discount_percentage` is computed,
    `title` is the name, and `weight_grams` is the default.
    """

    price_cents: int | None
    gender: str
    subcategory: str
    colors: Sequence[NewColor]
    sizes: Sequence[str]
    pictures: Sequence[NewPicture]
    discounted_price_cents: int | None = None
    discount_percentage: int | None = None
    stock: int | None = None
    variants: Sequence[NewVariant] | None = None
    details: Sequence[Detail] = ()
    discount_starts_at: datetime | None = None
    discount_ends_at: datetime | None = None
    weight_grams: int | None = None
    measurements: Sequence[Measurement] | None = None

    @property
    def category(self) -> str:
        """Such as `men_shirts`."""
        return f"{self.gender}_{self.subcategory}"


def validate(draft: ProductDraft, categories: Categories, most_pictures: int) -> None:
    """Raises InvalidInput with the first broken rule of every field, in the order of the form."""
    _refuse(_problems(draft, categories, most_pictures))


def validate_edit(draft: ProductDraft, categories: Categories, most_pictures: int, *, had_pictures: bool) -> None:
    """As `validate`, for an existing product, which may be sold out and need not have an image if it had none."""
    problems = _problems(draft, categories, most_pictures)
    if not had_pictures and not draft.pictures:
        problems["images"] = None
    exact = sum(variant.stock for variant in draft.variants or ())
    problems["stock"] = None if exact <= MOST_STOCK else "Invalid stock value"
    _refuse(problems)


def _refuse(problems: dict[str, str | None]) -> None:
    messages = {name: message for name, message in problems.items() if message}
    if messages:
        raise InvalidInput(messages)


def color_names(drafts: Sequence[NewColor]) -> list[str]:
    """Their own names, or the nearest CSS names, numbered where those are taken."""
    taken = {draft.own_name.lower() for draft in drafts if draft.own_name}
    names: list[str] = []
    for draft in drafts:
        name = draft.own_name or _free_name(colors.nearest_name(normal_hex(draft)), taken)
        taken.add(name.lower())
        names.append(name)
    return names


def normal_hex(color: NewColor) -> str:
    """Six digits in lower case. Raises ValueError for a color that `validate` refuses."""
    normal = colors.normal_hex(color.hex)
    if normal is None:
        raise ValueError(f"not a color: {color.hex!r}")
    return normal


def _free_name(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    return next(numbered for number in count(2) if (numbered := f"{name} {number}") not in taken)


def _problems(draft: ProductDraft, categories: Categories, most_pictures: int) -> dict[str, str | None]:
    return {
        **dict.fromkeys(FORM_ORDER),
        **{each.form_name: each.rule.problem(getattr(draft, each.name)) for each in fields.TEXTS},
        "details": _details_problem(draft.details),
        "price": fields.PRICE.problem(draft.price_cents),
        "discountedPrice": fields.DISCOUNTED_PRICE.problem(draft.discounted_price_cents),
        "discountPercentage": fields.DISCOUNT_PERCENTAGE.problem(draft.discount_percentage),
        "discountEndsAt": window_problem(draft.discount_starts_at, draft.discount_ends_at),
        "category": _category_problem(draft, categories),
        "gender": None if categories.kinds_of(draft.gender) else "Select a gender",
        "weightGrams": fields.WEIGHT.problem(draft.weight_grams),
        "stock": _stock_problem(draft),
        "images": _pictures_problem(draft, most_pictures),
        "colors": _colors_problem(draft),
        "sizes": _sizes_problem(draft, categories),
        "variants": _variants_problem(draft),
        **measurements.problems(draft.measurements or (), categories.points_of(draft.category), draft.sizes),
    }


def window_problem(starts: datetime | None, ends: datetime | None) -> str | None:
    """What is wrong with a discount's times; None when nothing is."""
    moments = [moment for moment in (starts, ends) if moment is not None]
    if any(moment.tzinfo is None or not EARLIEST <= moment <= LATEST for moment in moments):
        return MOMENT_FORM
    return "The discount ends before it begins" if starts and ends and ends <= starts else None


def within_bounds(moment: datetime | None) -> datetime | None:
    """A stored moment as forms and files can send it back: one beyond the bounds becomes the nearest bound."""
    return None if moment is None else min(max(moment, EARLIEST), LATEST)


def _details_problem(details: Sequence[Detail]) -> str | None:
    if len(details) > MOST_DETAILS:
        return f"At most {MOST_DETAILS} details"
    for detail in details:
        if is_blank(detail.label) or is_blank(detail.text):
            return "A detail needs a name and a text"
        if len(detail.label) > NAME_LENGTH or len(detail.text) > DETAIL_LENGTH:
            return f"A detail has at most {DETAIL_LENGTH} characters"
        if not is_storable(detail.label + detail.text):
            return UNSTORABLE
    return None


def _category_problem(draft: ProductDraft, categories: Categories) -> str | None:
    if not draft.subcategory:
        return "Product category is required"
    kinds = categories.kinds_of(draft.gender)
    if not kinds or draft.subcategory in kinds:
        return None
    return f"Category of {draft.gender} is one of: {', '.join(kinds)}"


def _stock_problem(draft: ProductDraft) -> str | None:
    total = draft.stock
    if _variants_problem(draft):
        # What a wrong variant adds up to says nothing.
        return None
    if draft.variants is not None:
        exact = sum(variant.stock for variant in draft.variants)
        if total is not None and total != exact:
            return "Stock differs from the sum of the variants"
        total = exact
    return None if total is not None and 0 < total <= MOST_STOCK else "Invalid stock value"


def _pictures_problem(draft: ProductDraft, most: int) -> str | None:
    if not draft.pictures:
        return "Product image is required"
    if len(draft.pictures) > most:
        return f"At most {most} images"
    if any(len(picture.alt) > NAME_LENGTH for picture in draft.pictures):
        return f"An image's text has at most {NAME_LENGTH} characters"
    if not all(is_storable(picture.alt) for picture in draft.pictures):
        return UNSTORABLE
    places = range(len(draft.colors))
    if draft.colors and any(picture.color is not None and picture.color not in places for picture in draft.pictures):
        return "An image names a color that is not there"
    return None


def _colors_problem(draft: ProductDraft) -> str | None:
    if not draft.colors:
        return "At least one color must be selected"
    if len(draft.colors) > MOST_COLORS:
        return f"At most {MOST_COLORS} colors"
    for color in draft.colors:
        if colors.normal_hex(color.hex) is None:
            return "A color is written like #2f4e7d"
        if len(color.own_name) > NAME_LENGTH:
            return f"A color's name has at most {NAME_LENGTH} characters"
        if not is_storable(color.own_name):
            return UNSTORABLE
    named = [color.own_name.lower() for color in draft.colors if color.own_name]
    if len(set(named)) < len(named):
        return "Colors need different names"
    return None


def _sizes_problem(draft: ProductDraft, categories: Categories) -> str | None:
    if not draft.sizes:
        return "At least one size must be selected"
    if problem := categories.sizes_of(draft.category).problem(draft.sizes):
        return problem
    return "A size is named twice" if len(set(draft.sizes)) < len(draft.sizes) else None


def _variants_problem(draft: ProductDraft) -> str | None:
    if draft.variants is None:
        return None
    named = [(variant.color, variant.size) for variant in draft.variants]
    if any(variant.stock < 0 for variant in draft.variants):
        return "Stock of a variant cannot be below 0"
    if len(set(named)) < len(named):
        return "A variant is named twice"
    if any(color not in range(len(draft.colors)) or size not in draft.sizes for color, size in named):
        return "A variant names a color or size that is not there"
    return skus_problem([variant.sku.strip() for variant in draft.variants if variant.sku.strip()])


def skus_problem(skus: Sequence[str]) -> str | None:
    """What is wrong with SKUs that are to be given; None when nothing is."""
    if any(len(sku) > SKU_LENGTH for sku in skus):
        return f"A SKU has at most {SKU_LENGTH} characters"
    if not all(sku.isprintable() for sku in skus):
        return "A SKU is made of printable characters"
    twice = next((sku for sku in skus if skus.count(sku) > 1), None)
    return f"Two variants have the SKU {twice}" if twice else None
