"""The lint of the client checks which folder owns which kind of GraphQL document."""

import subprocess
import sys
from pathlib import Path

import pytest

CLIENT = Path(__file__).parents[2] / "client"


@pytest.mark.parametrize(
    ("path", "document", "said"),
    [
        ("routes/cart.graphql", "mutation EmptyCart { a }", "routes owns no mutation, but has EmptyCart"),
        ("routes/cart.graphql", "fragment CartLine on Cart { a }", "routes owns no fragment, but has CartLine"),
        ("app/menu.graphql", "query Menu { a }", "app owns no query, but has Menu"),
    ],
)
def test_a_document_in_a_foreign_room_is_refused(tmp_path: Path, path: str, document: str, said: str) -> None:
    _write(tmp_path, path, document)

    checked = _check(tmp_path)

    assert checked.returncode == 1
    assert checked.stderr == f"{path}: {said}.\n"


def test_screens_ask_and_features_act(tmp_path: Path) -> None:
    _write(tmp_path, "routes/cart.graphql", "query Cart { a }")
    _write(tmp_path, "features/cart/line.graphql", "fragment Line on Cart { a } mutation Empty { a } query Count { a }")

    checked = _check(tmp_path)

    assert (checked.returncode, checked.stderr) == (0, "")


def _write(folder: Path, path: str, document: str) -> None:
    (folder / path).parent.mkdir(parents=True)
    (folder / path).write_text(document)


def _check(folder: Path) -> subprocess.CompletedProcess[str]:
    node = Path(sys.executable).with_name("node")
    return subprocess.run([node, "lint/documents.js", folder], cwd=CLIENT, capture_output=True, text=True)
