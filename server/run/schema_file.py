"""schema.graphql: the API's contract between client and server, printed from the server's types."""

import difflib
from pathlib import Path

from server.platform.processes.console import CommandRefused, say
from server.schema import build

FILE = Path(__file__).resolve().parents[2] / "schema.graphql"


def write(file: Path = FILE) -> None:
    """Writes the file."""
    file.write_text(_printed())
    say(f"{file.name} is written")


def check(file: Path = FILE) -> None:
    """Raises CommandRefused with the differences when the file is outdated."""
    committed, served = file.read_text(), _printed()
    if committed != served:
        names = (f"{file.name} as committed", "as the server serves it")
        lines = difflib.unified_diff(committed.splitlines(), served.splitlines(), *names, lineterm="")
        raise CommandRefused("\n".join([*lines, "", "`just print-schema` writes it anew."]))
    say(f"{file.name} is what the server serves")


def _printed() -> str:
    return build(introspection=True).as_str() + "\n"
