"""Shirts and blouses, laid on the front or on the back with the sleeves beside the body."""

from math import radians
from typing import Literal

import numpy as np

from demo.pictures.bench import Bench, row
from demo.pictures.cloth import Slack, Stiff, both_sides
from demo.pictures.collars import back_collar, band_collar, camp_collar, turned_collar
from demo.pictures.labels import label
from demo.pictures.outlines import SIDES, closed, on_side, path
from demo.pictures.raster import Points
from demo.pictures.scene import Button
from demo.pictures.sheet import Edge, Seam, Sheet, Volume
from demo.pictures.shirt_cuts import PLACKET, Lines, ShirtCut, across_center
from demo.pictures.shirt_pockets import pocket_box, pocket_buttons, sew_pockets
from demo.pictures.sleeves import lay_sleeve


def draw(bench: Bench, cut: ShirtCut, view: Literal["front", "back"]) -> None:
    """Lay the whole shirt from the table upward."""
    lines = Lines(cut)
    if view == "front":
        _inside(bench, cut)
    for side in SIDES:
        lay_sleeve(bench, cut, lines, side, view)
    if view == "front":
        _back_hem(bench, cut, lines)
    _body(bench, cut, lines, view)
    if view == "back":
        back_collar(bench, cut)
    else:
        {"band": band_collar, "camp": camp_collar}.get(cut.collar, turned_collar)(bench, cut)


def _inside(bench: Bench, cut: ShirtCut) -> None:
    """The inside of the back, seen through the neck, with the label."""
    deep = 19 if cut.collar == "camp" else 12
    outline = path(f"M -7.6 -1.4 C -5 -4.3 5 -4.3 7.6 -1.4 L 9 4 L 4 {deep} L -4 {deep} L -9 4 L -7.6 -1.4")
    sheet = bench.sheet("inside", outline, ink="inside", base=-0.1, edge=Edge(0.3))
    if sheet is not None:
        sheet.part(path("M -7.7 -1.2 C -5 -4.4 5 -4.4 7.7 -1.2 C 5 1.6 -5 1.6 -7.7 -1.2"), 0.12, grain=radians(90))
        sheet.seam(path("M -7.7 -1 C -5 1.7 5 1.7 7.7 -1"), Seam(pucker=0.02, stitches=row(0.18)))
        bench.scene.lay(sheet)
    label(bench, 2.75, 4.8, 2.0)


def _back_hem(bench: Bench, cut: ShirtCut, lines: Lines) -> None:
    """The back hangs lower than the front, so a strip of its inside shows under the hem."""
    lower = {"tail": 1.5, "slit": 2.6, "straight": 0.5, "band": 0.4}[cut.hem]
    right = path(
        f"M 0 {cut.armpit + 8} L {cut.waist} {cut.armpit + 8} L {cut.hips} {lines.hem_corner} {lines.hem(lower)}"
    )
    right *= (0.982, 1)  # a little narrower than the front, behind which it lies
    sheet = bench.sheet("back hem", closed(right), ink="inside", edge=Edge(0.3))
    if sheet is None:
        return
    hem = path(f"M {cut.hips} {lines.hem_corner} {lines.hem(lower)}") * (0.982, 1)
    sheet.seam(across_center(hem), Seam(groove=0, shade=0, pucker=0.06, stitches=row(0.6)))
    bench.scene.lay(sheet)


def _body(bench: Bench, cut: ShirtCut, lines: Lines, view: str) -> None:
    outline = lines.front() if view == "front" else lines.back()
    name = f"{view} body"
    stiffs = [Stiff(0, 40, 1.9, 80, 0.25)] if view == "front" else [Stiff(0, 6, 30, 5, 0.06)]
    if view == "front" and cut.pockets not in ("none", "low"):
        stiffs += [Stiff(side * 13, 25, 5.5, 6, 0.12) for side in (SIDES if cut.pockets != "one" else (1,))]
    sheet = bench.sheet(
        name,
        outline,
        base=0.3,
        edge=Edge(0.55, 0.22),
        joined=[lines.joined(side) for side in SIDES],
        volume=Volume(2.2, 13, lines.shell()),
        slacks=bench.varied(name, _body_slacks(bench, cut, name), cut.ease),
        stiffs=stiffs,
    )
    if sheet is None:
        return
    _body_seams(sheet, cut, lines)
    holes = _front(sheet, cut, lines) if view == "front" else []
    if view == "front":
        sew_pockets(sheet, cut)
    else:
        _back(sheet, cut, lines)
    bench.scene.lay(sheet, joins=[lines.armhole_line(side) for side in SIDES])
    if view == "front":
        rng = bench.dice("buttons")
        for y in holes:
            bench.scene.fasten(sheet, 0, y, Button(cut.button, tilt=float(rng.normal(0, 0.4))))
        pocket_buttons(bench, sheet, cut)


