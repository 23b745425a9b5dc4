"""Sleeves, laid beside the body, and their cuffs."""

from dataclasses import dataclass
from math import radians

from demo.pictures.bench import Bench, row
from demo.pictures.cloth import Slack
from demo.pictures.outlines import on_side
from demo.pictures.raster import Points
from demo.pictures.scene import Button
from demo.pictures.sheet import Seam, Sheet, Volume
from demo.pictures.shirt_cuts import Lines, ShirtCut


@dataclass(frozen=True)
class Sleeve:
    """A sleeve's outline, its cuff's, and the lines across it."""

    outline: str
    cuff: str | None
    opening: str
    end: str
    slacks: tuple[Slack, ...]

    def shell(self, cut: ShirtCut, side: int) -> Points:
        """The outline drawn on under the body, so that the air in the sleeve does not end at the armhole."""
        (sx, sy), x = cut.shoulder, cut.chest
        hidden = f"L {x - 11} {cut.armpit + 4} L {sx - 15} {cut.armpit} L {sx - 15} {sy - 10}"
        visible, _, _ = self.outline.rpartition(f" L {sx - 7} {cut.armpit - 2}")
        return on_side(side, f"{visible} {hidden}")


def lay_sleeve(bench: Bench, cut: ShirtCut, lines: Lines, side: int, view: str) -> None:
    sleeve = sleeve_of(cut)
    (sx, sy), name = cut.shoulder, f"{view} sleeve {side}"
    outline = on_side(side, sleeve.outline)
    hidden = on_side(side, f"M {sx - 7} {sy} L {sx - 7} {cut.armpit - 2} L {cut.chest - 3} {cut.armpit + 1}")
    slacks = [slack.on_side(side) for slack in sleeve.slacks]
    sheet = bench.sheet(
        name,
        outline,
        grain=-side * radians(13),
        joined=[hidden],
        volume=Volume(2.0, 6, sleeve.shell(cut, side)),
        slacks=bench.varied(name, slacks, cut.ease),
    )
    if sheet is None:
        return
    if cut.sleeve == "full":
        sheet.gather(lines.armhole_line(side), 0.16, 0.55, 7, -side)
        sheet.gather(on_side(side, sleeve.opening), 0.14, 0.5, 8, -side)
    if sleeve.cuff is None:
        sheet.seam(on_side(side, sleeve.end), Seam(groove=0, shade=0, pucker=0.05, stitches=row(-2.4)), side)
        sheet.seam(on_side(side, sleeve.end) - (0, 2.4), Seam(groove=0.02, shade=0.08, pucker=0.03), side)
    else:
        _cuff(sheet, sleeve, sleeve.cuff, cut, side, view)
    bench.scene.lay(sheet)
    if sleeve.cuff is not None and view == "front":
        end = cut.wrist
        bench.scene.fasten(sheet, side * (sx + 8.2), end - 2.4, Button(0.46, tilt=0.4 * side))


def sleeve_of(cut: ShirtCut) -> Sleeve:
    return _short_sleeve(cut) if cut.sleeve == "short" else _long_sleeve(cut)


