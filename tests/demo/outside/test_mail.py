"""The mail server keeps what it accepted, however often and whatever happens then."""

import smtplib
from email.message import EmailMessage

import httpx
import pytest

from tests.demo.outside.conftest import Outside


def letter(to: str, message_id: str = "<order-1@minimal.test>") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Minimal <shop@minimal.test>"
    message["To"] = to
    message["Subject"] = "Your order, Zoë"
    message["Message-ID"] = message_id
    message.set_content("Thank you, Zoë.\n")
    message.add_alternative("<p>Thank you, <b>Zoë</b>.</p><script>alert(1)</script>", subtype="html")
    return message


def send(outside: Outside, message: EmailMessage) -> None:
    with smtplib.SMTP("127.0.0.1", outside.port + 1) as server:
        server.send_message(message)


def test_a_message_is_read_as_it_was_written(outside: Outside) -> None:
    send(outside, letter("Zoë@example.test".replace("ë", "e")))

    [message] = outside.ask("/_control/mail?to=zoe@example.test")

    assert (message["message_id"], message["subject"]) == ("<order-1@minimal.test>", "Your order, Zoë")
    assert (message["from"], message["to"]) == ("Minimal <shop@minimal.test>", "Zoe@example.test")
    assert message["text"].strip() == "Thank you, Zoë."
    assert "<b>Zoë</b>" in message["html"]
    assert message["received_at"].endswith("Z")


def test_a_repeat_is_kept_beside_the_first_and_both_outlive_kill_9(outside: Outside) -> None:
    for _ in range(2):
        send(outside, letter("twice@example.test", "<same@minimal.test>"))
    outside.kill()
    outside.start()

    messages = outside.ask("/_control/mail?to=TWICE@example.test")

    assert [message["message_id"] for message in messages] == ["<same@minimal.test>"] * 2


def test_a_mail_can_be_put_off(outside: Outside) -> None:
    outside.tell("/_control/faults", kind="unavailable", path="smtp")

    with pytest.raises(smtplib.SMTPDataError) as refusal:
        send(outside, letter("late@example.test"))
    send(outside, letter("late@example.test"))

    assert refusal.value.smtp_code == 451
    assert len(outside.ask("/_control/mail?to=late@example.test")) == 1


def test_a_message_is_shown_without_its_scripts_running(outside: Outside) -> None:
    send(outside, letter("shown@example.test"))
    [message] = outside.ask("/_control/mail?to=shown@example.test")

    page = httpx.get(f"{outside.url}/mail/{message['id']}").text
    body = httpx.get(f"{outside.url}/mail/{message['id']}/html")

    assert 'sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"' in page
    assert "allow-scripts" not in page + body.headers["content-security-policy"]
    assert "default-src 'none'" in body.headers["content-security-policy"]
