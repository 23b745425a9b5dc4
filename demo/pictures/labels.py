"""The woven label inside the neck or the waist."""

from demo.pictures.bench import Bench, row
from demo.pictures.outlines import path
from demo.pictures.sheet import Edge, Seam


def label(bench: Bench, y: float, width: float, height: float) -> None:
    """The woven label, sewn on at both ends."""
    x, top, bottom = width / 2, y - height / 2, y + height / 2
    sheet = bench.sheet(
        "label",
        path(f"M {-x} {top} L {x} {top} L {x} {bottom} L {-x} {bottom} L {-x} {top}"),
        ink="label",
        edge=Edge(0.06, 0.03),
    )
    if sheet is None:
        return
    sheet.bare[:] = 0.6
    sheet.letter("MINIMAL", 0, y, 0.55, "lettering")
    for end in (-x + 0.2, x - 0.2):
        sheet.seam(
            path(f"M {end} {top + 0.15} L {end} {bottom - 0.15}"), Seam(groove=0, shade=0, pucker=0, stitches=row(0.0))
        )
    bench.scene.lay(sheet, napped=False)