def _long_sleeve(cut: ShirtCut) -> Sleeve:
    (sx, sy), a = cut.shoulder, cut.armpit
    slope = (sy + 0.6) / (sx - 7.8)
    end = cut.wrist
    full = 3.2 if cut.sleeve == "full" else 0.0
    outline = (
        f"M {sx - 7} {sy - 7 * slope:.3f} L {sx} {sy} "
        f"C {sx + 4.6 + full} {sy + 4.6 * slope - full * 0.9:.3f} {sx + 8.2 + full} 13 {sx + 10 + full} 23.5 "
        f"C {sx + 12 + full} 35 {sx + 14.6 + full} 47 {sx + 15.6 + full * 0.6} {end - 8.6} L {sx + 16.4} {end - 1.4} "
        f"C {sx + 13} {end} {sx + 9} {end + 0.9} {sx + 5.6} {end + 1.2} L {sx + 4.6 - full * 0.9} {end - 6.0} "
        f"C {sx + 3.2 - full} {end - 18} {cut.chest - 0.6} {a + 12} {cut.chest - 3} {a + 1} "
        f"L {sx - 7} {a - 2} L {sx - 7} {sy - 7 * slope:.3f}"
    )
    cuff = (
        f"M {sx + 4.5} {end - 6.1} "
        f"C {sx + 8} {end - 6.3} {sx + 12.5} {end - 7.2} {sx + 15.9} {end - 8.5} "
        f"L {sx + 16.9} {end - 1.3} "
        f"C {sx + 13} {end + 0.2} {sx + 9} {end + 1.1} {sx + 5.4} {end + 1.4} L {sx + 4.5} {end - 6.1}"
    )
    opening = f"M {sx + 4.5} {end - 6.1} C {sx + 8} {end - 6.3} {sx + 12.5} {end - 7.2} {sx + 15.9} {end - 8.5}"
    hem = f"M {sx + 5.6} {end + 1.2} C {sx + 9} {end + 0.9} {sx + 13} {end} {sx + 16.4} {end - 1.4}"
    # The arm bends: cloth bunches inside the elbow and fans out from there, and runs down to elbow and cuff elsewhere.
    slacks = (
        Slack(sx + 4.5, 37, 4.5, 5, -12, 66, 0.036),
        Slack(sx + 4, 30, 4.5, 4, 0, 38, 0.026),
        Slack(sx + 6.5, 44, 4.5, 4, -15, 104, 0.028),
        Slack(sx + 7.5, 20, 4, 8, -14, 22, 0.020),
        Slack(sx + 12, 49, 3.5, 6, -10, 48, 0.022),
        Slack(sx + 10.5, end - 12, 7, 4, 0, -10, 0.024),
        Slack(sx + 4.5, 10, 5, 5, 0, 60, 0.010),
    )
    return Sleeve(outline, cuff, opening, hem, slacks)


def _short_sleeve(cut: ShirtCut) -> Sleeve:
    (sx, sy), a = cut.shoulder, cut.armpit
    slope = (sy + 0.6) / (sx - 7.8)
    outline = (
        f"M {sx - 7} {sy - 7 * slope:.3f} L {sx} {sy} "
        f"C {sx + 4.6} {sy + 4.6 * slope:.3f} {sx + 8.8} 10.4 {sx + 11.2} 15.5 L {sx + 14.6} 25.4 "
        f"C {sx + 11} 28.4 {sx + 7} 30.4 {sx + 2.6} 31.4 L {cut.chest - 3} {a + 1} "
        f"L {sx - 7} {a - 2} L {sx - 7} {sy - 7 * slope:.3f}"
    )
    hem = f"M {sx + 2.6} 31.4 C {sx + 7} 30.4 {sx + 11} 28.4 {sx + 14.6} 25.4"
    return Sleeve(
        outline, None, hem, hem, (Slack(sx + 8, 18, 6, 7, 0, 40, 0.03), Slack(sx + 9, 24, 7, 4, 0, 10, 0.018))
    )


def _cuff(sheet: Sheet, sleeve: Sleeve, cuff: str, cut: ShirtCut, side: int, view: str) -> None:
    sx = cut.shoulder[0]
    end = cut.wrist
    doubled = (0.75,) if cut.double_stitched else ()
    sheet.part(on_side(side, cuff), 0.2, grain=-side * radians(98))
    sheet.seam(
        on_side(side, sleeve.opening),
        Seam(groove=0.02, pucker=0.045, pucker_length=0.7, stitches=row(0.2, *doubled)),
        side,
    )
    sheet.seam(on_side(side, sleeve.end), Seam(groove=0, shade=0, pucker=0.03, stitches=row(-0.5)), side)
    if view == "front":
        for x, length in ((11.6, 7.5), (13.2, 5.5)) if cut.sleeve != "full" else ():
            tuck = (
                f"M {sx + x} {end - 7.7} C {sx + x - 0.3} {end - 9} {sx + x - 0.6} {end - 11} {sx + x - 1.2} {end - 14}"
            )
            sheet.pleat(on_side(side, tuck), length, 0.14, 1.2, -side, 0.2)
    else:
        strip = (
            f"M {sx + 6.9} {end - 18} L {sx + 8.1} {end - 19} L {sx + 9.2} {end - 18.2} "
            f"L {sx + 10.6} {end - 6.4} L {sx + 8.2} {end - 6.1} "
            f"L {sx + 6.9} {end - 18}"
        )
        sheet.part(on_side(side, strip), 0.12)
        sheet.seam(
            on_side(side, f"M {sx + 9.2} {end - 18} L {sx + 10.6} {end - 6.4}"),
            Seam(groove=0, shade=0, pucker=0.02, stitches=row(0.2)),
            side,
        )
