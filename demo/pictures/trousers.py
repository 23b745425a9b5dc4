"""Jeans and trousers, laid on the front or on the back with the legs a little apart."""

from typing import Literal

import numpy as np

from demo.pictures.bench import Bench, heavy, row
from demo.pictures.cloth import Slack, Stiff
from demo.pictures.labels import label
from demo.pictures.outlines import SIDES, on_side, path
from demo.pictures.raster import Field, noise
from demo.pictures.scene import Button
from demo.pictures.sheet import Edge, Seam, Sheet, Stitch, Volume
from demo.pictures.trouser_cuts import DIP, Legs, TrouserCut
from demo.pictures.trouser_pockets import back_pocket, front_pocket, thread, tool_pockets
from demo.pictures.waistbands import leather_patch, loops, waistband


def draw(bench: Bench, cut: TrouserCut, view: Literal["front", "back"]) -> None:
    """Lay the whole pair from the table upward."""
    legs = Legs(cut)
    if view == "front":
        _inside(bench, cut)
    _hem_insides(bench, cut)
    sheet = _legs(bench, cut, legs, view)
    band = waistband(bench, cut, legs, view)
    if sheet is not None and view == "front" and cut.style == "jeans" and cut.pockets == "scoop":
        _rivets(bench, cut, sheet)
    if cut.loops:
        loops(bench, cut, legs, view)
    if band is not None and view == "front":
        y = cut.band / 2 + DIP + 0.45
        if cut.closing == "metal":
            bench.scene.fasten(band, 0, y, Button(0.82, "copper", metal=True, stands=0.10))
        elif cut.closing == "button":
            bench.scene.fasten(band, 0.9, y, Button(0.72))
    if view == "back" and cut.style == "jeans":
        leather_patch(bench, legs)


def _inside(bench: Bench, cut: TrouserCut) -> None:
    w = cut.waist
    top = f"M {-w + 0.3} .6 C -10 -2.9 10 -2.9 {w - 0.3} .6"
    sheet = bench.sheet(
        "inside", path(f"{top} L {w - 0.8} 5 L {-w + 0.8} 5 L {-w + 0.3} .6"), ink="inside", base=-0.1, edge=Edge(0.3)
    )
    if sheet is not None:
        sheet.seam(
            path(f"M {-w + 0.3} .7 C -10 -2.7 10 -2.7 {w - 0.3} .7"),
            Seam(groove=0, shade=0, pucker=0.02, stitches=thread(cut, 0.2)),
        )
        sheet.seam(
            path(f"M {-w + 0.3} 1.4 C -10 2.2 10 2.2 {w - 0.3} 1.4"), Seam(pucker=0.02, stitches=thread(cut, 0.2))
        )
        bench.scene.lay(sheet)
    label(bench, -0.1, 5.2, 2.1)


def _hem_insides(bench: Bench, cut: TrouserCut) -> None:
    """The inside of the back leg, seen under the front hem."""
    (ho, hi), n = cut.hem, cut.length
    middle = (ho + hi) / 2
    # Six centimeters up, a flared leg is already narrower.
    flare = 8 * max(0.0, cut.hem[0] - cut.knee[0]) / (n - cut.knee_at)
    for side in SIDES:
        cuff = (
            f"M {hi + 0.3 + flare * 0.3} {n - 6} L {ho - 0.4 - flare} {n - 6} L {ho - 0.25} {n - 0.2} "
            f"C {middle + 4} {n + 1.7} {middle - 4} {n + 1.7} {hi + 0.25} {n + 0.1} "
            f"L {hi + 0.3 + flare * 0.3} {n - 6}"
        )
        sheet = bench.sheet(f"hem inside {side}", on_side(side, cuff), ink="inside", base=-0.05, edge=Edge(0.3))
        if sheet is not None:
            sheet.tone[:] = 0.85
            bench.scene.lay(sheet)


