"""A mail server that delivers nothing: each message is written to disk before it is accepted."""

import time
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses

from aiosmtpd.smtp import SMTP, Envelope, Session
from starlette.concurrency import run_in_threadpool

from demo.outside import faults
from demo.outside.ledger import Json, Ledger, Transaction

MOST_BYTES = 25_000_000
MOST_SHOWN = 500


class Sink:
    """aiosmtpd's handler of received messages."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Stores a mail before accepting it (aiosmtpd's handler)."""
        return await run_in_threadpool(self._keep, envelope)

    def _keep(self, envelope: Envelope) -> str:
        if faults.take(self._ledger, "DATA", "smtp"):
            return "451 4.3.0 Please try again later (a fault set on purpose)"
        content = envelope.original_content or b""
        with self._ledger.transaction() as tx:
            tx.execute(
                "INSERT INTO mail (received, sender, recipients, raw) VALUES (?, ?, ?, ?)",
                time.time(),
                envelope.mail_from or "",
                ", ".join(envelope.rcpt_tos),
                content,
            )
        return "250 2.0.0 Kept"


def protocol(ledger: Ledger) -> SMTP:
    """The SMTP server's protocol for one connection."""
    return SMTP(Sink(ledger), data_size_limit=MOST_BYTES, enable_SMTPUTF8=True, hostname="mail.minimal.test")


def listing(tx: Transaction, to: str | None = None) -> list[Json]:
    """Messages, newest first; `to` is one envelope recipient, in any case."""
    rows = tx.execute(f"SELECT id, received, sender, recipients, raw FROM mail ORDER BY id DESC LIMIT {MOST_SHOWN}")  # noqa: S608
    matches = [row for row in rows if to is None or to.lower() in row[3].lower().split(", ")]
    return [_read(*row) for row in matches]


def one(tx: Transaction, id: int) -> Json | None:
    """A mail by its id; None when it does not exist."""
    row = tx.execute("SELECT id, received, sender, recipients, raw FROM mail WHERE id = ?", id).fetchone()
    return _read(*row) if row else None


def _read(id: int, received: float, sender: str, recipients: str, raw: bytes) -> Json:
    message = message_from_bytes(raw, policy=policy.default)
    return {
        "id": id,
        "message_id": str(message["message-id"] or "").strip(),
        "from": str(message["from"] or sender),
        "to": recipients,
        "addressed_to": [address for _, address in getaddresses([str(message["to"] or "")])],
        "subject": str(message["subject"] or ""),
        "date": str(message["date"] or ""),
        "text": _part(message, "plain"),
        "html": _part(message, "html"),
        "headers": [[name, str(value)] for name, value in message.items()],
        "received_at": datetime.fromtimestamp(received, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }


def _part(message: EmailMessage, kind: str) -> str | None:
    part = message.get_body((kind,))
    content = part.get_content() if part else None
    return content if isinstance(content, str) else None
