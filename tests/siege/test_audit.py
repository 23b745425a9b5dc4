"""Dependencies are pinned by hashes and checked against a vulnerability database."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.siege import audit
from tests.siege.audit import ROOT, Package

USUAL_HOSTS = {"pypi.org", "files.pythonhosted.org", "registry.npmjs.org"}


@contextmanager
def database(known: dict[str, list[str]], *, status: int = 200) -> Iterator[str]:
    """Answers as OSV does, one id a page."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            queries = json.loads(self.rfile.read(int(self.headers["content-length"])))["queries"]
            results = [
                page_of(known.get(each["package"]["name"], []), int(each.get("page_token", 0))) for each in queries
            ]
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps({"results": results}).encode())

        def log_message(self, format: str, *args: object) -> None:
            return None

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def page_of(ids: list[str], number: int) -> dict[str, object]:
    page: dict[str, object] = {"vulns": [{"id": each} for each in ids[number : number + 1]]} if ids else {}
    return {**page, "next_page_token": str(number + 1)} if number + 1 < len(ids) else page


def audited(osv: str) -> tuple[int, str]:
    """Exit code and words of `just audit`."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.siege.audit"],
        cwd=ROOT,
        env={"OSV_URL": osv, "NO_PROXY": "*"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_every_package_file_is_pinned_by_hash_and_of_a_public_registry() -> None:
    packages = audit.locked()

    assert [str(package) for package in packages if package.unpinned] == []
    assert {host for package in packages for host in package.hosts} <= USUAL_HOSTS
    assert {package.lock for package in packages} == {
        "uv.lock",
        "client/package-lock.json",
        "tests/e2e/packaged-chromium/package-lock.json",
        "tests/lighthouse/package-lock.json",
    }
    assert len(packages) > 500


def test_a_missing_hash_and_a_host_of_ones_own_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text(
        '[[package]]\nname = "left-pad"\nversion = "1"\nsource = { registry = "https://mirror.example/simple" }\n'
        'sdist = { url = "https://mirror.example/left-pad-1.tar.gz" }\n'
    )
    lock = {"packages": {"": {}, "node_modules/right-pad": {"version": "2", "resolved": "https://other.example/r.tgz"}}}
    (tmp_path / "package-lock.json").write_text(json.dumps(lock))

    assert audit.locked(tmp_path) == [
        Package("PyPI", "left-pad", "1", "uv.lock", frozenset({"mirror.example"}), 1),
        Package("npm", "right-pad", "2", "package-lock.json", frozenset({"other.example"}), 1),
    ]


def test_packages_are_installed_from_the_lock_files_alone() -> None:
    recipes = (ROOT / "justfile").read_text() + (ROOT / "deploy/Containerfile").read_text()
    installs = [line.strip() for line in recipes.splitlines() if "uv sync" in line or "npm install" in line]

    assert installs != []
    assert [line for line in installs if "--locked" not in line] == []


def test_a_known_vulnerable_package_is_named_with_all_that_is_known_and_fails() -> None:
    with database({"starlette": ["GHSA-1", "GHSA-2"], "react": ["GHSA-3"]}) as osv:
        code, said = audited(osv)

    assert code == 1
    assert "(uv.lock): https://osv.dev/GHSA-1, https://osv.dev/GHSA-2\n" in said
    assert "(client/package-lock.json): https://osv.dev/GHSA-3\n" in said
    assert "2 of " in said


def test_nothing_known_passes_and_says_how_many_were_asked_about() -> None:
    with database({}) as osv:
        code, said = audited(osv)

    assert (code, said) == (0, f"0 of {len(audit.locked())} packages are known to be vulnerable.\n")


@pytest.mark.parametrize("fault", ["away", "broken"])
def test_a_database_that_cannot_be_asked_is_no_clean_bill(fault: str) -> None:
    with database({}, status=502) as osv:
        code, said = audited(osv if fault == "broken" else "http://127.0.0.1:9")

    assert code == 3
    assert said.startswith("NOT AUDITED: ")
    assert "known to be vulnerable" not in said
