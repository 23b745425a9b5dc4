"""A mail server that takes what it is sent, or does not."""

from collections.abc import Callable, Iterator
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
    """`refusal` answers the next messages; `on_taken` is called before a message is acknowledged."""

    port: int
    refusal: str | None = None
    on_taken: Callable[[], None] | None = None
    envelopes: list[Envelope] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    @property
    def messages(self) -> list[EmailMessage]:
        taken = (cast(bytes, envelope.content) for envelope in self.envelopes)
        return [message_from_bytes(content, policy=default) for content in taken]

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.refusal:
            return self.refusal
        self.envelopes.append(envelope)
        if self.on_taken:
            self.on_taken()
        return "250 taken"


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    server = MailServer(free_port())
    controller = Controller(server, hostname="127.0.0.1", port=server.port)
    controller.start()
    yield server
    controller.stop()
