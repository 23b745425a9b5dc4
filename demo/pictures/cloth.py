"""How a sheet of cloth lies: a quasi-static solver that lets locally excess length buckle into folds.

A garment laid on a table keeps its outline, but here and there (armpit, elbow, crotch, knee) it holds more cloth than
there is room. That excess is a metric: each link of a fine grid is given the length it wants, and the solver finds
heights at which the links have it. Folds then arise, run and meet as they do in cloth; none are drawn.
"""

import math
from dataclasses import dataclass, replace

import numba
import numpy as np
import numpy.typing as npt

from demo.pictures.camera import Camera
from demo.pictures.raster import Field, Points, blur, filled, noise, place, smoothstep

# Coarse to fine, in centimeters: the coarse grid settles the long folds cheaply, the fine one sharpens them.
LEVELS = ((1.2, 400), (0.6, 300), (0.3, 220))
# Cloth resists stretching fully and compression about half, which is why it buckles instead of bunching.
COMPRESSION = 0.55
AXIS_STEP, DIAGONAL_STEP = 0.5, 0.32
ANCHOR = 0.03
GRAVITY = 0.0001
FLOOR = -0.3
SMOOTHING = 0.003
# More excess than this folds the sheet over itself, which a height field cannot show.
MOST_EXCESS = 0.07
# Where patches overlap, their sum is held to this, or the cloth crumples like paper.
MOST_STRAIN = 0.15
MARGIN = 1.5
# Simulated crests come out a little round; sharpening them at this radius restores the pressed look.
CRISPNESS, CRISP_RADIUS = 0.7, 0.9


@dataclass(frozen=True)
class Slack:
    """An elliptic patch with excess length: center, radii, its tilt, the direction of the excess and how much."""

    x: float
    y: float
    across: float
    along: float
    tilt: float
    direction: float
    amount: float

    def on_side(self, side: int) -> "Slack":
        if side > 0:
            return self
        return replace(self, x=-self.x, tilt=-self.tilt, direction=180 - self.direction)

    def varied(self, rng: np.random.Generator, ease: float, drift: float = 2.5) -> "Slack":
        """As it might lie on another day; without this all garments of one cut look cloned."""
        return Slack(
            self.x + rng.normal(0, drift * 0.5),
            self.y + rng.normal(0, drift),
            self.across * math.exp(rng.normal(0, 0.16)),
            self.along * math.exp(rng.normal(0, 0.16)),
            self.tilt + rng.normal(0, 7),
            self.direction + rng.normal(0, 12),
            self.amount * ease * math.exp(rng.normal(0, 0.35)),
        )


@dataclass(frozen=True)
class Stiff:
    """A patch kept smooth by what is sewn on it: placket, fly, pocket."""

    x: float
    y: float
    across: float
    along: float
    amount: float


@dataclass(frozen=True)
class Handle:
    """How a cloth folds: resistance to bending, how much it creases by itself, fine crumple, general ease."""

    bending: float
    restless: float
    crumple: float
    ease: float


@dataclass(frozen=True)
class Drape:
    """Displacement and height of a sheet on a grid of `step` centimeters."""

    left: float
    top: float
    step: float
    dx: Field
    dy: Field
    z: Field

    def seen_by(self, camera: Camera, field: Field) -> Field:
        ratio = 1 / (camera.scale * self.step)
        offset_x = (0.5 / camera.scale + camera.left - self.left) / self.step
        offset_y = (0.5 / camera.scale + camera.top - self.top) / self.step
        return place(field, (ratio, ratio), (offset_x, offset_y), camera.shape)


@dataclass(frozen=True)
class Lie:
    """How the whole garment was put down: one wobble for all its sheets, so that they meet at the seams."""

    seed: int
    swing_from: float
    swing_to: float
    pivot_y: float
    swing: float
    sideways: bool

    def displacement(self, x: Field, y: Field) -> tuple[Field, Field]:
        rng = np.random.default_rng(self.seed + 999)
        dx, dy = (self._wave(rng, x, y) for _ in range(2))
        left, right = rng.normal(0, 1, 2) * self.swing
        if self.sideways:
            weight = smoothstep(self.swing_from, self.swing_to, np.abs(x)) * np.where(x > 0, right, left)
            return dx + weight * (y - self.pivot_y), dy - weight * (np.abs(x) - self.swing_from) * np.sign(x)
        share = smoothstep(-5, 5, x)
        turn = (right * share + left * (1 - share)) * smoothstep(self.swing_from, self.swing_to, y)
        return dx + turn * (y - self.pivot_y), dy

    @staticmethod
    def _wave(rng: np.random.Generator, x: Field, y: Field) -> Field:
        total = np.zeros_like(x)
        for shortest, longest, depth in [(18, 40, 0.085)] * 4 + [(6, 10, 0.022)] * 4:
            length, angle, phase = rng.uniform(shortest, longest), rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
            total += depth * np.sin(2 * np.pi * (x * np.cos(angle) + y * np.sin(angle)) / length + phase).astype(
                np.float32
            )
        return total


