"""Text that people typed, in mails to an address that nobody has confirmed."""

from dataclasses import fields, is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from server.mail import messages
from server.mail.messages import Message, Origin, PostalLines
from server.mail.rendering import render
from server.mail.unconfirmed import for_unconfirmed, without_links

LINK = "Win at https://evil.example/prize or evil.example"
KINDS = [kind for kind in vars(messages).values() if isinstance(kind, type) and hasattr(kind, "template")]
DATA = [kind for kind in vars(messages).values() if isinstance(kind, type) and is_dataclass(kind)][1:]


def filled(hint: Any) -> Any:
    """A value of this type, whose text is a link where a person typed it."""
    parts = get_args(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        hints = get_type_hints(hint, include_extras=True)
        return hint(**{field.name: filled(hints[field.name]) for field in fields(hint)})
    if Origin.SHOP in parts:
        return "shop"
    if hint is str or Origin.GREETING in parts:
        return LINK
    if get_origin(hint) is Literal:
        return parts[0]
    if get_origin(hint) is tuple:
        return (filled(parts[0]),)
    if parts:
        return filled(parts[0])
    return hint(1)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_mail_repeats_a_typed_link(kind: type[Message]) -> None:
    message: Message = for_unconfirmed(filled(kind))

    text, html = render(message, "https://minimal.example", "Minimal")

    assert "evil" not in message.subject_of("Minimal") + text + html


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_subject_repeats_typed_text(kind: type[Message]) -> None:
    assert "Win" not in filled(kind).subject_of("Minimal")


def test_text_counts_as_typed_only_in_the_fields_of_an_address() -> None:
    """A new field without an origin is cleaned, and fails here until it is named."""
    typed = {
        (kind.__name__, name)
        for kind in DATA
        for name, hint in get_type_hints(kind).items()
        if hint in (str, PostalLines) and get_type_hints(kind, include_extras=True)[name] == hint
    }

    assert typed == {("OrderConfirmation", "address"), ("OrderConfirmation", "phone"), ("OrderShipped", "address")}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_confirmed_address_gets_the_whole_text(kind: type[Message]) -> None:
    message: Message = filled(kind)
    repeats = any(name in ("name", "address") for name in (field.name for field in fields(message)))

    text, _ = render(message, "https://minimal.example", "Minimal")

    assert ("evil.example" in text) is (repeats and kind is not messages.BackInStock)


@pytest.mark.parametrize(
    "typed",
    [
        "http://evil.example",
        "HTTPS://EVIL.EXAMPLE",
        "evil.example",
        "www.evil",
        "(evil.example)",
        "evil.example/path?x=1",
        "//evil",
        "\\\\evil\\share",
        "me@evil",
        "mailto:me",
        "tel:+15550100",
        "javascript:alert(1)",
        "192.0.2.1",
        "evil\u3002example",
        "evil\uff0eexample",
        "evil\uff61example",
        "evil\u2024example",
        "e\u200bvil.example",
        "evil.\u200bexample",
        "xn--80ak6aa92e",
        "\u0435vil.\u0440\u0444",
        "ht\u200btps:/evil",
        "a\tevil.example",
        "a\u00a0evil.example",
    ],
)
def test_what_a_mail_program_makes_a_link_of_is_left_out(typed: str) -> None:
    assert without_links(f"Flat 3 {typed} Leeds") == "Flat 3 … Leeds"


@pytest.mark.parametrize(
    "typed",
    [
        "Ann Shopper",
        "12 St James's Square",
        "Bahnhofstr.12",
        "J. R. R. Tolkien",
        "J.R.R. Tolkien",
        "Apt. 4/B",
        "No.5",
        "c/o Dr. Ann-Kathrin Müller",
        "+49 (0)30 1234-567",
        "SW1Y 4JH",
        "東京都千代田区1-1",
        "Łódź, ul. Piotrkowska 5",
        "Hotel: reception",
        "",
        "  two  spaces ",
    ],
)
def test_an_address_is_left_as_it_was_typed(typed: str) -> None:
    assert without_links(typed) == typed