def _body_slacks(bench: Bench, cut: ShirtCut, name: str) -> list[Slack]:
    c, a, n = cut.chest, cut.armpit, cut.length
    at_sides = [
        Slack(c - 3.2, a - 1, 6, 10, 30, 25, 0.030),
        Slack(15, 0.50 * n, 6, 14, 18, 12, 0.014),
        Slack(18, 0.76 * n, 6, 10, 0, 5, 0.014),
        Slack(14, 12, 7, 4, 20, 60, 0.010),
        Slack(9, 0.9 * n, 10, 7, 0, 0, 0.010),
        Slack(c - 6, a + 9, 5, 9, 35, 35, 0.014),
    ]
    slacks = [*both_sides(at_sides), Slack(0, 0.74 * n, 26, 14, 0, 0, 0.006)]
    rng = bench.dice(f"{name} chance")
    for _ in range(4):
        x, y = rng.uniform(-20, 20), rng.uniform(0.35, 0.88) * n
        slacks.append(Slack(x, y, rng.uniform(4, 8), rng.uniform(6, 12), rng.normal(0, 16), rng.normal(0, 18), 0.010))
    if cut.darts:
        slacks += both_sides([Slack(cut.waist - 3, 0.62 * n, 6, 5, 0, 88, 0.020), Slack(9, 26, 6, 5, 0, 70, 0.014)])
    return slacks


def _body_seams(sheet: Sheet, cut: ShirtCut, lines: Lines) -> None:
    second = (0.75,) if cut.double_stitched else ()
    for side in SIDES:
        sheet.seam(
            lines.armhole_line(side),
            Seam(
                groove=0.03,
                groove_width=0.1,
                shade=0.10,
                pucker=0.05,
                pucker_length=0.9,
                pucker_width=1.0,
                stitches=row(0.25 if second else 0.9, *second),
            ),
            side,
        )
    if cut.hem == "band":
        _waistband(sheet, cut)
    else:
        width = 0.65 if cut.hem == "tail" else 2.0
        sheet.seam(
            lines.hem_line(),
            Seam(groove=0, shade=0, pucker=0.06, pucker_length=0.9, pucker_width=0.8, stitches=row(width)),
        )
        if cut.hem == "straight":
            sheet.seam(_shifted(lines.hem_line(), -2.1), Seam(groove=0.02, groove_width=0.1, shade=0.06, pucker=0.03))
    if cut.hem == "slit":
        for side in SIDES:
            slit = on_side(side, f"M {cut.hips} {lines.hem_corner - 1} L {cut.hips + 0.3} {cut.length - 3.4}")
            sheet.seam(slit, Seam(groove=0, shade=0, pucker=0.03, stitches=row(0.9)), side)


def _shifted(line: Points, by: float) -> Points:
    return np.asarray(line + np.array((0.0, by)))


def _waistband(sheet: Sheet, cut: ShirtCut) -> None:
    h, n = cut.hips, cut.length
    band = (
        f"M {-h - 1} {n - 5.2} C -8 {n - 4.6} 8 {n - 4.6} {h + 1} {n - 5.2} L {h + 1} {n + 1} "
        f"L {-h - 1} {n + 1} L {-h - 1} {n - 5.2}"
    )
    sheet.part(path(band), 0.16, grain=radians(90))
    seam = Seam(groove=0.04, pucker=0.07, pucker_length=0.8, pucker_width=1.2, stitches=row(0.2))
    sheet.seam(path(f"M {-h - 1} {n - 5.2} C -8 {n - 4.6} 8 {n - 4.6} {h + 1} {n - 5.2}"), seam)


def _front(sheet: Sheet, cut: ShirtCut, lines: Lines) -> list[float]:
    """Shoulders, placket and darts; gives the heights of the buttons."""
    sx, sy = cut.shoulder
    for side in SIDES:
        shoulder = on_side(side, f"M 7.6 2.6 L {sx - 0.2} {sy + 3.2}")
        if cut.pockets != "western":
            sheet.seam(shoulder, Seam(pucker=0.035, stitches=row(-0.16)), side)
        if cut.darts:
            _front_darts(sheet, cut, side)
    top = 17.5 if cut.collar == "camp" else 8.0
    foot = cut.length + 1
    if cut.placket == "half":
        foot = 36.0
    if cut.placket == "plain":
        sheet.seam(path(f"M -1.7 {top - 1} L -1.7 {foot}"), Seam(groove=0.05, pucker=0.03, ridge=0.0, shade=0.3))
        sheet.part(
            path(f"M -1.7 {top - 1.5} L 9 {top - 1.5} L 9 {foot + 1} L -1.7 {foot + 1} L -1.7 {top - 1.5}"), 0.05
        )
        first = top + 1.6
    else:
        sheet.part(path(f"M {-PLACKET} 6 L {PLACKET} 6 L {PLACKET} {foot} L {-PLACKET} {foot} L {-PLACKET} 6"), 0.18)
        inset = 0.55 if cut.placket != "covered" else 2.9
        edges = (PLACKET, -PLACKET) if cut.placket != "covered" else (PLACKET,)
        for x in edges:
            direction = 1 if x > 0 else -1
            seam = Seam(groove=0.02, shade=0.10, pucker=0.04, pucker_length=1.0, pucker_width=0.9, stitches=row(inset))
            sheet.seam(path(f"M {x} {top} L {x} {foot}"), seam, direction)
        first = 15.0
    if cut.placket == "half":
        for y in (0.0, 2.2):
            sheet.seam(
                path(f"M {-PLACKET} {foot - y} L {PLACKET} {foot - y}"),
                Seam(groove=0.01, pucker=0.02, stitches=row(-0.2)),
            )
    if cut.placket == "covered":
        return []
    last = {"tail": cut.length - 13.5, "slit": cut.length - 20, "straight": cut.length - 9, "band": cut.length - 2.6}[
        cut.hem
    ]
    if cut.placket == "half":
        last = foot - 5.5
    heights = [first + (last - first) * at / (cut.buttons - 1) for at in range(cut.buttons)]
    for y in heights:
        sheet.seam(
            path(f"M 0 {y - 0.8} L 0 {y + 0.8}"),
            Seam(groove=0.03, groove_width=0.05, shade=0.4, pucker=0, stitches=row(-0.1, 0.1, length=0.07, width=0.05)),
        )
    return heights


