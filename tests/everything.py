"""`just test` and `just test-slow`: their checks, some beside the others; all of them, whatever fails."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


def marked(mark: str) -> list[str]:
    """The files with tests of this mark: to load all the others takes seconds."""
    paths = (path for path in (ROOT / "tests").rglob("test_*.py") if re.search(rf"\bmark\.{mark}\b", path.read_text()))
    return sorted(str(path.relative_to(ROOT)) for path in paths)


A_TEST = "--timeout=900"
"""Seconds: what hangs fails there with the stack of every thread, and ends neither the run nor its report."""


@dataclass(frozen=True)
class Plan:
    """Recipes with their arguments: those of `in_turn` one after the other, and meanwhile those of `beside`.

    For two cores. Tests wait a third of their time, for PostgreSQL, browsers and clocks, so that three go at once; of
    those that drive processes, two beside the io_bound ones, which take longest. Files keep their order: by number of
    tests, a file of few and long ones came last.
    """

    in_turn: tuple[tuple[str, ...], ...]
    beside: tuple[tuple[str, ...], ...]


FILES = ("--dist", "loadfile", "--no-loadscope-reorder", A_TEST)
PLANS = {
    "quick": Plan(
        in_turn=(("server-tests", "-m", "not slow and not timed", "-n3", *FILES),),
        beside=(("lint",), ("types",), ("contracts",), ("schema",), ("client-tests",), ("e2e", "-m", "smoke", A_TEST)),
    ),
    "slow": Plan(
        in_turn=(
            ("server-tests", "-m", "slow and not timed and not io_bound", "-n2", *FILES),
            ("e2e", "-m", "not smoke", "-n2", "--dist", "load", A_TEST),
            ("without-plans", "-m", "not slow and not timed", "-n3", *FILES),
        ),
        beside=(("server-tests", "-m", "slow and io_bound", A_TEST, *marked("io_bound")),),
    ),
}
WORKER = "gw3"
"""Whose ports the tests of a process beside three others have."""


@dataclass(frozen=True)
class Result:
    name: str
    passed: bool
    seconds: float
    output: str

    def counted(self, word: str) -> int:
        """How many tests the closing lines of pytest and vitest call so; lint, types and the like are no tests."""
        closing = [line for line in self.output.splitlines() if re.search(r"\d+ (passed|failed|error)", line)][-1:]
        if not closing:
            return 0
        return sum(int(count) for count in re.findall(rf"(\d+) {word}", closing[0]))


def check(recipe: Sequence[str], *, live: bool) -> Result:
    """Runs one recipe with its arguments; shows its output as it comes, or, when others run beside it, at its end."""
    began, said = time.monotonic(), []
    command, env = ["just", "--no-deps", *recipe], {**os.environ, **({} if live else {"PORTS_OF": WORKER})}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env) as process:
        for line in process.stdout or ():
            said.append(line)
            if live:
                show(line)
        code = process.wait()
    result = Result(_name(recipe), code == 0, time.monotonic() - began, _plain("".join(said)))
    if not live:
        show(f"── {result.name}: {'passed' if result.passed else 'FAILED'} in {result.seconds:.0f} s\n")
        show("" if result.passed else "".join(said))
    return result


def show(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def main(plan: Plan) -> int:
    began = time.monotonic()
    with ThreadPoolExecutor(1) as row:
        beside = row.submit(lambda: [check(recipe, live=False) for recipe in plan.beside])
        results = [check(recipe, live=True) for recipe in plan.in_turn]
    results = [*beside.result(), *results]
    show("\n")
    for result in results:
        show(f"{result.name:48} {'passed' if result.passed else 'FAILED'} {result.seconds:6.0f} s\n")
    passed, skipped = (sum(result.counted(word) for result in results) for word in ("passed", "skipped"))
    failed = sum(max(result.counted("failed") + result.counted("error"), int(not result.passed)) for result in results)
    show(f"\nEverything took {time.monotonic() - began:.0f} s\n")
    show(f"{passed} passed, {failed} failed, {skipped} skipped\n")
    return 1 if failed else 0


def _name(recipe: Sequence[str]) -> str:
    """With the tests' marker, if it is one."""
    return f"{recipe[0]} {recipe[2]}" if recipe[1:2] == ("-m",) else recipe[0]


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


if __name__ == "__main__":
    sys.exit(main(PLANS[sys.argv[1]]))
