"""Collars: turned, band, camp, and all of them from behind."""

from math import radians

from demo.pictures.bench import Bench, row
from demo.pictures.cloth import Slack
from demo.pictures.outlines import SIDES, mirrored, on_side, path
from demo.pictures.scene import Button
from demo.pictures.sheet import Edge, Seam, Volume
from demo.pictures.shirt_cuts import ShirtCut

BAND_EDGE = Edge(0.13, 0.12)


def turned_collar(bench: Bench, cut: ShirtCut) -> None:
    """Stand and two leaves; the leaf's tip tells a point from a button-down or a small collar."""
    stand = path("M -3.4 3.8 C -1 5.9 1 5.9 3.4 3.8 L 4.6 7 C 1.6 9.7 -1.6 9.7 -4.6 7 L -3.4 3.8")
    sheet = bench.sheet("stand", stand, base=1.0, edge=BAND_EDGE, grain=radians(90))
    if sheet is not None:
        bench.scene.lay(sheet)
        bench.scene.fasten(sheet, 0, 7.2, Button(cut.button - 0.04, tilt=0.2))
    tip_x, tip_y = {"point": (6.7, 12.1), "button-down": (6.9, 12.6), "small": (6.9, 9.4)}[cut.collar]
    rng = bench.dice("collar")
    for side in SIDES:
        x = tip_x + float(rng.normal(0, 0.12))
        bend = 0.6 if cut.collar == "button-down" else 0.0
        rise = tip_y - 5.5
        edge = (
            "M 7.1 -2.3 C 8.7 -2 9.6 .2 10 2.4 "
            f"C {9.8 + bend * 0.4} {tip_y - 6.6} {9.0 + bend} {tip_y - 2.6} {x:.2f} {tip_y} "
            f"C {x - 2 - bend * 0.4:.2f} {tip_y - 0.3 * rise + bend * 0.4:.2f} 2.4 {5.5 + 0.32 * rise:.2f} .55 5.5"
        )
        outline = on_side(side, f"M .55 5.5 C 3 4.3 6 1.6 7.1 -2.3 {edge.split(maxsplit=3)[3]}")
        slacks = [Slack(side * 5, 6, 5, 5, 0, 40 if side > 0 else 140, 0.012 if bend else 0.008)]
        sheet = bench.sheet(
            f"collar {side}",
            outline,
            base=1.3,
            edge=BAND_EDGE,
            grain=side * 0.5,
            volume=Volume(0.9 if bend else 0.5, 3.6, outline),
            slacks=slacks,
        )
        if sheet is None:
            continue
        sheet.seam(on_side(side, edge), Seam(groove=0, shade=0, pucker=0.025, stitches=row(0.55)), side)
        bench.scene.lay(sheet)
        if cut.collar == "button-down":
            bench.scene.fasten(sheet, side * (x - 0.15), tip_y - 1.25, Button(0.36, tilt=0.5))


def band_collar(bench: Bench, cut: ShirtCut) -> None:
    for side in (-1, 1):
        lap = -0.9 if side > 0 else 0.9
        outline = (
            path(f"M {lap} 9.0 C 4 8.5 7.2 5 8.3 -.5 L 7.2 -2.3 C 6.2 2.2 3.6 5.0 {lap} 6.0 L {lap} 9.0")
            if side > 0
            else mirrored(path("M .6 8.9 C 4 8.4 7.2 5 8.3 -.5 L 7.2 -2.3 C 6.2 2.2 3.6 5.0 .6 6.0 L .6 8.9"))
        )
        sheet = bench.sheet(
            f"band {side}",
            outline,
            base=0.7,
            edge=BAND_EDGE,
            grain=side * 0.5 + radians(90),
            volume=Volume(0.4, 1.6, outline),
        )
        if sheet is None:
            continue
        for line, inset in (("M .2 8.95 C 4 8.5 7.2 5 8.3 -.5", -0.2), ("M .2 6.0 C 3.6 5 6.2 2.2 7.2 -2.3", 0.2)):
            sheet.seam(on_side(side, line), Seam(groove=0.02, shade=0.1, pucker=0.03, stitches=row(inset)), side)
        bench.scene.lay(sheet)
        if side > 0 and cut.placket != "covered":
            bench.scene.fasten(sheet, 0.1, 7.4, Button(cut.button - 0.05))


def camp_collar(bench: Bench, cut: ShirtCut) -> None:
    """Lapels turned out of the fronts, and a one-piece collar that lies on them."""
    for side in SIDES:
        lapel = on_side(
            side, "M .2 17.9 C 2.2 13.5 4.2 9.5 5.4 6.2 C 7.4 6.8 9.6 7.8 11.4 9.4 C 8.6 12.6 4.4 16.0 .2 17.9"
        )
        sheet = bench.sheet(
            f"lapel {side}", lapel, base=0.8, edge=BAND_EDGE, grain=-side * 0.45, volume=Volume(0.4, 3, lapel)
        )
        if sheet is not None:
            edge = "M 5.4 6.2 C 7.4 6.8 9.6 7.8 11.4 9.4 C 8.6 12.6 4.4 16.0 .2 17.9"
            sheet.seam(on_side(side, edge), Seam(groove=0, shade=0, pucker=0.025, stitches=row(0.55)), side)
            bench.scene.lay(sheet)
        leaf = (
            "M 4.9 7.6 C 6.2 4.2 6.9 1.2 7.0 -2.4 C 9.0 -1.8 10.2 .4 10.8 3.0 "
            "C 11.2 4.8 11.2 6.4 10.9 8.0 C 8.8 7.4 6.8 7.2 4.9 7.6"
        )
        outline = on_side(side, leaf)
        sheet = bench.sheet(
            f"collar {side}", outline, base=1.2, edge=BAND_EDGE, grain=side * 0.4, volume=Volume(0.5, 2.6, outline)
        )
        if sheet is not None:
            edge = "M 7.0 -2.4 C 9.0 -1.8 10.2 .4 10.8 3.0 C 11.2 4.8 11.2 6.4 10.9 8.0 C 8.8 7.4 6.8 7.2 4.9 7.6"
            sheet.seam(on_side(side, edge), Seam(groove=0, shade=0, pucker=0.025, stitches=row(0.55)), side)
            bench.scene.lay(sheet)


def back_collar(bench: Bench, cut: ShirtCut) -> None:
    deep = 1.6 if cut.collar == "band" else 3.0
    outline = path(
        f"M -7.6 -1.3 C -5 -3.9 5 -3.9 7.6 -1.3 C 8.8 .3 9.2 {deep * 0.5} 9.3 {deep - 0.2} "
        f"C 6 {deep + 0.9} -6 {deep + 0.9} -9.3 {deep - 0.2} "
        f"C -9.2 {deep * 0.5} -8.8 .3 -7.6 -1.3"
    )
    sheet = bench.sheet(
        "back collar", outline, base=1.3, edge=Edge(0.4), grain=radians(90), volume=Volume(0.9, 2.6, outline)
    )
    if sheet is None:
        return
    lower = path(f"M -9.3 {deep - 0.2} C -6 {deep + 0.9} 6 {deep + 0.9} 9.3 {deep - 0.2}")
    sheet.seam(lower, Seam(groove=0, shade=0, pucker=0.03, stitches=row(-0.5)))
    bench.scene.lay(sheet)
