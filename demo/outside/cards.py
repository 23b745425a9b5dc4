"""The test cards: what happens when a number is paid with."""

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["pays", "declined", "authenticate", "settles", "fails_later"]


@dataclass(frozen=True)
class Card:
    """A test card and the outcome of paying with it."""

    number: str
    outcome: Outcome
    says: str
    decline_code: str | None = None
    refund: Literal["succeeds", "pending", "fails"] = "succeeds"

    @property
    def grouped(self) -> str:
        """The number in groups of four digits."""
        return " ".join(self.number[at : at + 4] for at in range(0, len(self.number), 4))


CARDS = {
    card.number: card
    for card in (
        Card("4242424242424242", "pays", "Pays."),
        Card("4000002500003155", "authenticate", "Asks for a 3-D Secure step, which can be completed or failed."),
        Card("4000000000000002", "declined", "Is declined. Another card may be tried.", "generic_decline"),
        Card("4000000000009995", "declined", "Is declined: not enough money.", "insufficient_funds"),
        Card("4000000000000069", "declined", "Is declined: expired.", "expired_card"),
        Card("4000000000000127", "declined", "Is declined: wrong CVC.", "incorrect_cvc"),
        Card("4000000000000341", "fails_later", "Is accepted and fails some seconds later."),
        Card("4000000000000077", "settles", "Is accepted and pays some seconds later."),
        Card("4000000000007726", "pays", "Pays. A refund is pending at first and succeeds later.", refund="pending"),
        Card("4000000000005126", "pays", "Pays. A refund succeeds at first and fails later.", refund="fails"),
        Card("5555555555554444", "pays", "Pays, as a Mastercard."),
        Card("378282246310005", "pays", "Pays, as an American Express card with a CVC of four digits."),
    )
}

DECLINES = {
    "generic_decline": ("card_declined", "Your card was declined."),
    "insufficient_funds": ("card_declined", "Your card has insufficient funds."),
    "expired_card": ("expired_card", "Your card has expired."),
    "incorrect_cvc": ("incorrect_cvc", "Your card's security code is incorrect."),
    "authentication_required": (
        "payment_intent_authentication_failure",
        "We could not authenticate your card. Please choose another card or try again.",
    ),
}


def brand_of(number: str) -> str:
    """The brand, by the first digits."""
    if number.startswith(("34", "37")):
        return "amex"
    if number[:2] in {"51", "52", "53", "54", "55"} or "2221" <= number[:4] <= "2720":
        return "mastercard"
    return "visa" if number.startswith("4") else "unknown"


def passes_luhn(number: str) -> bool:
    """Whether the check digit is right (Luhn)."""
    digits = [int(digit) for digit in reversed(number)]
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[1::2]]
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
