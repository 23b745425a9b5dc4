"""Subjects, texts and MIME form of the mails."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from uuid import uuid4

import pytest

from server.mail.gateway import MailRejected, SmtpServer, compose
from server.mail.messages import (
    AccountDeleted,
    BackInStock,
    EmailChanged,
    EmailDenied,
    GoogleLinked,
    GoogleUnlinked,
    MailOrderLine,
    Message,
    OrderCanceled,
    OrderConfirmation,
    OrderMessage,
    PasswordChanged,
    PasswordResetLink,
    PaymentFailed,
    RefundNotice,
    SignInChanged,
    SignInLocked,
    UnsubscribeLink,
    VerifyEmail,
    Welcome,
)
from server.mail.models import Mail
from server.mail.rendering import render
from tests.mail.conftest import MailServer
from tests.mail.test_unconfirmed import filled

SHOP = "https://minimal.example"
ORDER = OrderConfirmation(
    "Ann <b>Shopper</b>",
    "M-10001",
    (
        MailOrderLine("Oxford Shirt", "Sky & Sea", "M", 2, 17_800, "/images/1/180.jpg"),
        MailOrderLine("Selvedge Jeans", "Indigo", "XL", 1, 129_000),
    ),
    146_800,
    ("Ann Shopper", "1 High St", "Leeds", "LS1", "United Kingdom"),
    "+44 1",
    order_path="/account/orders/1",
)
MESSAGES: list[tuple[Message, str, list[str]]] = [
    (Welcome("/verify-email?token=t"), "Welcome to Minimal", [f"{SHOP}/verify-email?token=t", "That was not me"]),
    (VerifyEmail("/verify-email?token=t"), "Confirm your email address", ["/verify-email?token=t", "not your account"]),
    (EmailDenied(), "Your account uses this address again", [f"{SHOP}/forgot-password"]),
    (
        PasswordResetLink("/reset-password?token=t"),
        "Set a new password",
        [f"{SHOP}/reset-password?token=t", "one hour"],
    ),
    (EmailChanged(), "Your email address was changed", ["no longer uses this address"]),
    (
        SignInChanged("A passkey was added."),
        "How you sign in has changed",
        ["A passkey was added.", f"{SHOP}/forgot-password"],
    ),
    (PasswordChanged(), "Your password was changed", [f"{SHOP}/forgot-password"]),
    (PasswordChanged(("The link to X",)), "Your password was changed", ["The link to X", "added again"]),
    (SignInLocked(), "Wrong passwords for your account", [f"{SHOP}/forgot-password", "do not"]),
    (GoogleUnlinked(), "Your account no longer works with Google", [f"{SHOP}/forgot-password"]),
    (GoogleLinked(), "Your account now works with Google", [f"{SHOP}/forgot-password", "If it was not you"]),
    (GoogleLinked(("The password",)), "Your account now works with Google", ["The password", "signed out"]),
    (AccountDeleted(), "Your account is deleted", ["no longer belongs to an account"]),
    (
        BackInStock("Oxford Shirt", "Sky", "M", "/product/1", None, "/unsubscribe?token=t"),
        "Oxford Shirt is back in M",
        ["Sky, M", f"{SHOP}/product/1", f"{SHOP}/unsubscribe?token=t"],
    ),
    (UnsubscribeLink("/unsubscribe?token=t"), "Your link to stop our mails", [f"{SHOP}/unsubscribe?token=t", "orders"]),
    (OrderCanceled("Ann", "M-1", 8_900, order_path="/o/1"), "Your order M-1 is canceled", ["$89.00", f"{SHOP}/o/1"]),
    (
        ORDER,
        "Your order M-10001",
        ["$178.00", "$1,290.00", "$1,468.00", "LS1", "1 High St", "+44 1", f"{SHOP}/account/orders/1"],
    ),
    (
        RefundNotice("Ann", 8_900, "A shirt came back.", "M-1", order_path="/o/1"),
        "Refund for your order M-1",
        ["$89.00", "M-1"],
    ),
    (
        RefundNotice("Ann", 8_900, "It had sold out.", order_path=None),
        "Your payment is refunded",
        ["$89.00", "It had sold out."],
    ),
    (PaymentFailed("Ann", 8_900, order_path="/o/1"), "Your payment did not go through", ["$89.00", f"{SHOP}/cart"]),
]


class Parts(HTMLParser):
    """What a mail program makes of the HTML: words, links, pictures, and elements left open."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words, self.links, self.pictures, self.open = "", list[str](), list[str](), list[str]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "a":
            self.links.append(attributes["href"] or "")
        if tag == "img":
            self.pictures.append(attributes["src"] or "")
        if tag not in ("img", "br", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize(("message", "subject", "facts"), MESSAGES, ids=lambda value: type(value).__name__)
def test_text_and_html_tell_the_same_facts(message: Message, subject: str, facts: list[str]) -> None:
    text, html = render(message, SHOP, "Minimal")

    parts = Parts(html)
    html_text = parts.words + " ".join(parts.links)
    assert message.subject_of("Minimal") == subject
    assert [fact for fact in facts if fact not in text] == []
    assert [fact for fact in facts if fact not in html_text] == []
    assert parts.open == []


@pytest.mark.parametrize(("message", "subject", "facts"), MESSAGES, ids=lambda value: type(value).__name__)
def test_a_mail_needs_nothing_that_mail_programs_lack(message: Message, subject: str, facts: list[str]) -> None:
    text, html = render(message, SHOP, "Minimal")

    assert re.findall(r"<(?:style|script|link|svg|form)\b|class=|var\(|calc\(", html) == []
    assert all(link.startswith(f"{SHOP}/") for link in Parts(html).links)
    assert "\n\n\n" not in text
    assert "{{" not in text + html
    assert "None" not in text + html


@pytest.mark.parametrize("kind", OrderMessage.__subclasses__(), ids=lambda kind: kind.__name__)
def test_mail_about_an_order_links_to_the_orders_own_page(kind: type[OrderMessage]) -> None:
    message: OrderMessage = filled(kind)

    linked = render(replace(message, order_path="/account/orders/7"), SHOP, "Minimal")
    plain = render(replace(message, order_path=None), SHOP, "Minimal")

    assert all(f"{SHOP}/account/orders/7" in body for body in linked)
    assert f"{SHOP}/account/orders/7" in Parts(linked[1]).links
    assert not any("/account" in body for body in plain)
    assert "\n\n\n" not in linked[0] + plain[0]


def test_what_people_typed_is_shown_as_they_typed_it() -> None:
    text, html = render(ORDER, SHOP, "Minimal")

    assert "Thank you, Ann <b>Shopper</b>." in text
    assert "Thank you, Ann &lt;b&gt;Shopper&lt;/b&gt;." in html
    assert "Sky &amp; Sea" in html


def test_an_order_shows_its_pictures_and_does_without() -> None:
    _, html = render(ORDER, SHOP, "Minimal")

    lines = tuple(replace(line, image_path=None) for line in ORDER.lines)
    without = render(replace(ORDER, lines=lines), SHOP, "Minimal")[1]

    assert Parts(html).pictures == [f"{SHOP}/images/1/180.jpg"]
    assert html.count('<td width="84"') == len(ORDER.lines) > 1
    assert without.count('<td width="84"') == 0
    assert without.count("Quantity") == html.count("Quantity")


def mail(**given: str) -> Mail:
    return Mail(
        **{
            "recipient": "ann@minimal.test",
            "message_id": "<1@minimal.example>",
            "subject": "Hello",
            "text_body": "Text — with a dash",
            "html_body": "<p>HTML</p>",
            **given,
        },
        id=uuid4(),
        created_at=datetime(2026, 11, 21, 12, 0, tzinfo=UTC),
    )


async def test_a_mail_arrives_as_text_and_html_with_its_headers(mail_server: MailServer) -> None:
    await SmtpServer(mail_server.url, "Minimal <shop@minimal.test>").send(mail())

    [message] = mail_server.messages
    assert {name: message[name] for name in ("From", "To", "Subject", "Message-ID", "Date", "Auto-Submitted")} == {
        "From": "Minimal <shop@minimal.test>",
        "To": "ann@minimal.test",
        "Subject": "Hello",
        "Message-ID": "<1@minimal.example>",
        "Date": "Sat, 21 Nov 2026 12:00:00 +0000",
        "Auto-Submitted": "auto-generated",
    }
    parts = [(part.get_content_type(), part.get_content().strip()) for part in message.iter_parts()]
    assert parts == [("text/plain", "Text — with a dash"), ("text/html", "<p>HTML</p>")]


@pytest.mark.parametrize("name", ["subject", "message_id", "recipient"])
def test_a_line_break_cannot_become_a_header(name: str) -> None:
    with pytest.raises(ValueError, match=r"(?i)newline|linefeed|CR or LF|invalid"):
        compose(mail(**{name: "x@y.z\r\nBcc: all@minimal.test"}), "shop@minimal.test").as_bytes()


@pytest.mark.parametrize(
    "broken",
    [
        {"recipient": "x@[1"},
        {"recipient": "ann@mini\nmal.test"},
        {"subject": "two\r\nlines"},
        {"message_id": "<a\n@b>"},
        {"text_body": "half a pair \ud800"},
    ],
)
async def test_mail_that_cannot_be_built_is_rejected(mail_server: MailServer, broken: dict[str, str]) -> None:
    with pytest.raises(MailRejected, match="cannot be built"):
        await SmtpServer(mail_server.url, "shop@minimal.test").send(mail(**broken))

    assert mail_server.asked == []


async def test_recipient_beyond_ascii_is_sent_by_smtputf8(mail_server: MailServer) -> None:
    await SmtpServer(mail_server.url, "shop@minimal.test").send(mail(recipient="jörg@minimal.test"))

    [envelope] = mail_server.envelopes
    assert (envelope.rcpt_tos, envelope.smtp_utf8) == (["jörg@minimal.test"], True)


async def test_recipient_beyond_ascii_is_rejected_without_smtputf8(ascii_mail_server: MailServer) -> None:
    with pytest.raises(MailRejected, match="SMTPNotSupported"):
        await SmtpServer(ascii_mail_server.url, "shop@minimal.test").send(mail(recipient="jörg@minimal.test"))


async def test_an_address_with_a_comma_is_one_recipient(mail_server: MailServer) -> None:
    await SmtpServer(mail_server.url, "shop@minimal.test").send(mail(recipient="ann,bob@minimal.test"))

    [envelope] = mail_server.envelopes
    assert envelope.rcpt_tos == ['"ann,bob"@minimal.test']


async def test_a_domain_beyond_ascii_goes_as_idna(mail_server: MailServer) -> None:
    await SmtpServer(mail_server.url, "shop@minimal.test").send(mail(recipient="ann@bücher.test"))

    [envelope] = mail_server.envelopes
    assert envelope.rcpt_tos == ["ann@xn--bcher-kva.test"]


@pytest.mark.parametrize(
    "domain", ["straße.test", "\uff4dinimal.test", "mini\ufe0fmal.test", "ﬀ.test", "minimal。test"]
)
async def test_a_domain_that_would_become_another_gets_no_mail(mail_server: MailServer, domain: str) -> None:
    with pytest.raises(MailRejected, match="no domain"):
        await SmtpServer(mail_server.url, "shop@minimal.test").send(mail(recipient=f"ann@{domain}"))

    assert mail_server.envelopes == []