def _front_darts(sheet: Sheet, cut: ShirtCut, side: int) -> None:
    dart = Seam(groove=0.06, groove_width=0.09, shade=0.28, pucker=0.05, pucker_length=1.4, pucker_width=1.3)
    n, c, a = cut.length, cut.chest, cut.armpit
    sheet.seam(on_side(side, f"M 9.6 {a + 8} C 9.0 {n * 0.56} 9.0 {n * 0.66} 9.8 {n * 0.86}"), dart, side)
    sheet.seam(on_side(side, f"M {c - 0.8} {a + 6.5} L 13.2 {a + 3.6}"), dart, side)


def _back(sheet: Sheet, cut: ShirtCut, lines: Lines) -> None:
    sx, sy = cut.shoulder
    if cut.back == "western":
        for side in SIDES:
            pointed = on_side(side, f"M 0 17.4 C 4 13.6 9 12.8 {sx - 1.6} {sy + 8.4}")
            sheet.seam(pointed, Seam(groove=0.05, pucker=0.04, shade=0.2, stitches=row(-0.2, -0.75)), side)
        return
    yoke = f"M {-sx + 0.6} {sy + 7.4} L 0 {sy + 6.9} L {sx - 0.6} {sy + 7.4}"
    sheet.seam(
        path(yoke),
        Seam(groove=0.05, pucker=0.04, shade=0.2, stitches=row(-0.2, *((-0.75,) if cut.double_stitched else ()))),
    )
    top = sy + 7.0
    if cut.back == "box pleat":
        for side in SIDES:
            sheet.pleat(on_side(side, f"M 1.9 {top} L 1.7 {top + 30}"), 27, 0.2, 1.2, side, 0.35)
        sheet.seam(path(f"M 0 {top - 1.6} L 0 {top}"), Seam(groove=0.02, pucker=0, stitches=row(-0.3, 0.3)))
    if cut.back == "side pleats":
        for side in SIDES:
            sheet.pleat(
                on_side(side, f"M 12.4 {top} C 12.6 {top + 9} 12.2 {top + 18} 11.6 {top + 30}"),
                22,
                0.18,
                1.3,
                side,
                0.3,
            )
    if cut.back == "gathers":
        sheet.gather(path(f"M -7.5 {top} L 7.5 {top}"), 0.13, 0.55, 11, 1)
    if cut.darts:
        n = cut.length
        for side in SIDES:
            dart = Seam(groove=0.06, groove_width=0.09, shade=0.26, pucker=0.04, pucker_length=1.4, pucker_width=1.3)
            sheet.seam(on_side(side, f"M 9.2 {n * 0.40} C 8.6 {n * 0.55} 8.6 {n * 0.65} 9.2 {n * 0.84}"), dart, side)


def close_up(cut: ShirtCut, detail: str) -> tuple[tuple[float, float], float]:
    """Center and width of the third picture, in centimeters."""
    (sx, _), n = cut.shoulder, cut.length
    end = cut.wrist
    x, _ = pocket_box(cut)
    views = {
        "collar": ((3.4, 7.2), 21.0),
        "pocket": ((x - 1.5, 52.0), 24.0) if cut.pockets == "low" else ((x - 3.2, 22.5), 23.0),
        "cuff": ((-(sx + 9.5), end - 5.5), 21.0),
        "sleeve": ((-(sx + 1.5), 11.0 if cut.sleeve != "short" else 18.0), 25.0),
        "hem": ((6.5, n - 9.5), 23.0),
    }
    return views[detail]


def frame(cut: ShirtCut) -> tuple[tuple[float, float], float]:
    """Center and width of the whole shirt's picture."""
    middle = (cut.length - 3.5) / 2
    reach = cut.shoulder[0] + (18.0 if cut.sleeve != "short" else 15.5) + (1.5 if cut.sleeve == "full" else 0)
    tall = (cut.length + 6) * 0.75 / 0.82
    return (0.0, middle), max(2 * reach + 7, tall, 76.0)
