"""SMTP as providers ask for it: with TLS, from the start or by STARTTLS, and a login."""

import datetime
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from server.mail import service as mail
from server.mail.gateway import NotSent, SmtpServer
from server.platform.core.db import Sessions
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.resources import Resources
from tests.due_jobs import run_due
from tests.mail.conftest import MailServer
from tests.mail.outbox import SENDER, make_due, put, the_mail
from tests.ports import free_port

USER, PASSWORD = "shop@minimal.test", "pass:word/with@signs"
WAYS = ("smtps", "smtp")
"""TLS from the first byte, and after STARTTLS."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of localhost, signed by itself, its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = tmp_path_factory.mktemp("tls") / "localhost.pem"
    file.write_bytes(pem + signed.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.fixture
def trusted(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The certificate is one that this machine believes."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    return certificate


class Provider(MailServer):
    """Takes mails from whoever has signed in, and notes who tried."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.logins: list[tuple[str, str]] = []
        self.were_encrypted: list[bool] = []

    def url_with(self, scheme: str, password: str = PASSWORD) -> str:
        return f"{scheme}://{quote(USER, safe='')}:{quote(password, safe='')}@localhost:{self.port}"

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 Sign in first"
        return await super().handle_MAIL(server, session, envelope, address, options)

    def sign_in(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, told: Any) -> AuthResult:
        assert isinstance(told, LoginPassword)
        self.logins.append((told.login.decode(), told.password.decode()))
        assert server.transport is not None
        self.were_encrypted.append(server.transport.get_extra_info("ssl_object") is not None)
        return AuthResult(success=self.logins[-1] == (USER, PASSWORD), handled=False)


@contextmanager
def provider(certificate: Path | None, scheme: str) -> Iterator[Provider]:
    """Without a certificate it speaks in the clear."""
    own_provider = Provider(free_port())
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    if certificate:
        tls.load_cert_chain(certificate)
    own = {"ssl_context": tls} if scheme == "smtps" else {"tls_context": tls if certificate else None}
    options: dict[str, Any] = {"authenticator": own_provider.sign_in, "auth_require_tls": False, **own}
    controller = Controller(own_provider, hostname="127.0.0.1", port=own_provider.port, **options)
    controller.start()
    yield own_provider
    controller.stop()


@pytest.mark.parametrize("scheme", WAYS)
async def test_a_mail_leaves_encrypted_after_a_login(sessions: Sessions, trusted: Path, scheme: str) -> None:
    with provider(trusted, scheme) as server:
        await put(sessions)
        await send(sessions, server.url_with(scheme))

    assert server.logins == [(USER, PASSWORD)]
    assert server.were_encrypted == [True]
    assert [message["To"] for message in server.messages] == ["ann@minimal.test"]
    assert (await the_mail(sessions)).sent_at is not None


@pytest.mark.parametrize("scheme", WAYS)
async def test_a_wrong_password_is_a_plain_line_of_the_log_and_the_mail_waits(
    sessions: Sessions, trusted: Path, scheme: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with provider(trusted, scheme) as server:
        await put(sessions)
        await send(sessions, server.url_with(scheme, "wrong-secret"))
        said = capsys.readouterr().out
        assert {password for _, password in server.logins} == {"wrong-secret"}
        assert server.messages == []

        await make_due(sessions)
        await send(sessions, server.url_with(scheme))

    assert "SMTPAuthenticationError 535" in said
    assert not any(secret in said for secret in ("wrong-secret", quote(PASSWORD, safe=""), USER, "ann@minimal.test"))
    assert len(server.messages) == 1


@pytest.mark.parametrize("scheme", WAYS)
async def test_a_server_that_nobody_vouches_for_is_told_no_password(
    sessions: Sessions, certificate: Path, scheme: str
) -> None:
    with provider(certificate, scheme) as server:
        await put(sessions)
        with pytest.raises(NotSent):
            await SmtpServer(server.url_with(scheme), SENDER).send(await the_mail(sessions))

    assert (server.logins, server.messages) == ([], [])


async def test_a_password_is_never_said_in_the_clear(sessions: Sessions) -> None:
    with provider(None, "smtp") as server:
        await put(sessions)
        with pytest.raises(NotSent):
            await SmtpServer(server.url_with("smtp"), SENDER).send(await the_mail(sessions))

    assert (server.logins, server.messages) == ([], [])


async def send(sessions: Sessions, url: str) -> None:
    environment = JobEnvironment(sessions, Resources(SmtpServer(url, SENDER)))
    await run_due(Worker(environment, mail.HANDLERS))
