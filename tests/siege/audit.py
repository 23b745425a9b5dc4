"""`just audit`: asks the OSV database which packages of the lock files are known to be vulnerable.

Exit code 0 says that none is, 1 that some are, 3 that nobody could be asked.
"""

import json
import os
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]
OSV = os.environ.get("OSV_URL", "https://api.osv.dev")
NONE_KNOWN, VULNERABLE, NOT_ASKED = 0, 1, 3
MOST_IN_A_QUESTION = 500


@dataclass(frozen=True)
class Package:
    """One version of one package, as a lock file names it."""

    ecosystem: str
    name: str
    version: str
    lock: str
    hosts: frozenset[str] = frozenset()
    """Where the lock file says it has to be fetched from; empty when it leaves that to the registry."""
    unpinned: int = 0
    """How many of its files are named without a hash."""

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.lock})"


class NotAsked(Exception):
    """The database could not be reached, or did not answer as it should."""


def locked(root: Path = ROOT) -> list[Package]:
    """Every package of every lock file of the project."""
    packages = list(_of_uv(root / "uv.lock"))
    for lock in sorted(root.rglob("package-lock.json")):
        place = lock.relative_to(root)
        if not any(part == "node_modules" or part.startswith(".") for part in place.parts):
            packages += _of_npm(lock, str(place))
    return packages


def vulnerabilities(packages: Sequence[Package], osv: str = OSV) -> dict[Package, list[str]]:
    """Ids of what is known against each. Raises NotAsked."""
    by_package: dict[Package, list[str]] = {}
    try:
        with httpx.Client(base_url=osv, timeout=20) as client:
            for first in range(0, len(packages), MOST_IN_A_QUESTION):
                some = packages[first : first + MOST_IN_A_QUESTION]
                for package, ids in zip(some, _ask(client, some), strict=True):
                    if ids:
                        by_package[package] = ids
    except (httpx.HTTPError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise NotAsked(f"{type(error).__name__}: {error}") from error
    return by_package


def main() -> int:
    packages = locked()
    try:
        ids_by_package = vulnerabilities(packages)
    except NotAsked as error:
        say(f"NOT AUDITED: {OSV} could not be asked about {len(packages)} packages ({error}).")
        say("Nothing is known about them, good or bad. Run `just audit` where the database can be reached.")
        return NOT_ASKED
    for package, ids in sorted(ids_by_package.items(), key=lambda each: str(each[0])):
        say(f"{package}: {', '.join(f'https://osv.dev/{each}' for each in ids)}")
    say(f"{len(ids_by_package)} of {len(packages)} packages are known to be vulnerable.")
    return VULNERABLE if ids_by_package else NONE_KNOWN


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _ask(client: httpx.Client, packages: Sequence[Package]) -> list[list[str]]:
    """One list of ids a package, in their order; long lists come in pages."""
    ids: list[list[str]] = [[] for _ in packages]
    questions = {number: _question(package) for number, package in enumerate(packages)}
    while questions:
        answer = client.post("/v1/querybatch", json={"queries": list(questions.values())}).raise_for_status()
        following = {}
        for number, result in zip(questions, answer.json()["results"], strict=True):
            ids[number] += [each["id"] for each in result.get("vulns", [])]
            if token := result.get("next_page_token"):
                following[number] = {**_question(packages[number]), "page_token": token}
        questions = following
    return ids


def _question(package: Package) -> dict[str, Any]:
    return {"package": {"ecosystem": package.ecosystem, "name": package.name}, "version": package.version}


def _of_uv(lock: Path) -> Iterator[Package]:
    for package in tomllib.loads(lock.read_text())["package"]:
        if "registry" not in package["source"]:
            continue
        files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
        yield Package(
            "PyPI",
            package["name"],
            package["version"],
            lock.name,
            frozenset({_host(package["source"]["registry"]), *(_host(file["url"]) for file in files)}),
            sum(not file.get("hash", "").startswith("sha256:") for file in files) + (not files),
        )


def _of_npm(lock: Path, name: str) -> Iterator[Package]:
    for place, package in json.loads(lock.read_text())["packages"].items():
        if place == "" or package.get("link"):
            continue
        yield Package(
            "npm",
            package.get("name") or place.rpartition("node_modules/")[2],
            package["version"],
            name,
            frozenset({_host(package["resolved"])} if "resolved" in package else ()),
            int(not package.get("integrity", "").startswith("sha512-")),
        )


def _host(url: str) -> str:
    return httpx.URL(url).host


if __name__ == "__main__":
    sys.exit(main())
