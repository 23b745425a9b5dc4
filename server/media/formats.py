"""What is known of an image without decoding it: formats, proportions, and the facts of a normalized upload."""

from dataclasses import dataclass
from typing import Literal

Format = Literal["avif", "webp", "jpg"]
FORMATS: dict[Format, str] = {"avif": "image/avif", "webp": "image/webp", "jpg": "image/jpeg"}


@dataclass(frozen=True)
class NormalizedUpload:
    """An upload as it is stored: upright, in sRGB, without metadata."""

    data: bytes
    width: int
    height: int
    placeholder: str
    """A data URL of under 400 bytes."""
    sha256: str
    """Hash of the upload, not of `data`."""


def height_at(width: int, own_width: int, own_height: int) -> int:
    """The height at a width, in proportion; at least 1."""
    return max(1, round(own_height * width / own_width))
