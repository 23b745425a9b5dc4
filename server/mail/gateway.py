"""SMTP: how mails leave the shop."""

from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Any
from urllib.parse import unquote, urlsplit

import structlog

from server.mail.models import Mail
from server.platform.core import tracing
from server.platform.core.errors import SafeMessage

log = structlog.get_logger()

TIMEOUT_SECONDS = 15
LONGEST_LINE = 998
"""The limit of RFC 5322. With shorter lines a long address would be encoded word by word and become invalid."""


@dataclass(eq=False)
class NotSent(SafeMessage, Exception):
    """The mail server did not accept a mail. The text names no person, since it is logged."""

    reason: str

    def __str__(self) -> str:
        return self.reason


class MailRejected(NotSent):
    """A retry is pointless: the mail cannot be built, or the mail server refuses it for good (a 5xx reply)."""


class SmtpServer:
    """A mail server: smtp://user:password@host:587 (STARTTLS where offered, required with a password) or smtps://."""

    def __init__(self, url: str, sender: str) -> None:
        self._connection = _connection(url)
        self._sender = sender

    async def send(self, mail: Mail) -> None:
        """Sends one mail. Raises NotSent, or MailRejected for good; otherwise the mail server has accepted it."""
        # Loaded with the first mail, which a worker sends.
        import aiosmtplib

        message = _built(mail, self._sender)
        recipient = _address(mail.recipient).addr_spec
        try:
            with tracing.span("smtp", "client"):
                await aiosmtplib.send(message, recipients=[recipient], timeout=TIMEOUT_SECONDS, **self._connection)
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            is_final = _is_final(error) or (_needs_utf8(error) and not recipient.isascii())
            raise (MailRejected if is_final else NotSent)(_reason(error)) from None


def compose(mail: Mail, sender: str) -> EmailMessage:
    """The MIME message; line breaks in header values are removed."""
    message = EmailMessage(policy=SMTP.clone(max_line_length=LONGEST_LINE))
    message["From"] = sender
    message["To"] = _address(mail.recipient)
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(mail.created_at)
    message["Message-ID"] = mail.message_id
    message["Auto-Submitted"] = "auto-generated"
    if mail.unsubscribe_url:
        message["List-Unsubscribe"] = f"<{mail.unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(mail.text_body)
    message.add_alternative(mail.html_body, subtype="html")
    message.set_boundary(f"part-{mail.id.hex}")
    return message


def _address(recipient: str) -> Address:
    """The address header, quoted where needed: `a,b@x.example` is one recipient. Domains are written in ASCII.

    Raises MailRejected for a domain that would change in conversion: straße.example is not strasse.example.
    """
    local, _, domain = recipient.rpartition("@")
    try:
        sent_to = domain.encode("idna").decode()
        is_itself = domain.isascii() or sent_to.encode().decode("idna") == domain.lower()
    except UnicodeError:
        is_itself = False
    if not is_itself:
        raise MailRejected("the recipient's domain is no domain")
    return Address(username=local, domain=sent_to)


def _built(mail: Mail, sender: str) -> EmailMessage:
    """The message, which can be written out. Raises MailRejected, since the next attempt would fail like this one."""
    try:
        message = compose(mail, sender)
        message.as_bytes()
    except MailRejected:
        raise
    except Exception as error:
        log.error("mail.not_built", error=type(error).__name__, exc_info=True)
        raise MailRejected(f"the mail cannot be built: {type(error).__name__}") from None
    return message


def _connection(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    secure = parts.scheme == "smtps"
    return {
        "hostname": parts.hostname,
        "port": parts.port or (465 if secure else 587 if parts.username else 25),
        "username": unquote(parts.username) if parts.username else None,
        "password": unquote(parts.password) if parts.password else None,
        "use_tls": secure,
        "start_tls": True if parts.username and not secure else None,
    }


def _is_final(error: Exception) -> bool:
    """Whether a 5xx reply is about this mail or its recipient.

    A 5xx reply to the greeting or login is about the shop's settings, which a person corrects while the mails wait.
    """
    import aiosmtplib

    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(_is_permanent(each.code) for each in error.recipients)
    about_mail = aiosmtplib.SMTPRecipientRefused | aiosmtplib.SMTPDataError
    return isinstance(error, about_mail) and _is_permanent(error.code)


def _needs_utf8(error: Exception) -> bool:
    """Whether the mail server takes no addresses beyond ASCII (RFC 6531)."""
    import aiosmtplib

    return isinstance(error, aiosmtplib.SMTPNotSupported)


def _is_permanent(code: int) -> bool:
    return 500 <= code < 600


def _reason(error: Exception) -> str:
    import aiosmtplib

    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return f"recipient refused: {', '.join(str(each.code) for each in error.recipients)}"
    code = getattr(error, "code", None)
    return f"{type(error).__name__} {code}" if code else type(error).__name__