def both_sides(slacks: list[Slack]) -> list[Slack]:
    return [slack.on_side(side) for side in (1, -1) for slack in slacks]


def flat(outline: Points, lie: Lie, step: float = 1.2) -> Drape:
    """A sheet without folds, which still lies as the garment lies."""
    left, top, shape = _grid(outline, step)
    x, y = _axes(left, top, step, shape)
    dx, dy = lie.displacement(x, y)
    return Drape(left, top, step, dx, dy, np.zeros(shape, np.float32))


def drape(outline: Points, slacks: list[Slack], stiffs: list[Stiff], handle: Handle, lie: Lie, seed: int) -> Drape:
    """The sheet at rest. The same arguments give the same folds."""
    step = LEVELS[0][0]
    left, top, shape = _grid(outline, step)
    start = 0.25 * np.abs(noise(shape, 5 / step, seed + 1, 2))
    rest = Drape(left, top, step, np.zeros(shape, np.float32), np.zeros(shape, np.float32), start.astype(np.float32))
    for step, rounds in LEVELS:
        rest = _settle(outline, slacks, stiffs, handle, seed, step, rounds, rest)
    crisp = rest.z + CRISPNESS * (rest.z - blur(rest.z, CRISP_RADIUS / rest.step))
    z = _crumpled(crisp, rest.step, handle.crumple, seed)
    x, y = _axes(rest.left, rest.top, rest.step, (z.shape[0], z.shape[1]))
    wobble_x, wobble_y = lie.displacement(x, y)
    return replace(rest, dx=rest.dx + wobble_x, dy=rest.dy + wobble_y, z=z)


def _settle(
    outline: Points,
    slacks: list[Slack],
    stiffs: list[Stiff],
    handle: Handle,
    seed: int,
    step: float,
    rounds: int,
    before: Drape,
) -> Drape:
    """Refine `before` on a grid of `step` centimeters; the first time both grids are the same."""
    left, top, shape = _grid(outline, step)
    rest_x, rest_y = _axes(left, top, step, shape)
    covered = filled((outline - (left, top)) / step, shape).astype(np.float32)
    inside = (blur(covered, 0.8) > 0.05).astype(np.uint8)
    lengths = _wanted_lengths(rest_x, rest_y, step, slacks, handle.restless, seed)
    ratio = (step / before.step, step / before.step)
    dx, dy, z = (place(field, ratio, (0, 0), shape) for field in (before.dx, before.dy, before.z))
    x, y, z = rest_x + dx, rest_y + dy, z + 0.02 * step * noise(shape, 2.0 / step, seed + 9 + int(10 * step))
    smoothing = np.full(shape, SMOOTHING, np.float32)
    for patch in stiffs:
        reach = ((rest_x - patch.x) / patch.across) ** 4 + ((rest_y - patch.y) / patch.along) ** 4
        smoothing += patch.amount * np.exp(-reach)
    _relax(x, y, z, inside, lengths, smoothing, rest_x, rest_y, rounds, handle.bending)
    z = blur(z, 0.75)
    return Drape(left, top, step, *(_extended(field, inside) for field in (x - rest_x, y - rest_y, z)))


def _wanted_lengths(x: Field, y: Field, step: float, slacks: list[Slack], restless: float, seed: int) -> Field:
    """Link lengths along x, y and the two diagonals, from the metric that the patches of excess add up to."""
    shape = (x.shape[0], x.shape[1])
    base = 1.95 * restless * np.maximum(0, noise(shape, 9 / step, seed + 5, 2) + 0.2)
    angle = 1.4 * noise(shape, 14 / step, seed + 6) + 0.4
    xx, yy, xy = (2 * base * part for part in (np.cos(angle) ** 2, np.sin(angle) ** 2, np.cos(angle) * np.sin(angle)))
    for slack in slacks:
        tilt, direction = math.radians(slack.tilt), math.radians(slack.direction)
        u = (x - slack.x) * math.cos(tilt) + (y - slack.y) * math.sin(tilt)
        v = -(x - slack.x) * math.sin(tilt) + (y - slack.y) * math.cos(tilt)
        weight = 2 * min(slack.amount, MOST_EXCESS) * np.exp(-((u / slack.across) ** 2) - (v / slack.along) ** 2)
        c, s = math.cos(direction), math.sin(direction)
        xx, yy, xy = xx + weight * c * c, yy + weight * s * s, xy + weight * c * s
    held = np.minimum(1, MOST_STRAIN / np.maximum(xx + yy, 1e-6))
    xx, yy, xy = xx * held, yy * held, xy * held
    links = (np.sqrt(1 + xx), np.sqrt(1 + yy), np.sqrt(2 + xx + yy + 2 * xy), np.sqrt(2 + xx + yy - 2 * xy))
    return np.stack([step * link for link in links]).astype(np.float32)


