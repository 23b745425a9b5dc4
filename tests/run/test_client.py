"""Builds the client only when its sources changed. npm is replaced by a small program that records its calls."""

import gzip
import json
import sys
from pathlib import Path

import brotli
import pytest

from server.platform.processes.console import CommandRefused
from server.run import client

NPM = """#!/bin/sh
echo "$*" >> ../npm.log
case "$*" in
  *broken*) exit 1 ;;
  ci*) mkdir -p node_modules ;;
  *build*)
    mkdir -p dist.unfinished/.vite dist.unfinished/assets && touch dist.unfinished/index.html
    echo 'first();' > dist.unfinished/first.js && echo 'later();' > dist.unfinished/assets/later.js
    touch dist.unfinished/assets/font.woff2
    cp ../manifest.json dist.unfinished/.vite/manifest.json ;;
esac
"""


BUILDS = ("build", "build:back-office", "build:first-view", "build:service-worker", "persisted-queries")
BUILD = [f"run --silent {script}" for script in BUILDS]
EVERYTHING = ["ci", "run --silent codegen", *BUILD]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client with a schema beside it, and our npm in the place of the environment's."""
    tools, folder = tmp_path / "bin", tmp_path / "client"
    (folder / "src").mkdir(parents=True)
    for name in ("package.json", "package-lock.json", "src/main.tsx"):
        (folder / name).write_text("{}")
    manifest = {source: {"file": "first.js"} for source in client._FIRST_SCREENS}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "schema.graphql").write_text("type Query { a: Int }")
    tools.mkdir()
    (tools / "npm").write_text(NPM)
    (tools / "npm").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tools / "python"))
    return folder


def test_the_first_time_everything_is_done_in_order(project: Path) -> None:
    _prepare(project)

    assert _asked(project) == EVERYTHING
    assert (project / "dist/index.html").exists()


def test_what_a_browser_fetches_is_packed_beside_itself(project: Path) -> None:
    _prepare(project)

    packed = {str(file.relative_to(project)): gzip.decompress(file.read_bytes()) for file in project.rglob("*.gz")}
    assert packed == {"dist/first.js.gz": b"first();\n", "dist/assets/later.js.gz": b"later();\n"}
    smaller = {str(file.relative_to(project)): brotli.decompress(file.read_bytes()) for file in project.rglob("*.br")}
    assert smaller == {"dist/first.js.br": b"first();\n", "dist/assets/later.js.br": b"later();\n"}


def test_nothing_is_done_twice(project: Path) -> None:
    _prepare(project)
    _prepare(project)

    assert _asked(project) == EVERYTHING


@pytest.mark.parametrize("changed", ["src/main.tsx", "../schema.graphql"])
def test_a_changed_source_is_built_without_installing_anew(project: Path, changed: str) -> None:
    _prepare(project)
    (project / changed).write_text("changed")

    _prepare(project)

    assert _asked(project)[len(EVERYTHING) :] == ["run --silent codegen", *BUILD]


def test_a_changed_lock_file_installs_and_builds_anew(project: Path) -> None:
    _prepare(project)
    (project / "package-lock.json").write_text("changed")

    _prepare(project)

    assert _asked(project)[len(EVERYTHING) :] == ["ci", "run --silent codegen", *BUILD]


def test_generated_files_are_no_sources(project: Path) -> None:
    _prepare(project)
    (project / "src/cart.generated.ts").write_text("changed")

    _prepare(project)

    assert _asked(project) == EVERYTHING


def test_what_was_generated_from_a_document_that_is_gone_is_removed(project: Path) -> None:
    (project / "src/graphql").mkdir()
    for name in ("cart.graphql", "cart.generated.ts", "gone.generated.ts", "graphql/schema.generated.ts"):
        (project / "src" / name).touch()

    _prepare(project)

    left = {path.name for path in (project / "src").rglob("*.generated.ts")}
    assert left == {"cart.generated.ts", "schema.generated.ts"}


def test_documents_are_generated_without_a_build_when_only_they_are_asked_for(project: Path) -> None:
    client.prepare("documents", project, project.parent / "schema.graphql")

    assert _asked(project) == ["ci", "run --silent codegen"]


def test_a_failed_step_is_tried_again_next_time(project: Path) -> None:
    npm = project.parent / "bin/npm"
    npm.write_text(NPM.replace("broken", "codegen"))
    with pytest.raises(CommandRefused, match="npm run --silent codegen failed"):
        _prepare(project)
    npm.write_text(NPM)

    _prepare(project)

    assert _asked(project) == ["ci", "run --silent codegen", "run --silent codegen", *BUILD]


def _prepare(project: Path) -> None:
    client.prepare("build", project, project.parent / "schema.graphql")


def _asked(project: Path) -> list[str]:
    """What npm was asked for, without options of npm and Vite."""
    lines = (project.parent / "npm.log").read_text().splitlines()
    return [line.split(" --no-")[0].split(" -- ")[0] for line in lines]
