"""Chest pockets, flaps and the western yoke."""

from demo.pictures.bench import Bench, row
from demo.pictures.outlines import SIDES, on_side
from demo.pictures.scene import Button
from demo.pictures.sheet import Seam, Sheet
from demo.pictures.shirt_cuts import PLACKET, ShirtCut


def sew_pockets(sheet: Sheet, cut: ShirtCut) -> None:
    if cut.pockets == "one":
        _patch_pocket(sheet, cut, 1, 0.0)
    elif cut.pockets == "two":
        for side in SIDES:
            _patch_pocket(sheet, cut, side, 0.0)
    elif cut.pockets == "low":
        _patch_pocket(sheet, cut, 1, 30.0)
    elif cut.pockets in ("flap", "western"):
        for side in SIDES:
            _patch_pocket(sheet, cut, side, 0.4)
            _flap(sheet, cut, side)
        if cut.pockets == "western":
            _western_yoke(sheet, cut)


def pocket_box(cut: ShirtCut) -> tuple[float, float]:
    """The pocket's center and width, kept clear of placket and armhole."""
    width = 11.4 if cut.chest > 24 else 10.2
    return min(13.0, (cut.shoulder[0] - 2.4 + PLACKET) / 2 + 2.0), width / 2


def _patch_pocket(sheet: Sheet, cut: ShirtCut, side: int, lower: float) -> None:
    x, w = pocket_box(cut)
    if lower > 10:
        x, w, y = x + 1.5, w + 2.4, 19.0 + lower
    else:
        y = 19.0 + lower
    deep = 2 * w * 1.02
    point = 2.0 if cut.pockets in ("one", "two", "western") else 0.0
    edge = (
        f"M {x + w} {y - 0.3} L {x + w + 0.2} {y + deep - 1.6} L {x} {y + deep + point - 0.6} "
        f"L {x - w + 0.1} {y + deep - 1.2} L {x - w} {y}"
    )
    sheet.part(on_side(side, f"{edge} L {x + w} {y - 0.3}"), 0.17)
    second = (0.75,) if cut.double_stitched else ()
    sheet.seam(on_side(side, edge), Seam(groove=0.02, shade=0.08, pucker=0.03, stitches=row(0.18, *second)), side)
    if cut.pockets not in ("flap", "western"):
        mouth = on_side(side, f"M {x - w} {y + 2.5} L {x + w} {y + 2.2}")
        sheet.seam(mouth, Seam(groove=0, shade=0, pucker=0.015, stitches=row(0.0)), side)


def _flap(sheet: Sheet, cut: ShirtCut, side: int) -> None:
    x, w = pocket_box(cut)
    w += 0.3
    drop = 1.8 if cut.pockets == "flap" else 3.0
    edge = f"M {x + w} 16.9 L {x + w + 0.2} 20.7 L {x} {20.7 + drop} L {x - w} 21.1 L {x - w - 0.1} 17.3"
    sheet.part(on_side(side, f"{edge} L {x + w} 16.9"), 0.24)
    sheet.seam(on_side(side, edge), Seam(groove=0, shade=0, pucker=0.03, stitches=row(0.18, 0.72)), side)
    sheet.seam(
        on_side(side, f"M {x - w - 0.1} 17.3 L {x + w} 16.9"),
        Seam(groove=0.03, pucker=0.02, stitches=row(0.2, 0.7)),
        side,
    )


def pocket_buttons(bench: Bench, sheet: Sheet, cut: ShirtCut) -> None:
    if cut.pockets not in ("flap", "western"):
        return
    x, _ = pocket_box(cut)
    for side in SIDES:
        bench.scene.fasten(
            sheet, side * x, 20.8 if cut.pockets == "flap" else 21.6, Button(min(cut.button, 0.6), tilt=0.3 * side)
        )


def _western_yoke(sheet: Sheet, cut: ShirtCut) -> None:
    sx, sy = cut.shoulder
    x, _ = pocket_box(cut)
    for side in SIDES:
        edge = f"M {PLACKET} 12.6 C 6 12.2 {x - 3} 12.6 {x} 15.4 C {x + 1.5} 12.4 {sx - 3} 11.4 {sx - 1.6} {sy + 6.4}"
        sheet.part(on_side(side, f"{edge} L {sx - 1} {sy} L 7 0 L {PLACKET} 6 L {PLACKET} 12.6"), 0.12)
        sheet.seam(on_side(side, edge), Seam(groove=0.02, shade=0.10, pucker=0.04, stitches=row(-0.18, -0.72)), side)
