"""`python -m server.run.client`: installs and builds the client when its sources have changed."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import brotli
import orjson
import zopfli.gzip

from server.platform.pages.assets import CODINGS, COMPRESSIBLE, QUICKLY, files_of
from server.platform.processes.console import CommandRefused, report, say

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "client"
_STEPS = ("packages", "documents", "build")
_FIRST_SCREENS = ("index.html", "src/routes/home.tsx", "src/routes/category.tsx", "src/routes/product.tsx")
_THOROUGHLY: Mapping[str, Callable[[bytes], bytes]] = {"br": brotli.compress, "gzip": zopfli.gzip.compress}
_NOT_SOURCES = {"node_modules", "dist", "dist.unfinished", "dist.outdated"}


def prepare(upto: str, client: Path = CLIENT, schema: Path = ROOT / "schema.graphql") -> None:
    """Runs the steps up to one: `packages` installed, `documents` generated, or the whole `build`.

    A step is skipped while its inputs are unchanged. Parallel commands wait for each other. Raises CommandRefused.
    """
    steps = _STEPS[: _STEPS.index(upto) + 1]
    with _alone(client / ".lock"):
        packages = _fingerprint([client / "package.json", client / "package-lock.json"])
        examples = sorted((schema.parent / "examples").rglob("*.*"))
        sources = _fingerprint([Path(__file__), schema, *examples, *_sources(client)]) + packages
        if _is_new(client / "node_modules/.installed", packages):
            report("Installing the client's packages")
            _npm(client, "ci", "--no-audit", "--no-fund", "--loglevel=error")
            (client / "node_modules/.installed").write_text(packages)
        if "documents" in steps and _is_new(client / "node_modules/.generated", sources):
            report("Generating hooks from the GraphQL documents")
            _remove_orphans(client / "src")
            _npm(client, "run", "--silent", "codegen")
            (client / "node_modules/.generated").write_text(sources)
        if "build" in steps and _is_new(client / "dist/.built", sources):
            report("Building the client")
            _build(client, sources)


def _remove_orphans(sources: Path) -> None:
    """Removes what was generated from documents that are gone: the build would still have their operations."""
    for generated in sources.rglob("*.generated.ts"):
        document = generated.with_name(generated.name.replace(".generated.ts", ".graphql"))
        if generated.parent != sources / "graphql" and not document.exists():
            generated.unlink()


def _build(client: Path, sources: str) -> None:
    """Builds beside the folder that a running shop serves, then swaps the folders."""
    finished, unfinished, outdated = (client / name for name in ("dist", "dist.unfinished", "dist.outdated"))
    _npm(client, "run", "--silent", "build", "--", "--outDir", unfinished.name, "--emptyOutDir")
    _npm(client, "run", "--silent", "build:back-office", "--", "--outDir", unfinished.name)
    _npm(client, "run", "--silent", "build:first-view", "--", "--outDir", f"{unfinished.name}/.first-view")
    _npm(client, "run", "--silent", "build:service-worker", "--", "--outDir", unfinished.name)
    _npm(client, "run", "--silent", "persisted-queries", "--", f"{unfinished.name}/.persisted-queries.json")
    _squeeze(unfinished)
    (unfinished / ".built").write_text(sources)
    shutil.rmtree(outdated, ignore_errors=True)
    if finished.exists():
        finished.rename(outdated)
    unfinished.rename(finished)
    shutil.rmtree(outdated, ignore_errors=True)


def _squeeze(built: Path) -> None:
    """Compresses the files of a first visit as well as possible, which would take minutes for all files.

    The rest is compressed quickly, so that no process has to do it when it starts.
    """
    manifest = orjson.loads((built / ".vite/manifest.json").read_bytes())
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda name: _compress(built / name, _THOROUGHLY), files_of(manifest, *_FIRST_SCREENS)))
    for file in [built / "early.js", *(built / "assets").glob("*")]:
        if file.suffix in COMPRESSIBLE and file.exists():
            _compress(file, QUICKLY)


def _compress(file: Path, how: Mapping[str, Callable[[bytes], bytes]]) -> None:
    body = file.read_bytes()
    for coding, ending in CODINGS.items():
        beside = file.with_name(file.name + ending)
        if not beside.exists():
            beside.write_bytes(how[coding](body))


def _is_new(stamp: Path, fingerprint: str) -> bool:
    return not stamp.exists() or stamp.read_text() != fingerprint


def _sources(client: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(client):
        folders[:] = sorted(name for name in folders if name not in _NOT_SOURCES)
        for name in sorted(files):
            if ".generated." not in name and name != ".lock":
                yield Path(folder) / name


def _fingerprint(files: Iterable[Path]) -> str:
    digest = sha256()
    for file in files:
        digest.update(f"{file.name}\n{sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _npm(client: Path, *arguments: str) -> None:
    """Runs the npm of the Python environment: the system's Node may be missing or too old."""
    here = Path(sys.executable).parent
    npm = shutil.which("npm", path=str(here)) or shutil.which("npm")
    if npm is None:
        raise CommandRefused("There is no npm. `just install` brings one.")
    env = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run(
        [npm, *arguments], cwd=client, env=env, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        raise CommandRefused(f"{done.stdout.strip()}\n\nnpm {' '.join(arguments)} failed; the lines above say why.")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main(arguments: Sequence[str]) -> int:
    """Prepares the client up to the step in the arguments. Returns the exit code."""
    try:
        prepare(arguments[0] if arguments else "build")
    except CommandRefused as refusal:
        say(str(refusal))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
