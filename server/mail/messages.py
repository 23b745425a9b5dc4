"""The mails of the shop. Each class is one mail: its data, its subject, its template.

Paths ("/reset-password?token=…") become links under the shop's public address when the mail is rendered. Amounts are
cents. Mails to an unverified address do not repeat the name typed at sign-up, since anyone could use it to send
strangers a text of their own.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

RefundState = Literal["due", "made", "none"]
"""Whether a refund follows, has been requested, or will never be, because the items cost nothing."""


@dataclass(frozen=True)
class Message:
    """Base of every mail. `template` names a pair of files in templates/: .txt and .html."""

    template: ClassVar[str]

    @property
    def subject(self) -> str:
        """The subject line."""
        raise NotImplementedError

    @property
    def unsubscribe(self) -> str | None:
        """The path that ends mails of this kind; None for mails that cannot be turned off."""
        return None


@dataclass(frozen=True)
class Welcome(Message):
    """To a new account, with the link that verifies the address."""

    template: ClassVar[str] = "welcome"
    verify_path: str
    """Where the recipient confirms the address, or disowns the account."""

    @property
    def subject(self) -> str:
        """As in Message."""
        return "Welcome to Minimal"


@dataclass(frozen=True)
class VerifyEmail(Message):
    """To the new address of an account whose e-mail was changed."""

    template: ClassVar[str] = "verify_email"
    verify_path: str

    @property
    def subject(self) -> str:
        return "Confirm your email address"


@dataclass(frozen=True)
class EmailDenied(Message):
    """To the earlier address, which an account has back after the owner of its newer address disowned the account."""

    template: ClassVar[str] = "email_denied"

    @property
    def subject(self) -> str:
        return "Your account uses this address again"


@dataclass(frozen=True)
class PasswordResetLink(Message):
    """With the link that sets a new password; valid once, for an hour."""

    template: ClassVar[str] = "password_reset"
    reset_path: str

    @property
    def subject(self) -> str:
        return "Set a new password"


@dataclass(frozen=True)
class EmailChanged(Message):
    """To the old address, so that its owner notices a change made by another person."""

    template: ClassVar[str] = "email_changed"

    @property
    def subject(self) -> str:
        return "Your email address was changed"


@dataclass(frozen=True)
class PasswordChanged(Message):
    """After a change or reset of the password.

    `ended` names the credentials that no longer sign in, `removed` what another person may have put into the account.
    """

    template: ClassVar[str] = "password_changed"
    ended: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return "Your password was changed"


@dataclass(frozen=True)
class SignInLocked(Message):
    """At most once a day, when so many passwords were wrong that unknown devices have to wait."""

    template: ClassVar[str] = "sign_in_locked"

    @property
    def subject(self) -> str:
        return "Wrong passwords for your account"


@dataclass(frozen=True)
class GoogleLinked(Message):
    """A Google account was linked. `ended` and `removed` as in PasswordChanged."""

    template: ClassVar[str] = "google_linked"
    ended: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return "Your account now works with Google"


@dataclass(frozen=True)
class GoogleUnlinked(Message):
    """The Google account was unlinked by a signed-in session."""

    template: ClassVar[str] = "google_unlinked"

    @property
    def subject(self) -> str:
        return "Your account no longer works with Google"


@dataclass(frozen=True)
class SignInChanged(Message):
    """After a change of passkeys, one-time codes or recovery codes. `what` is a whole sentence written by the shop.

    `reset_ends_factors` is False for an admin, whose second factors only the shop ends.
    """

    template: ClassVar[str] = "sign_in_changed"
    what: str
    reset_ends_factors: bool = True

    @property
    def subject(self) -> str:
        return "How you sign in has changed"


@dataclass(frozen=True)
class AccountDeleted(Message):
    """To the address of an account that its owner deleted."""

    template: ClassVar[str] = "account_deleted"

    @property
    def subject(self) -> str:
        return "Your account is deleted"


@dataclass(frozen=True)
class MailOrderLine:
    """One line of an order. `image_path` is a small JPEG, which all mail programs can show."""

    name: str
    color: str
    size: str
    quantity: int
    total_cents: int
    image_path: str | None = None


@dataclass(frozen=True)
class MailTotalRow:
    """One row of an order's totals, formatted: ("Delivery, Europe", "$12.00")."""

    label: str
    amount: str


