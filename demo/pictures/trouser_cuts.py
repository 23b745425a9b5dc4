"""What jeans and trousers are cut to: measures, and the lines their sheets share."""

from dataclasses import dataclass, replace
from typing import Literal

from demo.pictures.outlines import closed, on_side, path
from demo.pictures.raster import Points

BAND = 4.0


# The waist is laid so that front and back bands differ by this much at the center.
DIP = 1.1


@dataclass(frozen=True)
class TrouserCut:
    """Half widths measured from the center line, in centimeters, at heights measured from the waist.

    `knee` and `hem` are the outer and the inner edge of the leg there; `bow` pushes the outer edge between them.
    """

    waist: float = 20.6
    hip: float = 24.8
    hip_at: float = 23.0
    crotch: float = 27.5
    knee: tuple[float, float] = (24.4, 1.8)
    hem: tuple[float, float] = (23.4, 2.9)
    length: float = 103.0
    knee_at: float = 60.0
    bow: float = 0.0
    style: Literal["jeans", "chino", "pleated", "flat"] = "jeans"
    pockets: Literal["scoop", "slant", "patch", "none"] = "scoop"
    back: Literal["patch", "welt", "none"] = "patch"
    pleats: int = 0
    creased: bool = False
    tools: bool = False
    doubled_knee: bool = False
    band: float = BAND
    loops: bool = True
    closing: Literal["metal", "button", "hook"] = "metal"
    hem_fold: float = 1.3
    ease: float = 1.0


JEANS = {
    "slim": TrouserCut(waist=20.2, hip=24.2, knee=(22.2, 2.6), hem=(20.6, 4.0), ease=0.9),
    "straight": TrouserCut(),
    "tapered": TrouserCut(hip=25.4, knee=(24.4, 2.4), hem=(21.4, 4.2)),
    "relaxed": TrouserCut(waist=21.4, hip=26.2, crotch=29, knee=(26.8, 1.5), hem=(25.2, 2.5), length=104, ease=1.2),
    "loose": TrouserCut(waist=21.4, hip=27.4, crotch=29.5, knee=(28.6, 1.0), hem=(28.6, 1.6), length=104, ease=1.2),
    "painter": TrouserCut(
        waist=21.4, hip=26.4, crotch=28.5, knee=(26.4, 1.6), hem=(25.4, 2.4), tools=True, closing="metal", ease=1.05
    ),
    "double-knee": TrouserCut(
        waist=21.4, hip=26.4, crotch=28.5, knee=(26.4, 1.6), hem=(25.4, 2.4), doubled_knee=True, tools=True
    ),
    "high-straight": TrouserCut(
        waist=17.6, hip=24.0, hip_at=24, crotch=30.5, knee=(22.8, 2.3), hem=(22.0, 3.2), length=104
    ),
    "wide": TrouserCut(
        waist=17.6, hip=24.2, hip_at=23, crotch=30.5, knee=(27.4, 0.9), hem=(30.4, 0.9), length=107, ease=1.1
    ),
    "flared": TrouserCut(
        waist=17.4, hip=22.6, hip_at=23, crotch=29, knee=(20.4, 3.9), hem=(28.6, 2.0), length=107, knee_at=62, ease=0.85
    ),
    "womens-slim": TrouserCut(
        waist=18.0, hip=23.2, hip_at=21, crotch=27, knee=(19.9, 4.1), hem=(18.0, 5.2), length=96, ease=0.85
    ),
    "barrel": TrouserCut(
        waist=17.8, hip=24.2, hip_at=22, crotch=30.5, knee=(28.2, 1.6), hem=(20.8, 4.0), length=99, bow=2.6, ease=1.15
    ),
    "cropped-wide": TrouserCut(
        waist=17.6,
        hip=24.2,
        hip_at=23,
        crotch=30.5,
        knee=(27.0, 1.1),
        hem=(28.8, 1.1),
        length=90,
        knee_at=56,
        hem_fold=2.6,
    ),
    "boyfriend": TrouserCut(
        waist=19.6,
        hip=25.4,
        hip_at=22,
        crotch=28,
        knee=(25.0, 1.8),
        hem=(22.4, 3.4),
        length=99,
        hem_fold=4.4,
        ease=1.25,
    ),
    "high-tapered": TrouserCut(
        waist=17.6, hip=24.8, hip_at=24, crotch=30.5, knee=(23.8, 2.6), hem=(19.6, 5.0), length=99, ease=1.05
    ),
    "utility": TrouserCut(
        waist=18.2,
        hip=24.6,
        hip_at=24,
        crotch=30,
        knee=(24.4, 1.9),
        hem=(23.6, 2.5),
        length=103,
        pockets="patch",
        tools=True,
        back="patch",
    ),
}


