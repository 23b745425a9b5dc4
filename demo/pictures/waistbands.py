"""Waistbands with their loops, and the leather patch of jeans."""

from math import radians

import numpy as np

from demo.pictures.bench import Bench, bar_tack, heavy, row
from demo.pictures.cloth import Slack, Stiff
from demo.pictures.outlines import SIDES, path
from demo.pictures.sheet import Edge, Seam, Sheet, Volume
from demo.pictures.trouser_cuts import DIP, Legs, TrouserCut
from demo.pictures.trouser_pockets import thread


def waistband(bench: Bench, cut: TrouserCut, legs: Legs, view: str) -> Sheet | None:
    upper, lower = path(legs.waist(view, 0)), path(legs.waist(view, cut.band))
    outline = np.vstack([upper, lower[::-1], upper[:1]])
    name = f"{view} band"
    slack = [Slack(0, 3, 20, 4, 0, 0, 0.006)]
    sheet = bench.sheet(
        name,
        outline,
        base=0.46,
        edge=Edge(0.22, 0.16),
        grain=radians(90),
        volume=Volume(2.6, 9, legs.shell()),
        slacks=slack,
        stiffs=[Stiff(0, 2, 40, 8, 0.2)],
    )
    if sheet is None:
        return None
    jeans = cut.style == "jeans"
    pucker = 0.05 if jeans else 0.02
    sheet.seam(upper, Seam(groove=0, shade=0, pucker=pucker, wear=0.4, stitches=thread(cut, 0.28) if jeans else ()))
    sheet.seam(
        lower, Seam(groove=0, shade=0, pucker=pucker, wear=0.3, stitches=thread(cut, -0.28) if jeans else row(-0.14))
    )
    if view == "front" and cut.pockets != "none":
        overlap = 2.2 if cut.closing != "metal" else 0.1
        if cut.closing == "hook":
            overlap = 4.4
        end = Seam(
            groove_width=0.06, pucker=0, ridge=0.10, shade=0.5, wear=0.5, stitches=thread(cut, 0.25) if jeans else ()
        )
        sheet.seam(path(f"M {overlap} {DIP} L {overlap} {cut.band + DIP + 1}"), end, -1 if jeans else 1)
    if view == "front" and cut.closing == "button":
        y = cut.band / 2 + DIP + 0.45
        sheet.seam(
            path(f"M 0.1 {y} L 1.9 {y}"),
            Seam(groove=0.03, groove_width=0.05, shade=0.4, pucker=0, stitches=row(-0.1, 0.1, length=0.07, width=0.05)),
        )
    bench.scene.lay(sheet)
    return sheet


def loops(bench: Bench, cut: TrouserCut, legs: Legs, view: str) -> None:
    w = cut.waist
    places = (0.47 * w, 0.85 * w) if view == "front" else (0.0, 0.49 * w, 0.87 * w)
    wide, jeans = (0.58 if cut.style == "jeans" else 0.5), cut.style == "jeans"
    for x in sorted({side * place for side in SIDES for place in places}):
        y = legs.waist_y(x, view)
        outline = path(
            f"M {x - wide} {y - 0.35} L {x + wide} {y - 0.35} L {x + wide} {y + cut.band + 0.65} "
            f"L {x - wide} {y + cut.band + 0.65} L {x - wide} {y - 0.35}"
        )
        sheet = bench.sheet(
            f"{view} loop {x}",
            outline,
            base=0.64,
            edge=Edge(0.12, 0.12),
            volume=Volume(2.6, 9, legs.shell()),
            follows=f"{view} band",
        )
        if sheet is None:
            continue
        for offset in (-0.62 * wide, 0.62 * wide):
            seam = Seam(groove=0, shade=0.05, pucker=0.02, wear=0.2, stitches=thread(cut, 0.0) if jeans else ())
            sheet.seam(path(f"M {x + offset} {y - 0.4} L {x + offset} {y + cut.band + 1}"), seam)
        for at in (-0.1, cut.band + 0.4):
            sheet.seam(
                path(f"M {x - 0.85 * wide} {y + at} L {x + 0.85 * wide} {y + at}"),
                bar_tack() if jeans else Seam(pucker=0, shade=0.2),
            )
        bench.scene.lay(sheet)


def leather_patch(bench: Bench, legs: Legs) -> None:
    w = legs.cut.waist
    left, right = 0.49 * w + 0.9, 0.87 * w - 0.9
    top, bottom = legs.waist_y(left, "back") - 0.2, legs.waist_y(right, "back") + legs.cut.band + 0.2
    outline = path(f"M {left} {top} L {right} {top + 0.15} L {right} {bottom} L {left} {bottom - 0.15} L {left} {top}")
    sheet = bench.sheet(
        "patch",
        outline,
        ink="patch",
        base=0.64,
        edge=Edge(0.1, 0.14),
        volume=Volume(2.6, 9, legs.shell()),
        follows="back band",
    )
    if sheet is None:
        return
    sheet.seam(outline, Seam(groove=0, shade=0, pucker=0.02, stitches=heavy(0.3)))
    sheet.letter("MINIMAL", (left + right) / 2, (top + bottom) / 2, 0.62, "lettering")
    bench.scene.lay(sheet, napped=False)
