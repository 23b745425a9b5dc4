"""Each recipe of the justfile installs the packages that its commands need."""

import re

from server.platform.core.package_data import ROOT

OF_THE_DEV_GROUP = re.compile(
    r"\bpytest\b|\bpython -m tests\.|\bpython tests/|\bruff\b|\bmypy\b|\blint-imports\b|--reload\b"
)
RECIPE = re.compile(
    r"^(?P<name>[a-z_][\w-]*)(?P<parameters>[^:\n]*):(?!=)(?P<needs>[^\n]*)\n(?P<body>(?:[ \t].*\n|\n)*)", re.M
)


def recipes() -> dict[str, re.Match[str]]:
    text = (ROOT / "justfile").read_text() + "\n"
    return {recipe["name"]: recipe for recipe in RECIPE.finditer(text)}


def installs_dev_group(name: str, all_recipes: dict[str, re.Match[str]]) -> bool:
    """Whether the recipe or one that it depends on installs the group."""
    recipe = all_recipes[name]
    return "--group dev" in recipe["body"] or any(
        installs_dev_group(each, all_recipes) for each in recipe["needs"].split()
    )


def test_recipes_install_the_development_tools_they_run() -> None:
    all_recipes = recipes()
    users = [name for name, recipe in all_recipes.items() if OF_THE_DEV_GROUP.search(recipe["body"])]

    assert {"test", "dev", "lint", "types", "server-tests", "e2e", "bench"} <= set(users)
    assert [name for name in users if not installs_dev_group(name, all_recipes)] == []