def _crumpled(z: Field, step: float, amount: float, seed: int) -> Field:
    """Fine creases of crisp cloth, strongest where it is already folded."""
    if amount == 0:
        return z
    rise_y, rise_x = np.gradient(z, step)
    steepness = np.asarray(rise_x**2 + rise_y**2, np.float32)
    energy = np.sqrt(blur(steepness, 2.5 / step))
    shape = (z.shape[0], z.shape[1])
    ridges = np.zeros(shape, np.float32)
    for weight, size, chance in ((0.6, 4.2, 32), (0.3, 2.1, 33)):
        ridges += weight * (1 - 2 * np.clip(np.abs(noise(shape, size / step, seed + chance)), 0, 1))
    return blur((z + amount * np.clip(energy * 4, 0.15, 1.5) * ridges).astype(np.float32), 0.6)


def _grid(outline: Points, step: float) -> tuple[float, float, tuple[int, int]]:
    left, top = outline.min(0) - MARGIN
    right, bottom = outline.max(0) + MARGIN
    return float(left), float(top), (int((bottom - top) / step) + 2, int((right - left) / step) + 2)


def _axes(left: float, top: float, step: float, shape: tuple[int, int]) -> tuple[Field, Field]:
    x, y = np.meshgrid(left + step * np.arange(shape[1]), top + step * np.arange(shape[0]))
    return x.astype(np.float32), y.astype(np.float32)


def _extended(field: Field, inside: npt.NDArray[np.uint8]) -> Field:
    """The field continued a little beyond the cloth, where the camera's interpolation will look."""
    weight = inside.astype(np.float32)
    spread = blur(field.astype(np.float32) * weight, 1.6) / np.maximum(blur(weight, 1.6), 1e-3)
    return np.where(weight > 0, field, spread).astype(np.float32)


@numba.njit(fastmath=True, cache=True)
def _relax(x, y, z, inside, lengths, smoothing, rest_x, rest_y, rounds, bending):  # type: ignore[no-untyped-def]
    rows, columns = inside.shape
    curvature = np.zeros((rows, columns), np.float32)
    for _ in range(rounds):
        _satisfy_lengths(x, y, z, inside, lengths)
        for j in range(1, rows - 1):
            for i in range(1, columns - 1):
                curvature[j, i] = _mean_of_neighbors(z, inside, j, i) - z[j, i] if inside[j, i] else 0.0
        for j in range(1, rows - 1):
            for i in range(1, columns - 1):
                if inside[j, i] == 0:
                    continue
                around = curvature[j - 1, i] + curvature[j + 1, i] + curvature[j, i - 1] + curvature[j, i + 1]
                z[j, i] += smoothing[j, i] * curvature[j, i] - bending * (0.25 * around - curvature[j, i]) - GRAVITY
                z[j, i] = max(z[j, i], FLOOR)
                x[j, i] += (rest_x[j, i] - x[j, i]) * ANCHOR
                y[j, i] += (rest_y[j, i] - y[j, i]) * ANCHOR


@numba.njit(fastmath=True, cache=True)
def _satisfy_lengths(x, y, z, inside, lengths):  # type: ignore[no-untyped-def]
    rows, columns = inside.shape
    for kind, (down, right) in enumerate(((0, 1), (1, 0), (1, 1), (1, -1))):
        share = AXIS_STEP if kind < 2 else DIAGONAL_STEP
        for j in range(rows - down):
            for i in range(max(0, -right), columns - max(0, right)):
                jj, ii = j + down, i + right
                if inside[j, i] == 0 or inside[jj, ii] == 0:
                    continue
                dx, dy, dz = x[jj, ii] - x[j, i], y[jj, ii] - y[j, i], z[jj, ii] - z[j, i]
                length = math.sqrt(dx * dx + dy * dy + dz * dz) + 1e-6
                excess = (length - lengths[kind, j, i]) / length
                pull = share * excess * (1.0 if excess > 0 else COMPRESSION) * 0.98
                x[j, i] += pull * dx
                y[j, i] += pull * dy
                z[j, i] += pull * dz
                x[jj, ii] -= pull * dx
                y[jj, ii] -= pull * dy
                z[jj, ii] -= pull * dz


@numba.njit(fastmath=True, cache=True)
def _mean_of_neighbors(z, inside, j, i):  # type: ignore[no-untyped-def]
    total = 0.0
    count = 0
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if inside[j + down, i + right]:
            total += z[j + down, i + right]
            count += 1
    return total / count if count else z[j, i]
