"""The few image operations the renderer needs, over float32 fields."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

# float32 throughout; NumPy's own types widen an expression too readily to promise it here.
Field = npt.NDArray[np.floating[Any]]
Points = npt.NDArray[np.float64]
Region = tuple[slice, slice]

# Polygons are filled with this many binary digits of a pixel, so that a slanted edge does not step.
SUBPIXEL_BITS = 4
# Far beyond any frame, and still inside the 32 bits that OpenCV keeps for a sub-pixel coordinate.
FAR = 3e5

cv2.setNumThreads(1)


def smoothstep(start: float, end: float, x: Field) -> Field:
    """0 up to `start`, 1 from `end`, with level ends."""
    t = np.clip((x - start) / (end - start), 0, 1)
    return _field(t * t * (3 - 2 * t))


def blur(field: Field, sigma: float, sigma_y: float | None = None) -> Field:
    """Gaussian; `sigma_y` when the two directions differ."""
    if sigma <= 0.01:
        return field
    return _field(cv2.GaussianBlur(field, (0, 0), sigmaX=sigma, sigmaY=sigma_y or sigma, borderType=cv2.BORDER_REFLECT))


def sample(field: Field, x: Field, y: Field, *, nearest: bool = False) -> Field:
    """The field's values at the given pixel positions, edges repeated."""
    method = cv2.INTER_NEAREST if nearest else cv2.INTER_LINEAR
    return _field(cv2.remap(field, x, y, method, borderMode=cv2.BORDER_REPLICATE))


def place(field: Field, scale: tuple[float, float], offset: tuple[float, float], shape: tuple[int, int]) -> Field:
    """Cubic resampling: the result's pixel (x, y) is the field at (scale * x + offset)."""
    matrix = np.array([[scale[0], 0, offset[0]], [0, scale[1], offset[1]]], np.float64)
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return _field(cv2.warpAffine(field, matrix, (shape[1], shape[0]), flags=flags, borderMode=cv2.BORDER_REPLICATE))


def resize(field: Field, shape: tuple[int, int]) -> Field:
    """Averages when it shrinks, cubic when it grows."""
    if shape == field.shape:
        return field
    method = cv2.INTER_AREA if shape[0] < field.shape[0] else cv2.INTER_CUBIC
    return _field(cv2.resize(field, (shape[1], shape[0]), interpolation=method))


def slopes(height: Field) -> tuple[Field, Field]:
    """Rise per pixel along x and along y."""
    dx = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    dy = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    return _field(dx), _field(dy)


def filled(polygon: Points, shape: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """1 inside, 0 outside, for a polygon in pixels."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [_fixed(polygon)], [1], shift=SUBPIXEL_BITS)
    return mask


def distance_to(zeros: npt.NDArray[np.uint8]) -> Field:
    """Every pixel's distance to the nearest 0, in pixels."""
    return _field(cv2.distanceTransform(zeros, cv2.DIST_L2, cv2.DIST_MASK_PRECISE))


def signed_distance(polygon: Points, shape: tuple[int, int], fineness: int = 2) -> Field:
    """Distance to the polygon's edge in pixels, positive inside; measured on a finer raster, so it has no steps."""
    fine = filled(polygon * fineness, (shape[0] * fineness, shape[1] * fineness))
    if fine.min() == fine.max():
        return np.full(shape, 1e3 if fine.max() else -1e3, np.float32)
    distance = distance_to(fine) - distance_to((1 - fine).astype(np.uint8))
    return resize(distance, shape) / fineness


def distance_to_lines(lines: Sequence[Points], shape: tuple[int, int], fineness: int = 2) -> Field:
    """Distance to the nearest of the open lines in pixels."""
    canvas = np.ones((shape[0] * fineness, shape[1] * fineness), np.uint8)
    for line in lines:
        cv2.polylines(canvas, [_fixed(line * fineness)], False, [0], 1, cv2.LINE_8, SUBPIXEL_BITS)
    if canvas.min() == 1:
        return np.full(shape, 1e3, np.float32)
    return resize(distance_to(canvas), shape) / fineness


def nearest_index(
    shape: tuple[int, int], columns: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """For every pixel the position, in the given lists, of the nearest of the given pixels."""
    canvas = np.ones(shape, np.uint8)
    canvas[rows, columns] = 0
    position = np.zeros(shape, np.int64)
    position[rows, columns] = np.arange(len(rows))
    _, labels = cv2.distanceTransformWithLabels(canvas, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    seeds = canvas == 0
    lookup = np.zeros(int(labels.max()) + 1, np.int64)
    lookup[labels[seeds]] = position[seeds]
    return np.asarray(lookup[labels], np.int64)


def lettering(text: str, height: float, fineness: int = 4) -> tuple[Field, int]:
    """Sans capitals about `height` pixels high, drawn `fineness` times too large; gives both."""
    scale = height * fineness / 21.0
    (width, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    canvas = np.zeros((int(tall * 1.4) + 8, width + 8), np.uint8)
    weight = max(1, round(scale * 1.2))
    cv2.putText(canvas, text, (4, tall + 4), cv2.FONT_HERSHEY_SIMPLEX, scale, [255], weight, cv2.LINE_AA)
    return blur(canvas.astype(np.float32) / 255, fineness * 0.45), fineness


def noise(
    shape: tuple[int, int], size: float, seed: int, octaves: int = 1, stretch: tuple[float, float] = (1, 1)
) -> Field:
    """Smooth noise of unit variance whose largest bumps are about `size` pixels, times `stretch` along x and y."""
    rng = np.random.default_rng(seed)
    total = np.zeros(shape, np.float32)
    power = 0.0
    for octave in range(octaves):
        amplitude = 0.5**octave
        step_x, step_y = (max(1.5, size * ratio / 2**octave) for ratio in stretch)
        lattice = rng.standard_normal((int(shape[0] / step_y) + 5, int(shape[1] / step_x) + 5)).astype(np.float32)
        total += amplitude * place(lattice, (1 / step_x, 1 / step_y), (2, 2), shape)
        power += amplitude**2
    return _field(total / np.sqrt(power))


def _fixed(points: Points) -> npt.NDArray[np.int32]:
    unit = 2**SUBPIXEL_BITS
    return np.asarray(np.round(np.clip(points, -FAR / unit, FAR / unit) * unit), np.int32)


def _field(array: npt.ArrayLike) -> Field:
    return np.asarray(array, np.float32)
