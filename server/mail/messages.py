"""The mails of the shop. Each class is one mail: its data, its subject, its template.

Paths ("/reset-password?token=…") become links under the shop's public address when the mail is rendered. Amounts are
cents. A field's type says who wrote its text; server.mail.unconfirmed decides what an unconfirmed address gets of it.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, ClassVar, Literal

RefundState = Literal["due", "made", "none"]
"""Whether a refund follows, has been requested, or will never be, because the items cost nothing."""


class Origin(Enum):
    """Who wrote a text."""

    SHOP = "shop"
    """The program, its owner or a service of theirs."""
    GREETING = "greeting"
    """A person; it is the name that the mail greets."""
    PERSON = "person"
    """A person. Also every field whose type does not say."""


ShopText = Annotated[str, Origin.SHOP]
Greeting = Annotated[str, Origin.GREETING]
PostalLines = tuple[str, ...]
"""A delivery address as its country writes it, in the words that the shopper typed."""


@dataclass(frozen=True)
class Message:
    """Base of every mail. `template` names a pair of files in templates/: .txt and .html."""

    template: ClassVar[str]

    @property
    def subject(self) -> str:
        """The subject line."""
        raise NotImplementedError

    def subject_of(self, shop_name: str) -> str:
        """The subject line of a mail from a shop of this name."""
        return self.subject

    @property
    def unsubscribe(self) -> str | None:
        """The path that ends mails of this kind; None for mails that cannot be turned off."""
        return None


@dataclass(frozen=True)
class OrderMessage(Message):
    """Base of every mail about an order. `order_path` is its page; None without an account that could see it."""

    order_path: ShopText | None = field(kw_only=True)


@dataclass(frozen=True)
class Welcome(Message):
    """To a new account, with the link that verifies the address."""

    template: ClassVar[str] = "welcome"
    verify_path: ShopText
    """Where the recipient confirms the address, or disowns the account."""

    def subject_of(self, shop_name: str) -> str:
        """With the shop's name."""
        return f"Welcome to {shop_name}"


@dataclass(frozen=True)
class VerifyEmail(Message):
    """To the new address of an account whose e-mail was changed."""

    template: ClassVar[str] = "verify_email"
    subject = "Confirm your email address"
    verify_path: ShopText


@dataclass(frozen=True)
class EmailDenied(Message):
    """To the earlier address, which an account has back after the owner of its newer address disowned the account."""

    template: ClassVar[str] = "email_denied"
    subject = "Your account uses this address again"


@dataclass(frozen=True)
class PasswordResetLink(Message):
    """With the link that sets a new password; valid once, for an hour."""

    template: ClassVar[str] = "password_reset"
    subject = "Set a new password"
    reset_path: ShopText


@dataclass(frozen=True)
class EmailChanged(Message):
    """To the old address, so that its owner notices a change made by another person."""

    template: ClassVar[str] = "email_changed"
    subject = "Your email address was changed"


@dataclass(frozen=True)
class PasswordChanged(Message):
    """After a change or reset of the password.

    `ended` names the credentials that no longer sign in, `removed` what another person may have put into the account.
    """

    template: ClassVar[str] = "password_changed"
    subject = "Your password was changed"
    ended: tuple[ShopText, ...] = ()
    removed: tuple[ShopText, ...] = ()


@dataclass(frozen=True)
class SignInLocked(Message):
    """At most once a day, when so many passwords were wrong that unknown devices have to wait."""

    template: ClassVar[str] = "sign_in_locked"
    subject = "Wrong passwords for your account"


@dataclass(frozen=True)
class GoogleLinked(Message):
    """A Google account was linked. `ended` and `removed` as in PasswordChanged."""

    template: ClassVar[str] = "google_linked"
    subject = "Your account now works with Google"
    ended: tuple[ShopText, ...] = ()
    removed: tuple[ShopText, ...] = ()


@dataclass(frozen=True)
class GoogleUnlinked(Message):
    """The Google account was unlinked by a signed-in session."""

    template: ClassVar[str] = "google_unlinked"
    subject = "Your account no longer works with Google"


@dataclass(frozen=True)
class SignInChanged(Message):
    """After a change of passkeys, one-time codes or recovery codes. `what` is a whole sentence written by the shop.

    `reset_ends_factors` is False for an admin, whose second factors only the shop ends.
    """

    template: ClassVar[str] = "sign_in_changed"
    subject = "How you sign in has changed"
    what: ShopText
    reset_ends_factors: bool = True


@dataclass(frozen=True)
class AccountDeleted(Message):
    """To the address of an account that its owner deleted."""

    template: ClassVar[str] = "account_deleted"
    subject = "Your account is deleted"


@dataclass(frozen=True)
class MailOrderLine:
    """One line of an order. `image_path` is a small JPEG, which all mail programs can show."""

    name: ShopText
    color: ShopText
    size: ShopText
    quantity: int
    total_cents: int
    image_path: ShopText | None = None


@dataclass(frozen=True)
class MailTotalRow:
    """One row of an order's totals, formatted: ("Delivery, Europe", "$12.00")."""

    label: ShopText
    amount: ShopText


