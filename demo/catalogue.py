"""The demo shop's range, read from catalogue.toml: what is sold, how many there are, and which pictures show it."""

import random
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from server.catalog.fields import TEXTS, ProductTexts
from server.platform.core.money import cents

Gender = Literal["men", "women"]
Subcategory = Literal["shirts", "jeans", "trousers"]
View = Literal["front", "back", "detail"]

SIZES = ("XS", "S", "M", "L", "XL", "XXL")
VIEWS: tuple[View, ...] = ("front", "back", "detail")
PICTURES = Path(__file__).parent / "pictures" / "drawn"

# Most people are in the middle, so the middle is bought in depth and runs out last.
SIZE_DEPTH = {"XS": 0.45, "S": 0.8, "M": 1.0, "L": 1.0, "XL": 0.7, "XXL": 0.4}
# Per stock level: the share of variants sold out, the share down to the last one to three, and a full shelf's size.
STOCK_LEVELS = {"deep": (0.03, 0.08, 48), "normal": (0.09, 0.16, 26), "thin": (0.30, 0.45, 9), "none": (1.0, 0.0, 0)}

DETAIL_WORDS = {
    "collar": "the collar",
    "cuff": "the cuff",
    "pocket": "the pocket",
    "sleeve": "the sleeve",
    "hem": "the hem",
    "waistband": "the waistband",
    "backpocket": "the back pocket",
    "knee": "the knee",
}


@dataclass(frozen=True)
class Color:
    """A color's name and hex value."""

    name: str
    hex: str


@dataclass(frozen=True)
class Picture:
    """One committed picture; `path` is where `just pictures` puts it."""

    color: str
    view: View
    file: str
    alt: str

    @property
    def path(self) -> Path:
        """The committed file."""
        return PICTURES / self.file


@dataclass(frozen=True)
class Details:
    """The rows of the product page's Details table."""

    cloth: str
    fit: str
    closing: str
    care: str
    made_in: str
    number: str


@dataclass(frozen=True)
class Drawing:
    """What the renderer is told. `pattern` and `thread` are None for plain cloth and the cut's own thread."""

    cut: str
    cloth: str
    detail: str
    pattern: str | None
    thread: str | None


@dataclass(frozen=True, kw_only=True)
class Product(ProductTexts):
    """`stock` has an entry for every color and size; `pictures` are ordered by color, then front, back, detail."""

    slug: str
    gender: Gender
    subcategory: Subcategory
    price_cents: int
    discounted_price_cents: int | None
    colors: tuple[Color, ...]
    sizes: tuple[str, ...]
    stock: dict[tuple[str, str], int]
    details: Details
    pictures: tuple[Picture, ...]
    popularity: int
    drawing: Drawing

    @property
    def category(self) -> str:
        """Such as `men_shirts`."""
        return f"{self.gender}_{self.subcategory}"

    def pictures_of(self, color: str) -> tuple[Picture, ...]:
        """The product's pictures in one color."""
        return tuple(picture for picture in self.pictures if picture.color == color)


@cache
def products() -> tuple[Product, ...]:
    """The whole range in the order of the file; the same on every machine and every start."""
    source = tomllib.loads((Path(__file__).parent / "catalogue.toml").read_text(encoding="utf-8"))
    return tuple(_product(entry, position, source) for position, entry in enumerate(source["product"], start=1))


def _product(entry: dict[str, Any], position: int, source: dict[str, Any]) -> Product:
    colors = tuple(Color(name, source["palette"][name]) for name in entry["colors"])
    sizes = _sizes(entry["sizes"])
    return Product(
        slug=entry["slug"],
        **{each.name: entry[each.name] for each in TEXTS if each.name in entry},
        title=f"{'Men' if entry['gender'] == 'men' else 'Women'}'s {entry['name']}",
        gender=entry["gender"],
        subcategory=entry["subcategory"],
        price_cents=cents(entry["price"]),
        discounted_price_cents=cents(entry["discounted"]) if "discounted" in entry else None,
        colors=colors,
        sizes=sizes,
        stock=_stock(entry, colors, sizes),
        details=_details(entry, position, source),
        pictures=tuple(_picture(entry, color, view) for color in colors for view in VIEWS),
        popularity=entry["popularity"],
        drawing=Drawing(entry["cut"], entry["cloth"], entry["detail"], entry.get("pattern"), entry.get("thread")),
    )


def _sizes(span: str) -> tuple[str, ...]:
    first, last = (SIZES.index(size) for size in span.split("-"))
    return SIZES[first : last + 1]


def _stock(entry: dict[str, Any], colors: tuple[Color, ...], sizes: tuple[str, ...]) -> dict[tuple[str, str], int]:
    sold_out, nearly_gone, shelf = STOCK_LEVELS[entry["stock"]]
    held: dict[tuple[str, str], int] = {}
    for color in colors:
        for size in sizes:
            draw = random.Random(f"{entry['slug']} {color.name} {size}")  # noqa: S311 - stock, not a secret
            chance = draw.random()
            if chance < sold_out:
                held[color.name, size] = 0
            elif chance < sold_out + nearly_gone:
                held[color.name, size] = 1 + int(draw.random() * 3)
            else:
                held[color.name, size] = 4 + int(draw.random() * shelf * SIZE_DEPTH[size])
    return held


def _details(entry: dict[str, Any], position: int, source: dict[str, Any]) -> Details:
    kind = f"{entry['gender'][0]}{entry['subcategory'][0]}".upper()
    return Details(
        cloth=f"{entry['composition']}.",
        fit=entry["fit"],
        closing=entry["closing"],
        care=source["care"][entry["cloth"]],
        made_in=entry.get("made_in", source["made_in"][entry["cloth"]]),
        number=f"{kind}-{200 + position:04d}",
    )


def _picture(entry: dict[str, Any], color: Color, view: View) -> Picture:
    shown = view if view != "detail" else f"detail of {DETAIL_WORDS[entry['detail']]}"
    return Picture(
        color=color.name,
        view=view,
        file=f"{entry['slug']}-{color.name.lower().replace(' ', '-')}-{view}.avif",
        alt=f"{entry['name']}, {color.name}, {shown}",
    )