def _legs(bench: Bench, cut: TrouserCut, legs: Legs, view: str) -> Sheet | None:
    outline, name = legs.outline(), f"{view} legs"
    sheet = bench.sheet(
        name,
        outline,
        base=0.2,
        edge=Edge(0.6, 0.22),
        volume=Volume(2.6, 9, legs.shell()),
        slacks=_slacks(bench, cut, name),
        stiffs=[Stiff(0, 2, 40, 4.5, 0.15), Stiff(1, 10, 3.2, 9, 0.25)],
    )
    if sheet is None:
        return None
    if bench.cloth in ("denim", "canvas"):
        _wear(bench, sheet, cut, view)
    for side in SIDES:
        _leg_seams(sheet, cut, legs, side)
    if view == "front":
        _fly(sheet, cut)
        for side in SIDES:
            front_pocket(sheet, cut, side)
            _front_shape(sheet, cut, side)
    else:
        _seat(sheet, cut)
    if cut.tools:
        tool_pockets(sheet, cut, view)
    bench.scene.lay(sheet)
    return sheet


def _slacks(bench: Bench, cut: TrouserCut, name: str) -> list[Slack]:
    """Where trousers hold more cloth than their outline: around the crotch, at knee and hem."""
    c, k, n = cut.crotch, cut.knee_at, cut.length
    middle = (cut.knee[0] + cut.knee[1]) / 2
    wide = min(1.3, (cut.hem[0] - cut.hem[1]) / 20.5)
    rng = bench.dice(f"{name} chance")
    slacks: list[Slack] = []
    for side in SIDES:
        leg = [
            Slack(8, c - 3, 8, 3.6, -24, 66, 0.060),
            Slack(9, c + 5, 9, 3.5, -30, 60, 0.045),
            Slack(5, c + 5, 3.5, 8, 0, 10, 0.030),
            Slack(cut.hip - 5, c - 6, 5, 6, 20, 60, 0.025),
            Slack(middle, k + 1, 9, 6, 0, 88, 0.038),
            Slack(middle - 4, k + 6, 6, 8, 0, 75, 0.030),
            Slack(middle, n - 6, 9, 6, 0, 90, 0.032 if wide < 1.2 else 0.012),
            Slack(middle + 3, c + 13, 5, 10, -14, 32, 0.011 * wide),
            Slack(middle, n - 21, 7, 14, 0, 2, 0.012 * wide**2),
            Slack(17, 14, 6, 5, 0, 90, 0.012),
            Slack(rng.uniform(7, 21), rng.uniform(36, 58), 7, 5, 0, rng.uniform(65, 95), 0.014),
            Slack(rng.uniform(8, 21), rng.uniform(70, n - 11), 7, 4, 0, rng.uniform(60, 115), 0.024),
        ]
        calm = 0.42 if cut.creased else 0.7 if cut.style == "flat" else 1.0
        laid = bench.varied(f"{name} {side}", leg, cut.ease * calm, 2.4)
        slacks += [slack.on_side(side) for slack in laid]
    return slacks


def _leg_seams(sheet: Sheet, cut: TrouserCut, legs: Legs, side: int) -> None:
    c = cut
    jeans = c.style == "jeans"
    inseam = on_side(side, f"M {c.hem[1]} {c.length + 0.4} {legs.inseam}")
    double = thread(c, 0.22, 0.80) if jeans else ()
    # The inseam runs upward, so the leg lies on its positive side.
    sheet.seam(
        inseam,
        Seam(
            groove=0,
            shade=0,
            pucker=0.07 if jeans else 0.03,
            pucker_length=1.0,
            pucker_width=1.0,
            wear=0.35,
            stitches=double,
        ),
        side,
    )
    outseam = on_side(side, f"M {c.waist} 0 {legs.outseam}")
    sheet.seam(
        outseam,
        Seam(groove=0, shade=0, pucker=0.07 if jeans else 0.03, pucker_length=1.1, pucker_width=1.1, wear=0.35),
        side,
    )
    if not c.hem_fold:
        sheet.seam(legs.hem_line(side), Seam(groove=0, shade=0, pucker=0.02), side)
        return
    hem = Seam(
        groove=0,
        shade=0,
        pucker=0.06 if jeans else 0.03,
        pucker_length=0.7,
        pucker_width=0.8,
        wear=0.5,
        stitches=_hem_rows(c),
    )
    sheet.seam(legs.hem_line(side), hem, side)
    fold = Seam(
        groove=0.035, groove_width=0.08, pucker=0.05 if jeans else 0.02, pucker_length=0.7, shade=0.10, wear=0.3
    )
    sheet.seam(legs.hem_line(side, c.hem_fold + 0.15), fold, side)


