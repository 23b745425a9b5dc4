"""Pockets of jeans and trousers, in front, behind and on the leg."""

from math import radians

from demo.pictures.bench import bar_tack, heavy, row
from demo.pictures.outlines import SIDES, on_side, path
from demo.pictures.sheet import Seam, Sheet, Stitch
from demo.pictures.trouser_cuts import TrouserCut


def thread(cut: TrouserCut, *offsets: float) -> tuple[Stitch, ...]:
    """Rows of stitches: heavy on jeans, fine on trousers."""
    return heavy(*offsets) if cut.style == "jeans" else row(*offsets)


def front_pocket(sheet: Sheet, cut: TrouserCut, side: int) -> None:
    w = cut.waist
    if cut.pockets == "scoop":
        mouth = f"M 8.4 2.6 C 9.0 7.8 12.4 10.6 {w + 2.8} 11.4"
        bag = on_side(side, f"M 8.4 .9 C 9.0 7.8 12.4 10.6 {w + 3.0} 11.4 L {w + 2} 0 L 8.4 .9")
        sheet.sunk(bag, 0.10)
        if side < 0:
            coin = Seam(groove=0.04, pucker=0.02, shade=0.2, wear=0.10, stitches=heavy(0.18, 0.5))
            sheet.seam(on_side(side, f"M 11.8 6.5 L {w - 1.2} 7.4"), coin, side, within=bag)
            sheet.seam(
                on_side(side, "M 11.8 6.5 L 12.3 11"),
                Seam(groove=0.03, pucker=0.02, wear=0.08, stitches=heavy(-0.18)),
                side,
                within=bag,
            )
        edge = Seam(groove=0.10, groove_width=0.09, pucker=0.05, shade=0.42, wear=0.34, stitches=thread(cut, 0.2, 0.75))
        sheet.seam(on_side(side, mouth), edge, side)
    elif cut.pockets == "slant":
        slant = on_side(side, f"M {w - 4.2} 2.5 L {w + 2.9} 17.6")
        sheet.seam(slant, Seam(groove=0.10, groove_width=0.09, shade=0.4, stitches=row(0.55)), side)
        sheet.seam(on_side(side, f"M {w + 0.6} 17.2 L {w + 2.9} 17.6"), bar_tack(), side)
    elif cut.pockets == "patch":
        pocket = f"M {w - 5.6} 5.0 L {w + 2.4} 17.0 L {w + 4.6} 27 L 7.4 26.4 L 6.6 5.0"
        sheet.part(on_side(side, f"{pocket} L {w - 5.6} 5.0"), 0.2)
        sheet.seam(
            on_side(side, pocket), Seam(groove=0.03, shade=0.12, pucker=0.04, wear=0.3, stitches=heavy(0.2, 0.8)), side
        )


def back_pocket(sheet: Sheet, side: int, wide: float) -> None:
    left, right = 4.8 * wide, 18.2 * wide
    middle = (left + right) / 2 + 0.6
    edge = f"M {left} 12.4 L {left + 1.0} 23.4 L {middle} 26.0 L {right + 0.4} 21.8 L {right} 10.9"
    pocket = on_side(side, f"{edge} L {left} 12.4")
    sheet.part(pocket, 0.22)
    # The line runs down the inner edge and up the outer one, so the pocket lies on its negative side.
    sheet.seam(
        on_side(side, edge), Seam(groove=0.04, pucker=0.05, shade=0.25, wear=0.5, stitches=heavy(-0.2, -0.72)), side
    )
    mouth = Seam(groove=0, shade=0, pucker=0.02, wear=0.3, stitches=heavy(0.0, 0.5))
    sheet.seam(on_side(side, f"M {left + 0.2} 14.1 L {right + 0.1} 12.6"), mouth, side, within=pocket)
    sheet.seam(on_side(side, f"M {left} 12.4 L {right} 10.9"), Seam(groove=0, shade=0, pucker=0.02, wear=0.6), side)
    for x, y in ((left + 0.1, 12.6), (right - 0.1, 11.2)):
        sheet.seam(on_side(side, f"M {x} {y} L {x} {y + 0.9}"), bar_tack(), side)


def tool_pockets(sheet: Sheet, cut: TrouserCut, view: str) -> None:
    """A rule pocket on one leg and a hammer loop on the other; double knees where there are any."""
    (ko, ki), c = cut.knee, cut.crotch
    if cut.doubled_knee and view == "front":
        for side in SIDES:
            panel = (
                f"M {cut.hip + 2} {c + 8} L {ki - 1.5} {c + 13} L {ki - 1.5} {cut.knee_at + 19} "
                f"L {ko + 2} {cut.knee_at + 18} L {cut.hip + 2} {c + 8}"
            )
            sheet.part(on_side(side, panel), 0.17)
            for line, rows in (
                (f"M {ki - 1.5} {c + 13} L {cut.hip + 2} {c + 8}", (0.25, 0.95)),
                (f"M {ki - 1.5} {cut.knee_at + 19} L {ko + 2} {cut.knee_at + 18}", (-0.25, -0.95)),
            ):
                sheet.seam(
                    on_side(side, line),
                    Seam(groove=0.05, pucker=0.05, shade=0.22, wear=0.4, stitches=heavy(*rows)),
                    side,
                )
    if view == "back":
        rule = (
            f"M {cut.hip - 7.6} {c + 4} L {cut.hip + 2} {c + 2.4} L {cut.hip + 2} {c + 22} "
            f"L {cut.hip - 7.2} {c + 21} L {cut.hip - 7.6} {c + 4}"
        )
        sheet.part(path(rule), 0.2)
        around = (
            f"M {cut.hip + 2} {c + 2.4} L {cut.hip - 7.6} {c + 4} L {cut.hip - 7.2} {c + 21} L {cut.hip + 2} {c + 22}"
        )
        sheet.seam(path(around), Seam(groove=0.04, pucker=0.04, shade=0.2, wear=0.3, stitches=heavy(-0.2, -0.8)))
    if view == "front" and not cut.doubled_knee:
        loop = (
            f"M {cut.hip - 6} {c + 4.0} "
            f"C {cut.hip - 3} {c + 5.6} {cut.hip - 0.5} {c + 5.0} {cut.hip + 0.2} {c + 3.4} "
            f"L {cut.hip + 0.2} {c + 5.6} "
            f"C {cut.hip - 0.5} {c + 7.2} {cut.hip - 3} {c + 7.8} {cut.hip - 6} {c + 6.2} "
            f"L {cut.hip - 6} {c + 4.0}"
        )
        sheet.part(path(loop), 0.3, grain=radians(90))
        for offset in (4.3, 5.9):
            x, y = cut.hip, c + offset
            line = f"M {x - 6} {y} C {x - 3} {y + 1.6} {x - 0.5} {y + 1.0} {x + 0.2} {y - 0.6}"
            sheet.seam(path(line), Seam(groove=0, shade=0, pucker=0.02, stitches=heavy(0.0)))
