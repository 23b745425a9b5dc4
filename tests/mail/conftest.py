"""An SMTP server that accepts mails, or does not."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import cast

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.ports import free_port


@dataclass
class MailServer:
    """`refusal` answers the next messages, `refusals` a command (MAIL, RCPT, DATA) that names an address.

    `on_taken` is called before a message is acknowledged.
    """

    port: int
    refusal: str | None = None
    refusals: dict[tuple[str, str], str] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    on_taken: Callable[[], None] | None = None
    envelopes: list[Envelope] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    @property
    def messages(self) -> list[EmailMessage]:
        taken = (cast(bytes, envelope.content) for envelope in self.envelopes)
        return [message_from_bytes(content, policy=default) for content in taken]

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        return self._answer("MAIL", address)

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self._answer("RCPT", address)
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    def _answer(self, command: str, address: str) -> str:
        self.asked.append((command, address))
        return self.refusals.get((command, address), "250 OK")

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        refusal = self._answer("DATA", envelope.rcpt_tos[0])
        if self.refusal or not refusal.startswith("2"):
            return self.refusal or refusal
        self.envelopes.append(envelope)
        if self.on_taken:
            self.on_taken()
        return "250 taken"


@contextmanager
def listening(*, smtputf8: bool = True) -> Iterator[MailServer]:
    server = MailServer(free_port())
    controller = Controller(server, hostname="127.0.0.1", port=server.port, enable_SMTPUTF8=smtputf8)
    controller.start()
    yield server
    controller.stop()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    with listening() as server:
        yield server


@pytest.fixture
def ascii_mail_server() -> Iterator[MailServer]:
    """One that takes no addresses beyond ASCII."""
    with listening(smtputf8=False) as server:
        yield server
