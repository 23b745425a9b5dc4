"""`python -m demo.pictures [slug ...]`: draw the pictures of the named products, or of all."""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from demo.catalogue import PICTURES, VIEWS, Product, View, products
from demo.pictures import drawing, encode, measured, originals


def main() -> None:
    options = _options()
    chosen = [product for product in products() if not options.slugs or product.slug in options.slugs]
    unknown = set(options.slugs) - {product.slug for product in chosen}
    if unknown:
        sys.exit(f"Not in the catalogue: {', '.join(sorted(unknown))}")
    jobs = [(product, tuple(options.views), options.into) for product in chosen]
    total = 0
    with ProcessPoolExecutor(options.processes) as pool:
        for (product, _, _), size in zip(jobs, pool.map(_draw, jobs), strict=True):
            total += size
            sys.stdout.write(f"{product.slug}: {size / 1000:.0f} kB\n")
            sys.stdout.flush()
    originals.note(options.into)
    measured.write()
    sys.stdout.write(f"{len(chosen)} products, {total / 1e6:.1f} MB in {options.into}\n")


def _draw(job: tuple[Product, tuple[View, ...], Path]) -> int:
    product, views, folder = job
    files = {(picture.color, picture.view): picture.file for picture in product.pictures}
    drawn = drawing.pictures(product, views)
    return sum(encode.save(picture, folder / files[color, view], view) for color, view, picture in drawn)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m demo.pictures", description=__doc__)
    parser.add_argument("slugs", nargs="*", help="products to draw; all when none is named")
    parser.add_argument("--views", nargs="+", choices=VIEWS, default=VIEWS)
    parser.add_argument("--into", type=Path, default=PICTURES, help="folder to write to (%(default)s)")
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