@dataclass(frozen=True)
class PostalAddress:
    """The delivery address as stored with the order."""

    name: str
    address1: str
    address2: str
    city: str
    state: str
    country: str
    postal_code: str
    phone: str

    @property
    def town(self) -> str:
        """The line between street and country: "94103 San Francisco, CA"."""
        return ", ".join(part for part in (f"{self.postal_code} {self.city}".strip(), self.state) if part)


@dataclass(frozen=True)
class OrderConfirmation(Message):
    """Once per order. `number` is what a shopper quotes: M-10001."""

    template: ClassVar[str] = "order_confirmation"
    name: str
    number: str
    lines: tuple[MailOrderLine, ...]
    total_cents: int
    address: PostalAddress
    sums: tuple[MailTotalRow, ...] = ()
    """Rows above the total; empty when the total is only goods."""
    included_tax: str = ""
    """The row below a total that includes tax; empty otherwise."""

    @property
    def subject(self) -> str:
        return f"Your order {self.number}"


@dataclass(frozen=True)
class BackInStock(Message):
    """One mail for a variant that was sold out. `image_path` is a JPEG."""

    template: ClassVar[str] = "back_in_stock"
    name: str
    color: str
    size: str
    product_path: str
    image_path: str | None
    unsubscribe_path: str

    @property
    def subject(self) -> str:
        return f"{self.name} is back in {self.size}"

    @property
    def unsubscribe(self) -> str | None:
        return self.unsubscribe_path


@dataclass(frozen=True)
class OrderCanceled(Message):
    """An order was canceled; `amount_cents` will be refunded, and a RefundNotice follows then.

    `reason` is the shop's, in whole sentences; None when the buyer canceled. `closes_returns` when the buyer had asked
    to return items.
    """

    template: ClassVar[str] = "order_canceled"
    name: str
    number: str
    amount_cents: int
    reason: str | None = None
    closes_returns: bool = False

    @property
    def subject(self) -> str:
        return f"Your order {self.number} is canceled"


@dataclass(frozen=True)
class OrderShipped(Message):
    """A shipment has left; `lines` are its contents. Tracking number and URL are empty where there are none."""

    template: ClassVar[str] = "order_shipped"
    name: str
    number: str
    carrier: str
    tracking_number: str
    tracking_url: str
    lines: tuple[MailOrderLine, ...]
    is_last: bool
    address: PostalAddress

    @property
    def subject(self) -> str:
        whose = f"Your order {self.number}" if self.is_last else f"Part of your order {self.number}"
        return f"{whose} is on its way"


@dataclass(frozen=True)
class ReturnAccepted(Message):
    """A return was accepted. `words` are the shop's instructions and may be empty, as may `label_url`.

    `refund` says whether one follows.
    """

    template: ClassVar[str] = "return_accepted"
    name: str
    number: str
    lines: tuple[MailOrderLine, ...]
    words: str
    label_url: str
    send_to: tuple[str, ...]
    refund: RefundState = "due"

    @property
    def subject(self) -> str:
        return f"Your return of order {self.number}"


@dataclass(frozen=True)
class ReturnRefused(Message):
    """A return was refused; says why, in the shop's words."""

    template: ClassVar[str] = "return_refused"
    name: str
    number: str
    words: str

    @property
    def subject(self) -> str:
        return f"Your return of order {self.number}"


@dataclass(frozen=True)
class ReturnReceived(Message):
    """A return has arrived; `lines` are its contents. A RefundNotice follows when the `refund` is due."""

    template: ClassVar[str] = "return_received"
    name: str
    number: str
    lines: tuple[MailOrderLine, ...]
    refund: RefundState = "due"

    @property
    def subject(self) -> str:
        return f"Your return of order {self.number} has arrived"


@dataclass(frozen=True)
class RefundNotice(Message):
    """A refund was made. `number` is None when the payment led to no order; `reason` is a whole sentence."""

    template: ClassVar[str] = "refund_notice"
    name: str
    amount_cents: int
    reason: str
    number: str | None = None

    @property
    def subject(self) -> str:
        return f"Refund for your order {self.number}" if self.number else "Your payment is refunded"


@dataclass(frozen=True)
class PaymentFailed(Message):
    """A payment that was processing has failed; nothing was charged."""

    template: ClassVar[str] = "payment_failed"
    name: str
    total_cents: int

    @property
    def subject(self) -> str:
        return "Your payment did not go through"