def _hem_rows(cut: TrouserCut) -> tuple[Stitch, ...]:
    return thread(cut, cut.hem_fold)


def _wear(bench: Bench, sheet: Sheet, cut: TrouserCut, view: str) -> None:
    """Where a body rubs its trousers: thighs, knees and hip creases in front, seat and hollow of the knee behind."""
    x, y = sheet.window.centimeters()
    scale = sheet.window.scale
    rng = bench.dice(f"{view} wear")
    for side in SIDES:
        across = side * x
        if view == "front":
            rubbed = _oval(across, y, 13, cut.crotch + 15, 6.5, 17, 0.55) + _oval(
                across, y, 13, cut.knee_at + 3, 6.5, 9, 0.25
            )
            creases = ((-4.5, -0.28, 0.5), (-1.5, -0.16, 0.6), (2.0, 0.02, 0.5), (5.5, 0.18, 0.35))
            folds = [(cut.crotch + at, slope, strength * 0.42, 10.0, 6.5) for at, slope, strength in creases]
        else:
            rubbed = _oval(across, y, 11, 20.5, 6.5, 6.5, 0.42) + _oval(across, y, 13, cut.crotch + 19, 5.5, 14, 0.22)
            rubbed += _oval(across, y, 13, cut.length - 2, 8, 4, 0.25)
            folds = [(cut.knee_at - 4 + 3.4 * at, (-1) ** at * 0.14, 0.17, 13.0, 6.0) for at in range(4)]
        patchy = 1 + 0.12 * noise(sheet.window.shape, scale * 1.2, bench.seed + 50 + side, 3, (0.5, 1.8))
        sheet.wear += rubbed * patchy
        for at, slope, strength, center, reach in folds:
            line = at + slope * (across - 9) + 0.012 * (across - 9) ** 2 + float(rng.normal(0, 0.4))
            width = 0.55 + 0.03 * np.maximum(across, 0)
            ridge = np.exp(-(((y - line) / width) ** 2)) * np.exp(-(((across - center) / reach) ** 2))
            sheet.wear += (strength * ridge).astype(np.float32)


def _oval(x: Field, y: Field, center_x: float, center_y: float, across: float, along: float, strength: float) -> Field:
    return np.asarray(strength * np.exp(-(((x - center_x) / across) ** 2) - ((y - center_y) / along) ** 2), np.float32)


def _fly(sheet: Sheet, cut: TrouserCut) -> None:
    c = cut.crotch
    if cut.pockets == "none":
        sheet.seam(path(f"M 0 1 L 0 {c}"), Seam(pucker=0.03, shade=0.2))
        return
    jeans = cut.style == "jeans"
    ridge = Seam(
        groove_width=0.07,
        pucker=0.05,
        pucker_length=1.3,
        pucker_width=1.0,
        ridge=0.06,
        shade=0.3,
        wear=0.4,
        stitches=thread(cut, 0.15) if jeans else (),
    )
    sheet.seam(path(f"M 0 1 L 0 {c}"), ridge, -1)
    curve = path(f"M 4.3 2.9 L 4.2 {c - 13.5} C 4.1 {c - 10} 2.6 {c - 8} .15 {c - 7.3}")
    rows = thread(cut, 0.0, 0.55) if jeans else row(0.0)
    sheet.seam(curve, Seam(groove=0.012, pucker=0.03, shade=0.05, wear=0.2, stitches=rows))


