"""Another version of the shop, for what has to work while two of them run side by side."""

import re
import shutil
from hashlib import sha256
from pathlib import Path

from server.run.migrations import head
from tests.outages.units import ROOT

PARTS = ("server", "demo", "alembic", "client/dist")
FILES = ("alembic.ini", "schema.graphql", "client/routes.json")
HASHED = re.compile(r"-([\w-]{8})\.(?:js|css)$")
MIGRATION = '''"""Make room in {table} for what the next version will write down."""

from alembic import op

revision = "{revision}"
down_revision = "{down_revision}"
branch_labels = depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE {table} ADD COLUMN note text")


def downgrade() -> None:
    op.execute("ALTER TABLE {table} DROP COLUMN note")
'''
WIDENED = ("cart_lines", "products", "jobs")
"""Busy tables. Each has a migration, and so a transaction, of its own: one that locked two would deadlock with requests
that lock them in another order."""


def next_version(folder: Path) -> Path:
    """A copy of this checkout as if it were the next version: its scripts and styles have other names, and there are
    further migrations, which expand."""
    there = folder / "next"
    for part in PARTS:
        shutil.copytree(
            ROOT / part, there / part, ignore=shutil.ignore_patterns("__pycache__", "drawn", "*.br", "*.gz")
        )
    for file in FILES:
        shutil.copy(ROOT / file, there / file)
    (there / "demo/pictures/drawn").mkdir()
    (there / "demo/pictures/drawn/originals.json").write_text("{}")
    _build_anew(there / "client/dist")
    names = [f"{int(head()) + number:04}" for number in range(len(WIDENED) + 1)]
    for down_revision, revision, table in zip(names, names[1:], WIDENED, strict=False):
        text = MIGRATION.format(table=table, revision=revision, down_revision=down_revision)
        (there / f"alembic/versions/{revision}_{table}.py").write_text(text)
    return there


def assets(code: Path) -> dict[str, bytes]:
    """The scripts and styles of a version by their paths, as a browser gets them."""
    files = (code / "client/dist/assets").iterdir()
    return {f"/assets/{file.name}": file.read_bytes() for file in files if HASHED.search(file.name)}


def _build_anew(dist: Path) -> None:
    names = {}
    for file in (dist / "assets").iterdir():
        if match := HASHED.search(file.name):
            names[file.name] = file.name.replace(match[1], sha256(file.name.encode()).hexdigest()[:8])
    pattern = re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)))
    for file in [each for each in dist.rglob("*") if each.suffix in (".js", ".css", ".html", ".json")]:
        file.write_text(pattern.sub(lambda name: names[name[0]], file.read_text()))
        file.rename(file.with_name(names.get(file.name, file.name)))
