"""What is known of an image without decoding it: formats, proportions, and the facts of a normalized upload."""

from dataclasses import dataclass
from typing import Literal, NamedTuple


class AcceptedType(NamedTuple):
    """A file type that uploads may have."""

    name: str
    media_type: str

    @property
    def pillow_name(self) -> str:
        """What Pillow calls its decoder."""
        return self.name.upper()


ACCEPTED = (
    AcceptedType("JPEG", "image/jpeg"),
    AcceptedType("PNG", "image/png"),
    AcceptedType("WebP", "image/webp"),
    AcceptedType("AVIF", "image/avif"),
)
"""The only statement of the accepted types: decoders, refusals, `imageTypes` of the API and forms follow it."""
ACCEPTED_NAMES = f"{', '.join(each.name for each in ACCEPTED[:-1])} or {ACCEPTED[-1].name}"

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
