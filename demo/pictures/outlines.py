"""Outlines and lines on a garment, written like SVG paths, in centimeters."""

import re

import numpy as np

from demo.pictures.raster import Points

TOKEN = re.compile(r"[MLC]|-?\d*\.?\d+(?:e-?\d+)?")
# A fold displaces an outline, so straight pieces need points to bend at.
STRAIGHT_STEP = 0.5
CURVE_STEPS = 40
# The right of the picture, where the wearer's left is, and the left.
SIDES = (1, -1)


def path(text: str) -> Points:
    """Points along `M x y`, `L x y` and cubic `C x y x y x y` commands; absolute coordinates only."""
    tokens = TOKEN.findall(text)
    points: list[Points] = []
    command, at = "M", 0
    while at < len(tokens):
        if tokens[at] in "MLC":
            command, at = tokens[at], at + 1
        count = 6 if command == "C" else 2
        numbers = np.array(tokens[at : at + count], np.float64).reshape(-1, 2)
        at += count
        start = points[-1][-1:] if points else numbers
        points.append(_piece(command, start, numbers))
    return np.vstack(points)


def mirrored(line: Points) -> Points:
    """The same line on the garment's other side, with its direction kept."""
    return line * (-1, 1)


def on_side(side: int, text: str) -> Points:
    """A path drawn for the right side (+1), or its mirror image (-1)."""
    line = path(text)
    return line if side > 0 else mirrored(line)


def closed(right_half: Points) -> Points:
    """The symmetric outline whose right half runs from the center's top to its bottom."""
    return np.vstack([right_half, mirrored(right_half)[::-1]])


def resampled(line: Points, step: float) -> tuple[Points, Points]:
    """Evenly spaced points on the line, and how far along it each of them is."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    stops = np.linspace(0, along[-1], max(3, int(along[-1] / step)))
    return np.column_stack([np.interp(stops, along, line[:, axis]) for axis in (0, 1)]), stops


def without(outline: Points, covered: list[Points], within: float = 0.3) -> list[Points]:
    """The outline's stretches that run along none of the covered lines."""
    ring, _ = resampled(np.vstack([outline, outline[:1]]), 0.15)
    free = np.ones(len(ring), bool)
    for line in covered:
        dense, _ = resampled(line, 0.15)
        near = np.min(np.hypot(ring[:, None, 0] - dense[None, :, 0], ring[:, None, 1] - dense[None, :, 1]), axis=1)
        free &= near > within
    cuts = np.flatnonzero(np.diff(free.astype(np.int8)))
    return [
        piece for piece, is_free in zip(np.split(ring, cuts + 1), np.split(free, cuts + 1), strict=True) if is_free[0]
    ]


def _piece(command: str, start: Points, numbers: Points) -> Points:
    if command == "M":
        return numbers
    if command == "L":
        steps = max(1, int(np.hypot(*(numbers[0] - start[0])) / STRAIGHT_STEP))
        t = np.linspace(0, 1, steps + 1)[1:, None]
        return np.asarray(start + (numbers - start) * t)
    t = np.linspace(0, 1, CURVE_STEPS + 1)[1:, None]
    first, second, end = numbers
    return np.asarray((1 - t) ** 3 * start + 3 * t * (1 - t) ** 2 * first + 3 * t**2 * (1 - t) * second + t**3 * end)
