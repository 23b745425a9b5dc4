"""The API's contract between client and server, printed from the server's types.

`schema.graphql`; `possibleTypes.json` for Apollo's cache, which needs it for fragments on interfaces and unions; and
`scalars.json` for code generators: what each scalar is in JSON.
"""

import difflib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from graphql import GraphQLSchema, is_abstract_type, is_scalar_type, is_specified_scalar_type

from server.platform.processes.console import CommandRefused, say
from server.schema import build

ROOT = Path(__file__).resolve().parents[2]


def write(folder: Path = ROOT) -> None:
    """Writes the files."""
    for name, printed in FILES.items():
        (folder / name).write_text(printed())
        say(f"{name} is written")


def check(folder: Path = ROOT) -> None:
    """Raises CommandRefused with the differences when a file is outdated."""
    for name, printed in FILES.items():
        file = folder / name
        committed, served = file.read_text() if file.exists() else "", printed()
        if committed != served:
            names = (f"{name} as committed", "as the server serves it")
            lines = difflib.unified_diff(committed.splitlines(), served.splitlines(), *names, lineterm="")
            raise CommandRefused("\n".join([*lines, "", "`just print-schema` writes it anew."]))
        say(f"{name} is what the server serves")


def possible_types(schema: GraphQLSchema) -> dict[str, list[str]]:
    """The members of every interface and union, by its name."""
    kinds = {name: kind for name, kind in schema.type_map.items() if is_abstract_type(kind)}
    return {name: sorted(each.name for each in schema.get_possible_types(kind)) for name, kind in sorted(kinds.items())}


def scalars(schema: GraphQLSchema) -> dict[str, str]:
    """TypeScript's type of every scalar that code generators do not know; each is a string in JSON."""
    own = [
        name for name, kind in schema.type_map.items() if is_scalar_type(kind) and not is_specified_scalar_type(kind)
    ]
    return dict.fromkeys(["ID", *sorted(own)], "string")


def _json(made: Mapping[str, object]) -> str:
    return json.dumps(made, indent=2) + "\n"


FILES: dict[str, Callable[[], str]] = {
    "schema.graphql": lambda: build(introspection=True).as_str() + "\n",
    "possibleTypes.json": lambda: _json(possible_types(build(introspection=True)._schema)),
    "scalars.json": lambda: _json(scalars(build(introspection=True)._schema)),
}
