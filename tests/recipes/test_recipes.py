"""Each patch of docs/recipes, applied to a copy of the project, in which what it adds is generated and run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.run.migrations import head
from tests.everything import ROOT
from tests.project_copy import copy_project

RECIPES = ROOT / "docs/recipes"
MOST_FILES = {
    "add-a-back-office-screen": 6,
    "add-a-field-of-a-product": 8,
    "add-a-facet": 3,
    "add-a-promotion-rule": 4,
    "add-a-report-dimension": 4,
    "add-a-setting-an-owner-changes": 3,
}
"""Files that a person writes for it; generated ones and tests come on top."""
ALSO_RUN = {
    "add-a-back-office-screen": ("tests/pages/test_screens.py",),
    "add-a-facet": ("tests/catalog/test_queries.py",),
    "add-a-field-of-a-product": ("tests/catalog/test_fields.py", "tests/catalog/test_announcements.py"),
    "add-a-promotion-rule": ("tests/pricing/test_promotions.py",),
    "add-a-report-dimension": (
        "tests/analytics/reports/test_dimensions.py",
        "tests/analytics/reports/test_sales_properties.py",
    ),
    "add-a-setting-an-owner-changes": ("tests/shop/test_settings.py",),
}
"""Tests that cover what is new without a line about it."""
GENERATED = ("schema.graphql", "client/src/graphql/")
PREVIOUS_MIGRATION = "PREVIOUS"
"""Stands in patches for the newest migration, which `just migration` looks up."""

every_recipe = pytest.mark.parametrize("name", sorted(path.stem for path in RECIPES.glob("*.patch")))


def files_of(patch: Path) -> list[str]:
    numbers = subprocess.check_output(("git", "apply", "--numstat", str(patch)), text=True, cwd=ROOT)
    return [line.split("\t")[2] for line in numbers.splitlines()]


def is_test(file: str) -> bool:
    return file.startswith("tests/") or ".test.ts" in file or file.endswith("/fixtures.ts")


def run(*command: str, cwd: Path) -> None:
    """Runs a command of this environment in the copy; the test fails with its output."""
    here = Path(sys.executable).parent
    path = f"{here}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "GIT_CEILING_DIRECTORIES": str(cwd.parent)}
    done = subprocess.run(command, cwd=cwd, env=env, text=True, capture_output=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-6_000:]}\n{done.stderr[-3_000:]}"


@every_recipe
def test_a_recipe_has_words_and_few_files(name: str) -> None:
    by_hand = [file for file in files_of(RECIPES / f"{name}.patch") if not is_test(file)]

    assert (RECIPES / f"{name}.md").read_text().startswith("# ")
    assert [file for file in by_hand if file.startswith(GENERATED)] == []
    assert len(by_hand) <= MOST_FILES[name], by_hand


@every_recipe
def test_a_recipe_applies_to_this_checkout(name: str) -> None:
    subprocess.run(("git", "apply", "--check", str(RECIPES / f"{name}.patch")), cwd=ROOT, check=True)


@pytest.mark.slow
@every_recipe
def test_what_a_recipe_adds_works(name: str, tmp_path: Path) -> None:
    patch, project = RECIPES / f"{name}.patch", copy_project(tmp_path / "project")
    files = files_of(patch)
    tests = [*(file for file in files if is_test(file) and file.endswith(".py")), *ALSO_RUN.get(name, ())]
    client = project / "client"

    run("git", "apply", str(patch), cwd=project)
    for file in files:
        if file.startswith("alembic/versions/"):
            migration = project / file
            migration.write_text(migration.read_text().replace(PREVIOUS_MIGRATION, head()))
    run(sys.executable, "-m", "server", "schema", cwd=project)
    run("npm", "run", "--silent", "codegen", cwd=client)
    run("npm", "run", "--silent", "typecheck", cwd=client)
    if client_tests := [file.removeprefix("client/") for file in files if ".test.ts" in file]:
        run("npx", "vitest", "run", *client_tests, cwd=client)
    run(sys.executable, "-m", "mypy", *(file for file in files if file.endswith(".py")), cwd=project)
    run(sys.executable, "-m", "pytest", "-n0", *tests, cwd=project)