def _front_shape(sheet: Sheet, cut: TrouserCut, side: int) -> None:
    """Pleats and pressed creases."""
    (ko, ki), (ho, hi) = cut.knee, cut.hem
    if cut.creased or cut.style == "chino":
        start = 22 if not cut.pleats else 7
        line = f"M 10.5 {start} L {(ko + ki) / 2} {cut.knee_at} L {(ho + hi) / 2} {cut.length}"
        sheet.crease(on_side(side, line), 0.30 if cut.creased else 0.09, starts_over=9)
    places = ((8.0, 21), (11.8, 14))[: cut.pleats]
    for x, length in places:
        pleat = f"M {x} 2.6 C {x + 0.2} 8 {x + 0.9} {length - 4} {x + 1.3} {length + 5}"
        sheet.pleat(on_side(side, pleat), length + 1, 0.42, 1.7, side)


def _seat(sheet: Sheet, cut: TrouserCut) -> None:
    """The back: center seam, yoke, pockets or darts."""
    jeans = cut.style == "jeans"
    center = Seam(
        groove_width=0.07,
        pucker=0.06,
        pucker_length=1.0,
        ridge=0.07 if jeans else 0,
        shade=0.3,
        wear=0.4,
        stitches=thread(cut, 0.15, 0.7) if jeans else (),
    )
    sheet.seam(path(f"M 0 .5 L 0 {cut.crotch}"), center)
    w, h = cut.waist, cut.hip
    wide = h / 25.2
    for side in SIDES:
        if jeans:
            yoke = Seam(groove_width=0.07, pucker=0.05, shade=0.3, wear=0.4, stitches=heavy(-0.2, -0.8))
            sheet.seam(on_side(side, f"M 0 10.4 L {w + 1.4} 6.4"), yoke, side)
            back_pocket(sheet, side, wide)
        elif cut.back == "welt":
            x = 12.0 * wide
            mouth = f"M {x - 6} 12.6 L {x + 6} 12.0"
            sheet.seam(
                on_side(side, mouth),
                Seam(groove=0.10, groove_width=0.12, pucker=0.02, shade=0.5, stitches=row(0.4, -0.4)),
                side,
            )
            dart = Seam(groove=0.05, groove_width=0.08, shade=0.2)
            sheet.seam(on_side(side, f"M {x} 3.5 L {x + 0.2} 12.0"), dart, side)
            sheet.seam(
                on_side(side, f"M {x - 0.1} 13.1 L {x + 0.1} 14.4"),
                Seam(groove=0.03, groove_width=0.05, shade=0.4, pucker=0),
                side,
            )
        else:
            sheet.seam(on_side(side, "M 10.5 3.5 L 10.9 13.5"), Seam(groove=0.05, groove_width=0.08, shade=0.2), side)
        if cut.creased:
            (ko, ki), (ho, hi) = cut.knee, cut.hem
            line = f"M 11.5 {cut.crotch - 3} L {(ko + ki) / 2} {cut.knee_at} L {(ho + hi) / 2} {cut.length}"
            sheet.crease(on_side(side, line), 0.28, starts_over=14)


def _rivets(bench: Bench, cut: TrouserCut, sheet: Sheet) -> None:
    for side in SIDES:
        for x, y in ((9.0, 6.6), (cut.waist + 1.0, 10.4)):
            bench.scene.fasten(sheet, side * x, y, Button(0.36, "rivet", metal=True, stands=0.04))


def close_up(cut: TrouserCut, detail: str) -> tuple[tuple[float, float], float]:
    """Center and width of the third picture, in centimeters."""
    middle = (cut.hem[0] + cut.hem[1]) / 2
    views = {
        "waistband": ((-0.36 * cut.waist, 7.0), 21.0),
        "pocket": ((-cut.waist + 6.0, 9.5), 21.0),
        "backpocket": ((cut.waist - 7.5, 12.5), 25.0),
        "hem": ((middle - 1.0, cut.length - 10.5), 25.0),
        "knee": ((cut.knee[0] * 0.5 + 2, cut.knee_at + 12), 28.0),
    }
    return views[detail]


def frame(cut: TrouserCut) -> tuple[tuple[float, float], float]:
    """Center and width of the whole pair's picture."""
    tall = (cut.length + 5) * 0.75 / 0.885
    return (0.0, (cut.length - 2.2) / 2), max(tall, 2 * max(cut.hem[0], cut.hip) + 12, 78.0)
