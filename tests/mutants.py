"""`just mutants [id …]`: breaks the shop in a copy, one rule at a time, and shows that the tests of that rule notice.

tests/mutants.toml lists what is broken; the tests are those that are marked with the rule, browser apart.
"""

import json
import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from tests.project_copy import copy_project
from tests.spec_map import ROOT, Row, read

LIST = ROOT / "tests" / "mutants.toml"
SECONDS_PER_MUTANT = 240
SECONDS_BEFORE = 1200
_CLIENT = "client/"
_PLACEHOLDER = re.compile(r"%[sdifjoc]|\\\$\w+")


@dataclass(frozen=True)
class Mutant:
    """One text of one file in place of another, which breaks the row `row` of the map."""

    row: str
    file: str
    find: str
    replace: str
    tests: list[str] = field(default_factory=list)
    """Some of the row's tests; all that need no browser when left out."""


def mutants(path: Path = LIST) -> list[Mutant]:
    return [Mutant(**mutant) for mutant in tomllib.loads(path.read_text())["mutant"]]


def named_tests(mutant: Mutant, rows: Iterable[Row]) -> list[str]:
    """What has to notice: marked with the row, run without a browser. Empty when no test is."""
    named = [test for row in rows if row.id == mutant.row for test in row.tests]
    wanted = mutant.tests or [test for test in named if not test.startswith("tests/e2e/")]
    return [test for test in wanted if test in named]


def applies(mutant: Mutant, root: Path = ROOT) -> bool:
    """Whether the text to be replaced is there, once."""
    path = root / mutant.file
    return path.is_file() and path.read_text().count(mutant.find) == 1


@contextmanager
def applied(mutant: Mutant, tree: Path) -> Iterator[None]:
    path = tree / mutant.file
    sound = path.read_text()
    path.write_text(sound.replace(mutant.find, mutant.replace))
    try:
        yield
    finally:
        path.write_text(sound)


def failures(tests: Sequence[str], tree: Path, *, stop: bool) -> set[str]:
    """Which of the tests fail in the tree; with `stop` the first is enough. AssertionError when they cannot run."""
    client = [test for test in tests if test.startswith(_CLIENT)]
    server = [test for test in tests if not test.startswith(_CLIENT)]
    failed = _client_failures(client, tree, stop=stop) if client else set()
    if server and not (stop and failed):
        failed |= _server_failures(server, tree, stop=stop)
    return failed


def _client_failures(tests: Sequence[str], tree: Path, *, stop: bool) -> set[str]:
    files = sorted({test.partition("::")[0].removeprefix(_CLIENT) for test in tests})
    report = tree / "vitest.json"
    report.unlink(missing_ok=True)
    titles = "|".join(sorted({_pattern(test) for test in tests}))
    command = ["node_modules/.bin/vitest", "run", *files, "-t", titles, "--reporter=json", f"--outputFile={report}"]
    said = _run([*command, f"--bail={int(stop)}"], tree / "client", SECONDS_PER_MUTANT if stop else SECONDS_BEFORE)
    assert report.exists(), said
    found = [
        (str(Path(file["name"]).relative_to(tree.resolve())), test["title"])
        for file in json.loads(report.read_text())["testResults"]
        for test in file["assertionResults"]
        if test["status"] == "failed"
    ]
    return {test for test in tests if any(_is_test(test, file, title) for file, title in found)}


def _is_test(test: str, file: str, title: str) -> bool:
    return test.partition("::")[0] == file and re.fullmatch(_pattern(test), title, re.S) is not None


def _pattern(test: str) -> str:
    """What the title of a client test becomes when its cases are filled in."""
    return _PLACEHOLDER.sub(".*", re.escape(test.partition("::")[2]))


def _server_failures(tests: Sequence[str], tree: Path, *, stop: bool) -> set[str]:
    report = tree / "pytest.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junit-xml={report}", *tests]
    said = _run([*command, f"--maxfail={int(stop)}"], tree, SECONDS_PER_MUTANT if stop else SECONDS_BEFORE)
    assert report.exists(), said
    found = {
        f"{(case.get('classname') or '').replace('.', '/')}.py::{(case.get('name') or '').partition('[')[0]}"
        for case in ElementTree.parse(report).iter("testcase")
        if case.find("failure") is not None
    }
    return {test for test in tests if test in found}


def _run(command: Sequence[str], folder: Path, seconds: float) -> str:
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}", "CI": "1"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=env,
        text=True,
        check=False,
        timeout=seconds,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout[-4000:]


def verdict(mutant: Mutant, rows: Sequence[Row], tree: Path) -> tuple[bool, str]:
    """Whether the mutant was noticed, and by which test, or why not."""
    tests = named_tests(mutant, rows)
    if not tests:
        return False, "NO TEST is marked with it"
    if not applies(mutant, tree):
        return False, "DOES NOT APPLY: the text is not there once"
    try:
        with applied(mutant, tree):
            failed = failures(tests, tree, stop=True)
    except subprocess.TimeoutExpired:
        return False, f"NOT KNOWN: its tests did not end in {SECONDS_PER_MUTANT} s"
    return (True, min(failed)) if failed else (False, "SURVIVED")


def main(wanted: Sequence[str]) -> int:
    rows = read()
    chosen = [mutant for mutant in mutants() if not wanted or mutant.row in wanted]
    began, escaped = time.monotonic(), 0
    with TemporaryDirectory(prefix="minimal-mutants-") as folder:
        tree = copy_project(Path(folder))
        every = sorted({test for mutant in chosen for test in named_tests(mutant, rows)})
        broken = failures(every, tree, stop=False)
        if broken:
            _say(f"These fail in the shop as it is: {', '.join(sorted(broken))}")
            return 1
        _say(f"{len(every)} tests pass in the shop as it is ({time.monotonic() - began:.0f} s). Broken on purpose:\n")
        for mutant in chosen:
            noticed, words = verdict(mutant, rows, tree)
            escaped += not noticed
            _say(f"{'noticed' if noticed else 'ESCAPED'}  {mutant.row:28} {words}")
    _say(f"\n{len(chosen) - escaped} of {len(chosen)} noticed in {time.monotonic() - began:.0f} s")
    return 1 if escaped else 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
