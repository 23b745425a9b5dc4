"""What is printed of the schema for clients and their code generators."""

import json
import re
from pathlib import Path

import pytest

from server.platform.processes.console import CommandRefused
from server.run import schema_file
from server.schema import build
from server.schema_files import FILES

SCHEMA = build()._schema


def test_an_outdated_file_is_refused_with_its_differences(tmp_path: Path) -> None:
    schema_file.write(tmp_path)
    schema_file.check(tmp_path)
    for name in FILES:
        file = tmp_path / name
        text = file.read_text()
        file.write_text(text.replace("Product", "Garment").replace("Money", "Coins"))

        with pytest.raises(CommandRefused, match=f"{name} as committed"):
            schema_file.check(tmp_path)

        file.write_text(text)


def test_possible_types_have_every_interface_and_union() -> None:
    possible = json.loads((schema_file.ROOT / "possibleTypes.json").read_text())

    assert possible["Node"] == ["Address", "Category", "Order", "Product", "Variant"]
    assert possible["SignInResult"] == [
        "InvalidCredentials",
        "InvalidInput",
        "SecondFactorRequired",
        "SignedIn",
        "TooManyAttempts",
    ]
    assert set(possible["UserError"]) > {"InvalidInput", "TooManyAttempts"}


def test_scalars_are_those_of_the_clients_own_code_generator() -> None:
    scalars = json.loads((schema_file.ROOT / "scalars.json").read_text())
    codegen = (schema_file.ROOT / "client/codegen.ts").read_text()

    [own] = re.findall(r"const scalars = \{([^}]+)\}", codegen)

    assert dict(re.findall(r"(\w+): '(\w+)'", own)) == scalars
