"""Measurements of finished garments: where they are taken, and validation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

POINTS = (
    *("collar", "shoulder", "chest", "sleeve", "length", "bust", "waist"),
    *("front_rise", "thigh", "inseam", "hem"),
)
"""All points at which a garment can be measured; each category has some of them."""
SHORTEST, LONGEST = 10_000, 3_000_000
"""Bounds in micrometers, which are integers for millimeters and for eighths of an inch."""
MICROMETERS = {"cm": 10_000, "in": 25_400}
"""By unit."""
MOST_DECIMALS = 5
"""Enough for any integer of micrometers, also in inches."""

Lengths = Mapping[str, Mapping[str, int]]
"""Micrometers by point and size, as stored in `products.measurements`."""


@dataclass(frozen=True)
class Measurement:
    """One cell of the table."""

    point: str
    size: str
    micrometers: int


def problems(measurements: Sequence[Measurement], points: Sequence[str], sizes: Sequence[str]) -> dict[str, str]:
    """What is wrong, by cell: `measurements.waist.M`. `points` are those of the category."""
    by_cell: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    for each in measurements:
        cell = f"measurements.{each.point}.{each.size}"
        if each.point not in points:
            by_cell[cell] = "This kind of garment is not measured there"
        elif each.size not in sizes:
            by_cell[cell] = "The product is not made in this size"
        elif (each.point, each.size) in seen:
            by_cell[cell] = "A measurement is named twice"
        elif not SHORTEST <= each.micrometers <= LONGEST:
            by_cell[cell] = "A measurement is 1 to 300 cm"
        seen.add((each.point, each.size))
    return by_cell


def stored(measurements: Sequence[Measurement]) -> dict[str, dict[str, int]]:
    """The cells as the column stores them."""
    lengths: dict[str, dict[str, int]] = {}
    for each in measurements:
        lengths.setdefault(each.point, {})[each.size] = each.micrometers
    return lengths


def cells(lengths: Lengths) -> dict[str, int]:
    """Micrometers by a readable name of point and size, for the audit log: `waist M`."""
    return {f"{point} {size}": length for point, row in lengths.items() for size, length in row.items()}


def length_text(micrometers: int, unit: str) -> str:
    """In centimeters or inches, with the fewest decimals that convert back to the same micrometers."""
    length = Decimal(micrometers) / MICROMETERS[unit]
    texts = (f"{length:.{decimals}f}" for decimals in range(MOST_DECIMALS + 1))
    return next(text for text in texts if length_of(text, unit) == micrometers)


def length_of(text: str, unit: str) -> int:
    """Micrometers of a plain decimal number."""
    return round(Decimal(text) * MICROMETERS[unit])


def shown(lengths: Lengths, points: Sequence[str], sizes: Sequence[str]) -> list[tuple[str, list[tuple[str, int]]]]:
    """The rows of the table: the measured ones of these points, each with these sizes in their order."""
    rows = [(point, lengths.get(point, {})) for point in points]
    cells = [(point, [(size, row[size]) for size in sizes if size in row]) for point, row in rows]
    return [(point, row) for point, row in cells if row]
