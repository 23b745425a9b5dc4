"""What shirts and blouses are cut to: measures, and the lines their sheets share."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from demo.pictures.outlines import closed, mirrored, on_side, path
from demo.pictures.raster import Points

# Half the width of the strip that carries the buttons.
PLACKET = 1.65


@dataclass(frozen=True)
class ShirtCut:
    """Half widths and heights in centimeters, from the base of the neck; `shoulder` is the point of the shoulder."""

    shoulder: tuple[float, float] = (21.8, 4.4)
    chest: float = 26.0
    waist: float = 25.2
    hips: float = 25.8
    armpit: float = 24.5
    length: float = 76.5
    sleeve: Literal["long", "short", "full"] = "long"
    collar: Literal["point", "button-down", "small", "band", "camp"] = "point"
    hem: Literal["tail", "straight", "slit", "band"] = "tail"
    placket: Literal["standard", "plain", "covered", "half"] = "standard"
    pockets: Literal["none", "one", "two", "flap", "western", "low"] = "none"
    back: Literal["box pleat", "side pleats", "gathers", "plain", "western"] = "side pleats"
    darts: bool = False
    buttons: int = 6
    button: float = 0.52
    double_stitched: bool = False
    ease: float = 1.0

    @property
    def wrist(self) -> float:
        """Where the cuff ends. A dropped shoulder takes its length from the sleeve."""
        return 68.0 - max(0, self.shoulder[0] - 21.8) * 0.9


MEN = {
    "button-down": ShirtCut(collar="button-down", pockets="one", back="box pleat"),
    "point": ShirtCut(pockets="one"),
    "point-straight": ShirtCut(pockets="one", hem="straight", length=73, chest=26.6, waist=26.4, hips=26.6),
    "soft": ShirtCut(chest=26.8, waist=26.4, hips=26.6, back="box pleat"),
    "band": ShirtCut(collar="band", chest=26.8, waist=26.4, hips=26.6, back="box pleat"),
    "camp": ShirtCut(
        sleeve="short",
        collar="camp",
        hem="straight",
        placket="plain",
        pockets="one",
        chest=28.2,
        waist=28.0,
        hips=28.0,
        shoulder=(23.4, 4.9),
        length=69.5,
        buttons=4,
        back="plain",
        button=0.6,
    ),
    "overshirt": ShirtCut(
        hem="straight",
        pockets="flap",
        chest=28.2,
        waist=27.8,
        hips=27.8,
        shoulder=(23.4, 4.7),
        length=72.5,
        buttons=6,
        button=0.75,
        double_stitched=True,
        back="plain",
    ),
    "western": ShirtCut(
        pockets="western", back="western", chest=25.6, waist=24.6, hips=25.2, double_stitched=True, button=0.5
    ),
}


WOMEN = {
    "darted": ShirtCut(
        shoulder=(18.6, 4.0),
        chest=22.8,
        waist=20.0,
        hips=23.6,
        armpit=21.8,
        length=67,
        collar="small",
        darts=True,
        back="plain",
        buttons=7,
        button=0.45,
        ease=0.85,
    ),
    "band-blouse": ShirtCut(
        shoulder=(20.0, 4.4),
        chest=24.8,
        waist=23.6,
        hips=25.2,
        armpit=23,
        length=68,
        collar="band",
        placket="covered",
        back="gathers",
        ease=1.1,
    ),
    "oversized": ShirtCut(
        shoulder=(25.4, 6.2),
        chest=29.4,
        waist=29.0,
        hips=29.2,
        armpit=27.5,
        length=77,
        pockets="one",
        back="box pleat",
        ease=1.15,
    ),
    "cropped": ShirtCut(
        shoulder=(22.0, 5.0),
        chest=25.6,
        waist=25.2,
        hips=24.2,
        armpit=24.2,
        length=49,
        hem="band",
        buttons=4,
        pockets="one",
        back="plain",
    ),
    "cropped-camp": ShirtCut(
        shoulder=(21.8, 5.0),
        chest=25.4,
        waist=25.2,
        hips=25.2,
        armpit=23.8,
        length=51,
        sleeve="short",
        collar="camp",
        hem="straight",
        placket="plain",
        buttons=3,
        back="plain",
        button=0.6,
    ),
    "long": ShirtCut(
        shoulder=(22.2, 4.9),
        chest=26.8,
        waist=26.6,
        hips=27.4,
        armpit=25,
        length=88,
        hem="slit",
        buttons=7,
        back="box pleat",
        ease=1.1,
    ),
    "gathered": ShirtCut(
        shoulder=(17.6, 3.8),
        chest=22.6,
        waist=20.8,
        hips=23.4,
        armpit=21.6,
        length=63,
        sleeve="full",
        collar="small",
        darts=True,
        back="plain",
        buttons=7,
        button=0.45,
        ease=0.85,
    ),
    "two-pocket": ShirtCut(
        shoulder=(20.6, 4.5),
        chest=25.2,
        waist=24.4,
        hips=25.2,
        armpit=23.6,
        length=71,
        pockets="two",
        double_stitched=True,
    ),
    "tunic": ShirtCut(
        shoulder=(20.6, 4.5),
        chest=25.0,
        waist=25.6,
        hips=27.0,
        armpit=23.6,
        length=90,
        hem="slit",
        collar="band",
        placket="half",
        buttons=3,
        pockets="low",
        back="gathers",
    ),
}


SHIRTS = MEN | WOMEN


@dataclass(frozen=True)
class Lines:
    """The lines that several sheets of one shirt share."""

    cut: ShirtCut

    @property
    def armhole(self) -> str:
        (sx, sy), c, a = self.cut.shoulder, self.cut.chest, self.cut.armpit
        lean = max(0.4, 2.0 - 0.35 * max(0, sx - 21))
        return f"L {sx} {sy} C {sx - lean} {sy + 5.5} {sx - lean * 0.9:.2f} {a - 6.5} {c} {a}"

    def armhole_line(self, side: int) -> Points:
        sx, sy = self.cut.shoulder
        return on_side(side, f"M {sx} {sy} {self.armhole}")

    def joined(self, side: int) -> Points:
        """Armhole and the first of the side seam, where body and sleeve are one."""
        c, a = self.cut.chest, self.cut.armpit
        return on_side(side, f"M {self.cut.shoulder[0]} {self.cut.shoulder[1]} {self.armhole} L {c} {a + 1.5}")

    @property
    def side_seam(self) -> str:
        c, w, h, a = self.cut.chest, self.cut.waist, self.cut.hips, self.cut.armpit
        middle = (a + self.hem_corner) / 2
        waist_at = min(middle, 46)
        return (
            f"C {c} {a + 5} {w} {waist_at - 7} {w} {waist_at} "
            f"C {w} {waist_at + 7} {h} {self.hem_corner - 9} {h} {self.hem_corner}"
        )

    @property
    def hem_corner(self) -> float:
        return self.cut.length - {"tail": 10.5, "straight": 0.8, "slit": 14.0, "band": 5.2}[self.cut.hem]

    def hem(self, lower: float = 0.0) -> str:
        """From the side seam's end to the center; `lower` for the back, which hangs below the front."""
        h, y, n = self.cut.hips, self.hem_corner, self.cut.length + lower
        if self.cut.hem == "tail":
            return f"C {h - 2.2} {y + 1.6} {h - 6.5} {n - 0.1} 7 {n} L 0 {n}"
        if self.cut.hem == "slit":
            return f"L {h + 0.3} {n - 3.4} C {h + 0.2} {n - 0.9} {h - 1.0} {n - 0.3} {h - 4} {n - 0.2} L 0 {n}"
        return f"L {h - 0.1} {n - 0.8} C 17 {n - 0.2} 8 {n} 0 {n}"

    def hem_line(self) -> Points:
        """The whole hem from the right to the left."""
        right = path(f"M {self.cut.hips} {self.hem_corner} {self.hem()}")
        return across_center(right)

    def front(self) -> Points:
        neck = "M .5 17.9 L 6.0 6.6 L 7.6 -.5" if self.cut.collar == "camp" else "M 0 8.6 C 4 8.3 7 5 7.8 -.6"
        return closed(path(f"{neck} {self.armhole} {self.side_seam} {self.hem()}"))

    def back(self, neck: str = "M 0 .9 C 4 .8 6.5 .2 7.8 -.6", lower: float = 0.0) -> Points:
        return closed(path(f"{neck} {self.armhole} {self.side_seam} {self.hem(lower)}"))

    def shell(self) -> Points:
        """The body without armholes, for the air under it: sleeve and body are one tube there."""
        (sx, sy), c, a = self.cut.shoulder, self.cut.chest, self.cut.armpit
        return closed(
            path(
                f"M 0 -1 L 7.8 -1.5 L {sx} {sy} L {sx + 7} {sy + 7} L {c + 6} {a - 2} "
                f"L {c} {a + 4} {self.side_seam} {self.hem()}"
            )
        )


def across_center(right: Points) -> Points:
    """A line from the center's right end over the center to the left end."""
    return np.vstack([right, mirrored(right)[::-1]])