TAILORED = {
    "pleated": TrouserCut(
        waist=18.0,
        hip=25.0,
        hip_at=25,
        crotch=31,
        knee=(24.6, 1.9),
        hem=(22.8, 3.2),
        length=105,
        style="pleated",
        pockets="slant",
        back="welt",
        pleats=2,
        creased=True,
        closing="hook",
        hem_fold=0,
    ),
    "pleated-wide": TrouserCut(
        waist=17.8,
        hip=25.4,
        hip_at=25,
        crotch=31,
        knee=(28.2, 0.9),
        hem=(29.6, 0.9),
        length=107,
        style="pleated",
        pockets="slant",
        back="welt",
        pleats=1,
        closing="button",
        hem_fold=0,
        ease=1.1,
    ),
    "wide-trouser": TrouserCut(
        waist=17.6,
        hip=25.0,
        hip_at=24,
        crotch=31,
        knee=(29.2, 0.8),
        hem=(31.6, 0.7),
        length=109,
        style="flat",
        pockets="none",
        back="none",
        closing="hook",
        hem_fold=0,
        loops=False,
        ease=1.15,
    ),
    "tapered-trouser": TrouserCut(
        waist=18.6,
        hip=24.4,
        hip_at=22,
        crotch=27.5,
        knee=(22.6, 3.0),
        hem=(18.6, 5.2),
        length=97,
        style="chino",
        pockets="slant",
        back="welt",
        closing="button",
        hem_fold=3.2,
    ),
    "culotte": TrouserCut(
        waist=17.4,
        hip=26.6,
        hip_at=25,
        crotch=33,
        knee=(33.0, 0.3),
        hem=(35.6, 0.3),
        length=82,
        knee_at=56,
        style="pleated",
        pockets="slant",
        back="none",
        pleats=2,
        closing="hook",
        hem_fold=0,
        loops=False,
        ease=1.1,
    ),
    "narrow-trouser": TrouserCut(
        waist=18.2,
        hip=23.4,
        hip_at=21,
        crotch=27,
        knee=(20.4, 3.8),
        hem=(17.8, 5.2),
        length=97,
        style="flat",
        pockets="slant",
        back="welt",
        creased=True,
        closing="hook",
        hem_fold=0,
        ease=0.8,
    ),
    "straight-trouser": TrouserCut(
        waist=18.2,
        hip=24.6,
        hip_at=23,
        crotch=29.5,
        knee=(24.2, 1.9),
        hem=(23.0, 3.0),
        length=104,
        style="chino",
        pockets="slant",
        back="welt",
        closing="button",
        hem_fold=3.2,
    ),
    "barrel-trouser": TrouserCut(
        waist=18.0,
        hip=24.6,
        hip_at=23,
        crotch=30.5,
        knee=(28.0, 1.7),
        hem=(20.8, 4.0),
        length=98,
        bow=2.4,
        style="chino",
        pockets="slant",
        back="welt",
        closing="button",
        hem_fold=3.2,
        ease=1.1,
    ),
}


TAILORED["creased-wide"] = replace(TAILORED["pleated-wide"], creased=True, closing="hook")

TROUSERS = JEANS | TAILORED


@dataclass(frozen=True)
class Legs:
    """The lines of one pair of trousers, written for the wearer's left leg, which lies on the picture's right."""

    cut: TrouserCut

    @property
    def outseam(self) -> str:
        c = self.cut
        (ko, _), (ho, _), k, n = c.knee, c.hem, c.knee_at, c.length
        middle = (k + n) / 2
        slope = (ho - c.hip) / (n - c.hip_at)
        return (
            f"C {c.waist + 1.5} {c.hip_at * 0.34} {c.hip - 1.1} {c.hip_at * 0.62} {c.hip} {c.hip_at} "
            f"C {c.hip + 0.5 + c.bow * 0.6} {c.hip_at + 11} {ko - slope * 12 + c.bow} {k - 14} {ko} {k} "
            f"C {ko + (ho - ko) * 0.30 + c.bow * 0.3} {k + 12} "
            f"{ho - (ho - ko) * 0.28 + c.bow * 0.2} {middle + 10} {ho} {n}"
        )

    @property
    def hem(self) -> str:
        (ho, hi), n = self.cut.hem, self.cut.length
        middle = (ho + hi) / 2
        return f"C {middle + 3} {n + 0.9} {middle - 3} {n + 0.9} {hi} {n + 0.4}"

    @property
    def inseam(self) -> str:
        """From hem to crotch."""
        c = self.cut
        (_, ki), (_, hi), k, n = c.knee, c.hem, c.knee_at, c.length
        return (
            f"C {hi + (ki - hi) * 0.3} {(k + n) / 2 + 8} {ki - (ki - hi) * 0.25} {k + 12} {ki} {k} "
            f"C {ki * 0.85} {k - 12} {max(0.8, ki * 0.45)} {c.crotch + 9} .55 {c.crotch + 0.7} L 0 {c.crotch}"
        )

    def half(self) -> str:
        c = self.cut
        return f"M 0 1.9 C 8 1.9 14 1.1 {c.waist} 0 {self.outseam} {self.hem} {self.inseam}"

    def outline(self) -> Points:
        return closed(path(self.half()))

    def hem_line(self, side: int, raised: float = 0.0) -> Points:
        line = on_side(side, f"M {self.cut.hem[0]} {self.cut.length} {self.hem}")
        return line - (0, raised)

    def shell(self) -> Points:
        """The outline drawn on above the waist, so that the air does not end at the waistband."""
        outline = self.outline().copy()
        outline[outline[:, 1] < 4, 1] = -10
        return outline

    def waist(self, view: str, lower: float) -> str:
        """The waistband's upper edge from left to right, or the line `lower` centimeters below it."""
        w = self.cut.waist + 0.1 + lower * 0.15
        dip = DIP if view == "front" else -0.6
        y = lower
        return (
            f"M {-w} {y + 0.2} C -12 {y + dip + 0.2} -6 {y + dip + 0.5} 0 {y + dip + 0.5} "
            f"C 6 {y + dip + 0.5} 12 {y + dip + 0.2} {w} {y + 0.2}"
        )

    def waist_y(self, x: float, view: str) -> float:
        dip = DIP if view == "front" else -0.6
        return float(0.2 + (dip + 0.3) * max(0.0, 1 - (abs(x) / self.cut.waist) ** 2.2))
