"""SMTP: how a mail leaves the shop."""

from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Any
from urllib.parse import unquote, urlsplit

import aiosmtplib

from server.core.errors import SafeMessage
from server.mail.models import Mail

TIMEOUT_SECONDS = 15
LONGEST_LINE = 998
"""What mail allows. Folded earlier, a long address in a header is encoded word by word, and is no address then."""


@dataclass(eq=False)
class NotSent(SafeMessage, Exception):
    """The mail server did not take a mail. Names no person, since it is logged."""

    reason: str

    def __str__(self) -> str:
        return self.reason


class MailRejected(NotSent):
    """The mail server will never take this mail for this recipient (a 5xx reply): sending it again is no use."""


class SmtpServer:
    """A mail server: smtp://user:password@host:587 (STARTTLS where offered, required with a password) or smtps://."""

    def __init__(self, url: str, sender: str) -> None:
        self._connection = _connection(url)
        self._sender = sender

    async def send(self, mail: Mail) -> None:
        """Raises NotSent, or Refused for good. When it returns, the mail server has taken the mail."""
        message = compose(mail, self._sender)
        try:
            await aiosmtplib.send(
                message, recipients=[_address(mail.recipient).addr_spec], timeout=TIMEOUT_SECONDS, **self._connection
            )
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise (MailRejected if _is_final(error) else NotSent)(_reason(error)) from None


def compose(mail: Mail, sender: str) -> EmailMessage:
    """The message as it goes over the wire; a line break in a header cannot get in."""
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
    """Quoted where needed: `a,b@x.example` is one recipient, not two. Domains go in ASCII.

    A domain that becomes another one on the way is refused: mail to straße.example is not for strasse.example.
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
    """Whether a 5xx reply is about this mail or its recipient. One to the greeting or to the login is about the shop:
    its settings or its standing with the mail server, which a person mends while the mails wait.
    """
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(_is_permanent(each.code) for each in error.recipients)
    about_mail = aiosmtplib.SMTPRecipientRefused | aiosmtplib.SMTPDataError
    return isinstance(error, about_mail) and _is_permanent(error.code)


def _is_permanent(code: int) -> bool:
    return 500 <= code < 600


def _reason(error: Exception) -> str:
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return f"recipient refused: {', '.join(str(each.code) for each in error.recipients)}"
    code = getattr(error, "code", None)
    return f"{type(error).__name__} {code}" if code else type(error).__name__
