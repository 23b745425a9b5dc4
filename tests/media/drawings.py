"""Picture files to upload, good and bad."""

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image

from server.media.formats import ACCEPTED_NAMES

NO_PICTURE = f"is no {ACCEPTED_NAMES} file"
"""In the refusal of a file whose type is not accepted."""


def drawn(kind: str = "JPEG", size: tuple[int, int] = (60, 80), mode: str = "RGB", **options: Any) -> bytes:
    """A gradient, so that encoders have something to do."""
    image = Image.linear_gradient("L").resize(size)
    file = BytesIO()
    image.convert(mode).save(file, kind, **options)
    return file.getvalue()


def png_claiming(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header promises far more."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(b"\x00" * 64))
        + _chunk(b"IEND", b"")
    )


def webp_claiming(width: int, height: int) -> bytes:
    """A WebP whose canvas promises far more than there is."""
    canvas = struct.pack("<I", 0) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    frame = drawn("WEBP", (8, 8), lossless=True)[12:]
    body = b"WEBP" + b"VP8X" + struct.pack("<I", 10) + canvas + frame
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
