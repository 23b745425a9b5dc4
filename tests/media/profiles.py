"""ICC profiles built by hand (ICC.1, version 2), since Pillow makes none but sRGB, Lab and XYZ."""

import struct

ADOBE_RGB = {
    b"rXYZ": (0.60974, 0.31111, 0.01947),
    b"gXYZ": (0.20528, 0.62567, 0.06087),
    b"bXYZ": (0.14919, 0.06322, 0.74457),
}
"""Primaries under D50."""
D50 = (0.9642, 1.0, 0.8249)


def wide_profile() -> bytes:
    """The color space of Adobe RGB (1998)."""
    tags = {tag: _xyz(*values) for tag, values in ADOBE_RGB.items()}
    return _profile(b"RGB ", {**tags, b"rTRC": _gamma(2.2), b"gTRC": _gamma(2.2), b"bTRC": _gamma(2.2)})


def grey_profile() -> bytes:
    """Greys with a gamma of 1.4, much lighter than sRGB's."""
    return _profile(b"GRAY", {b"kTRC": _gamma(1.4)})


def _profile(space: bytes, tags: dict[bytes, bytes]) -> bytes:
    tags = {b"desc": _description(b"test"), b"wtpt": _xyz(*D50), **tags}
    table, data = struct.pack(">I", len(tags)), b""
    begins = 128 + 4 + 12 * len(tags)
    for name, content in tags.items():
        table += struct.pack(">4sII", name, begins + len(data), len(content))
        data += content + b"\0" * (-len(content) % 4)
    size = 128 + len(table) + len(data)
    header = struct.pack(">I4s4s4s4s4s12s4s", size, b"", b"\x02\x10\0\0", b"mntr", space, b"XYZ ", b"", b"acsp")
    return header.ljust(68, b"\0") + _numbers(*D50) + b"\0" * 48 + table + data


def _xyz(*values: float) -> bytes:
    return b"XYZ \0\0\0\0" + _numbers(*values)


def _numbers(*values: float) -> bytes:
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def _gamma(value: float) -> bytes:
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(value * 256))


def _description(text: bytes) -> bytes:
    return b"desc\0\0\0\0" + struct.pack(">I", len(text) + 1) + text + b"\0" + b"\0" * 78
