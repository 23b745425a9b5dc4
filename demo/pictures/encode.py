"""Pictures as files."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from demo.catalogue import View

# Woven texture is the whole point of a detail and costs the most; at these settings a picture is 30 to 150 kB.
QUALITY: dict[View, int] = {"front": 53, "back": 51, "detail": 38}
# AVIF's speed: two steps slower takes four times as long for nine percent.
SPEED = 8
# The encoder cuts the fractions off its color values, which turns a warm ground greenish: red and blue get a step more.
ENCODERS_LOSS = np.array([1, 0, 1], np.uint16)


def save(picture: npt.NDArray[np.uint8], file: Path, view: View) -> int:
    """Write an AVIF and give its size in bytes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    hue_kept = np.minimum(picture.astype(np.uint16) + ENCODERS_LOSS, 255).astype(np.uint8)
    Image.fromarray(hue_kept).save(file, "AVIF", quality=QUALITY[view], speed=SPEED, max_threads=1)
    return file.stat().st_size


def load(file: Path) -> npt.NDArray[np.uint8]:
    with Image.open(file) as image:
        return np.asarray(image.convert("RGB"))
