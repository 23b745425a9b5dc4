"""The committed copies of the API's contract (`server/schema_files.py`): written anew, and compared."""

import difflib
from pathlib import Path

from server.platform.processes.console import CommandRefused, say
from server.schema import build
from server.schema_files import FILES

ROOT = Path(__file__).resolve().parents[2]


def write(folder: Path = ROOT) -> None:
    """Writes the files."""
    for name, printed in _printed():
        (folder / name).write_text(printed)
        say(f"{name} is written")


def check(folder: Path = ROOT) -> None:
    """Raises CommandRefused with the differences when a file is outdated."""
    for name, printed in _printed():
        file = folder / name
        committed = file.read_text() if file.exists() else ""
        if committed != printed:
            names = (f"{name} as committed", "as the server serves it")
            lines = difflib.unified_diff(committed.splitlines(), printed.splitlines(), *names, lineterm="")
            raise CommandRefused("\n".join([*lines, "", "`just print-schema` writes it anew."]))
        say(f"{name} is what the server serves")


def _printed() -> list[tuple[str, str]]:
    """The files with their content."""
    schema = build(introspection=True)
    return [(name, content(schema)) for name, content in FILES.items()]