@dataclass(frozen=True)
class OrderConfirmation(OrderMessage):
    """Once per order. `number` is what a shopper quotes: M-10001."""

    template: ClassVar[str] = "order_confirmation"
    name: Greeting
    number: ShopText
    lines: tuple[MailOrderLine, ...]
    total_cents: int
    address: PostalLines
    phone: str
    sums: tuple[MailTotalRow, ...] = ()
    """Rows above the total; empty when the total is only goods."""
    included_tax: ShopText = ""
    """The row below a total that includes tax; empty otherwise."""

    @property
    def subject(self) -> str:
        return f"Your order {self.number}"


@dataclass(frozen=True)
class BackInStock(Message):
    """One mail for a variant that was sold out. `image_path` is a JPEG."""

    template: ClassVar[str] = "back_in_stock"
    name: ShopText
    color: ShopText
    size: ShopText
    product_path: ShopText
    image_path: ShopText | None
    unsubscribe_path: ShopText

    @property
    def subject(self) -> str:
        return f"{self.name} is back in {self.size}"

    def subject_of(self, shop_name: str) -> str:
        """The subject line of a mail from a shop of this name."""
        return self.subject

    @property
    def unsubscribe(self) -> str | None:
        return self.unsubscribe_path


@dataclass(frozen=True)
class UnsubscribeLink(Message):
    """With a link that ends the alerts of an address, to anyone who asks for one on the page of an expired link."""

    template: ClassVar[str] = "unsubscribe_link"
    subject = "Your link to stop our mails"
    unsubscribe_path: ShopText

    def subject_of(self, shop_name: str) -> str:
        """The subject line of a mail from a shop of this name."""
        return self.subject

    @property
    def unsubscribe(self) -> str | None:
        return self.unsubscribe_path


@dataclass(frozen=True)
class OrderCanceled(OrderMessage):
    """An order was canceled; `amount_cents` will be refunded, and a RefundNotice follows then.

    `reason` is the shop's, in whole sentences; None when the buyer canceled. `closes_returns` when the buyer had asked
    to return items. `is_disputed` when the buyer's bank decides who gets the money.
    """

    template: ClassVar[str] = "order_canceled"
    name: Greeting
    number: ShopText
    amount_cents: int
    reason: ShopText | None = None
    closes_returns: bool = False
    is_disputed: bool = False

    @property
    def subject(self) -> str:
        return f"Your order {self.number} is canceled"


@dataclass(frozen=True)
class OrderShipped(OrderMessage):
    """A shipment has left; `lines` are its contents. Tracking number and URL are empty where there are none."""

    template: ClassVar[str] = "order_shipped"
    name: Greeting
    number: ShopText
    carrier: ShopText
    tracking_number: ShopText
    tracking_url: ShopText
    lines: tuple[MailOrderLine, ...]
    is_last: bool
    address: PostalLines

    @property
    def subject(self) -> str:
        whose = f"Your order {self.number}" if self.is_last else f"Part of your order {self.number}"
        return f"{whose} is on its way"


@dataclass(frozen=True)
class ReturnAccepted(OrderMessage):
    """A return was accepted. `words` are the shop's instructions and may be empty, as may `label_url`.

    `refund` says whether one follows.
    """

    template: ClassVar[str] = "return_accepted"
    name: Greeting
    number: ShopText
    lines: tuple[MailOrderLine, ...]
    words: ShopText
    label_url: ShopText
    send_to: tuple[ShopText, ...]
    refund: RefundState = "due"

    @property
    def subject(self) -> str:
        return f"Your return of order {self.number}"


@dataclass(frozen=True)
class ReturnRefused(OrderMessage):
    """A return was refused; says why, in the shop's words."""

    template: ClassVar[str] = "return_refused"
    name: Greeting
    number: ShopText
    words: ShopText

    @property
    def subject(self) -> str:
        return f"Your return of order {self.number}"


@dataclass(frozen=True)
class ReturnReceived(OrderMessage):
    """A return has arrived; `lines` are its contents. A RefundNotice follows when the `refund` is due."""

    template: ClassVar[str] = "return_received"
    name: Greeting
    number: ShopText
    lines: tuple[MailOrderLine, ...]
    refund: RefundState = "due"

    @property
    def subject(self) -> str:
        return f"Your return of order {self.number} has arrived"


@dataclass(frozen=True)
class RefundNotice(OrderMessage):
    """A refund was made. `number` is None when the payment led to no order; `reason` is a whole sentence."""

    template: ClassVar[str] = "refund_notice"
    name: Greeting
    amount_cents: int
    reason: ShopText
    number: ShopText | None = None

    @property
    def subject(self) -> str:
        return f"Refund for your order {self.number}" if self.number else "Your payment is refunded"


@dataclass(frozen=True)
class PaymentFailed(OrderMessage):
    """A payment that was processing has failed; nothing was charged."""

    template: ClassVar[str] = "payment_failed"
    subject = "Your payment did not go through"
    name: Greeting
    total_cents: int
