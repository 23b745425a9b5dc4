"""The stand-ins' process: access control, and startup errors."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from server.platform.processes.process import wait_until
from server.run.startup_checks import is_listening
from tests.demo.outside.conftest import Outside, order
from tests.ports import free_port, free_ports


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain"},
        {"content-type": "application/json", "origin": "http://evil.test"},
        {"content-type": "application/json", "sec-fetch-site": "cross-site"},
        {"content-type": "application/json", "sec-fetch-site": "same-site"},
    ],
)
def test_a_foreign_page_changes_nothing(outside: Outside, headers: dict[str, str]) -> None:
    answer = httpx.post(f"{outside.url}/_control/webhooks", content='{"drop": true}', headers=headers)

    assert answer.status_code in (403, 415)
    assert outside.ask("/_control/webhooks")["drop"] is False


def test_a_foreign_page_reads_nothing_and_a_foreign_name_reaches_nothing(outside: Outside) -> None:
    foreign_page = httpx.get(f"{outside.url}/_control/mail", headers={"sec-fetch-site": "cross-site"})
    foreign_name = httpx.get(f"{outside.url}/_control/mail", headers={"host": "evil.test"})

    assert (foreign_page.status_code, foreign_name.status_code) == (403, 421)


@pytest.mark.parametrize("path", ["/demo", "/demo/payments", "/demo/people", "/demo/faults", "/mail"])
def test_pages_are_there_and_nobody_may_frame_them(outside: Outside, path: str) -> None:
    answer = httpx.get(outside.url + path)

    assert answer.status_code == 200
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/stripe.js", "/google/gsi.js"])
def test_the_scripts_for_the_shops_pages_are_there(outside: Outside, path: str) -> None:
    answer = httpx.get(outside.url + path)

    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"


def test_forgetting_keeps_the_signing_key_and_the_webhook_address(outside: Outside) -> None:
    certificates = httpx.get(f"{outside.url}/google/certs").json()
    outside.tell("/_control/settings", settle_after_ms=5)

    outside.tell("/_control/reset")

    assert httpx.get(f"{outside.url}/google/certs").json() == certificates
    assert outside.ask("/_control/ledger") == {
        name: [] for name in ("sessions", "payments", "charges", "refunds", "disputes", "events")
    }


def test_a_taken_port_is_said_plainly(tmp_path: Path) -> None:
    port = free_port()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        done = subprocess.run(
            [sys.executable, "-m", "demo.outside", "--port", str(port), "--data", str(tmp_path)],
            env={**os.environ, "SHOP_DATA": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=20,
        )

    assert done.returncode == 2
    assert done.stderr.strip() == (
        f"The stand-ins cannot listen on 127.0.0.1:{port} (Address already in use): set OUTSIDE_PORT."
    )


def test_they_listen_before_they_load_and_answer_afterwards(tmp_path: Path) -> None:
    port, smtp_port = free_ports(2)
    ports = ("--port", str(port), "--smtp-port", str(smtp_port), "--data", str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-m", "demo.outside", "--settings-from-stdin", *ports], stdin=subprocess.PIPE
    ) as outside:
        assert outside.stdin
        assert wait_until(lambda: is_listening("127.0.0.1", port), 10)
        with socket.create_connection(("127.0.0.1", port)) as asking:
            asking.sendall(b"GET /demo HTTP/1.1\r\nhost: localhost:%d\r\n\r\n" % port)
            asking.settimeout(1)
            with pytest.raises(TimeoutError):
                asking.recv(12)
            outside.stdin.close()
            asking.settimeout(10)
            assert asking.recv(12) == b"HTTP/1.1 200"
        outside.terminate()


def test_the_shop_is_not_imported() -> None:
    listing = (
        "import sys; from demo.outside import __main__, app, ledger, mailbox;"
        "print([n for n in sys.modules if n.startswith('server.') and not n.startswith('demo')])"
    )

    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_the_checkout_page_belongs_to_its_secret_and_the_shops_frame(outside: Outside) -> None:
    from tests.demo.outside.conftest import client_of

    session = client_of(outside).v1.checkout.sessions.create(order())
    page = httpx.get(f"{outside.url}/checkout/{session.client_secret}")
    guessed = httpx.get(f"{outside.url}/checkout/{session.id}_secret_guessed")

    assert page.status_code == 200
    assert "No money moves here." in page.text
    assert f"frame-ancestors http://localhost:{outside.shop.port}" in page.headers["content-security-policy"]
    assert guessed.status_code == 404
    outside.pay(session.id)
    assert "This order is paid for" in httpx.get(f"{outside.url}/checkout/{session.client_secret}").text
