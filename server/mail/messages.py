"""What the shop writes to people. Each class is one mail: what it needs to know, its subject, its template.

Paths ("/reset-password?token=…") become links when the mail is rendered, under the shop's public address.
Amounts are cents. Mails to an address that nobody has proved yet do not repeat the name typed at sign-up: whoever
typed it could make the shop send strangers words of his own.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Message:
    """Base of every mail. `template` names a pair of files in templates/: .txt and .html."""

    template: ClassVar[str]

    @property
    def subject(self) -> str:
        raise NotImplementedError

    @property
    def unsubscribe(self) -> str | None:
        """The path that ends mails of this kind; None for those that nobody can do without."""
        return None


@dataclass(frozen=True)
class Welcome(Message):
    """To a new account, with the link that proves the address."""

    template: ClassVar[str] = "welcome"
    verify_path: str
    """Where the receiver confirms the address, or says that the account is somebody else's."""

    @property
    def subject(self) -> str:
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
    """To the address that an account has again, after the owner of a newer one has said that it is not theirs."""

    template: ClassVar[str] = "email_denied"

    @property
    def subject(self) -> str:
        return "Your account uses this address again"


@dataclass(frozen=True)
class PasswordReset(Message):
    """With the link that sets a new password; it works once, for an hour."""

    template: ClassVar[str] = "password_reset"
    reset_path: str

    @property
    def subject(self) -> str:
        return "Set a new password"


@dataclass(frozen=True)
class EmailChanged(Message):
    """To the old address, so that its owner learns of a change made by somebody else."""

    template: ClassVar[str] = "email_changed"

    @property
    def subject(self) -> str:
        return "Your email address was changed"


@dataclass(frozen=True)
class PasswordChanged(Message):
    """After a change or a reset of the password. `ended` names what signed in before and does no longer."""

    template: ClassVar[str] = "password_changed"
    ended: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return "Your password was changed"


@dataclass(frozen=True)
class SignInLocked(Message):
    """Once a day: so many wrong passwords that unknown browsers have to wait."""

    template: ClassVar[str] = "sign_in_locked"

    @property
    def subject(self) -> str:
        return "Wrong passwords for your account"


@dataclass(frozen=True)
class GoogleLinked(Message):
    """A Google account now signs in. `ended` names what did before and does no longer."""

    template: ClassVar[str] = "google_linked"
    ended: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return "Your account now works with Google"


@dataclass(frozen=True)
class GoogleUnlinked(Message):
    """No Google account signs in any more, as somebody who was signed in has wished."""

    template: ClassVar[str] = "google_unlinked"

    @property
    def subject(self) -> str:
        return "Your account no longer works with Google"


@dataclass(frozen=True)
class SignInChanged(Message):
    """After a change of passkeys, one-time codes or recovery codes. `what` is a whole sentence of the shop's own."""

    template: ClassVar[str] = "sign_in_changed"
    what: str

    @property
    def subject(self) -> str:
        return "How you sign in has changed"


@dataclass(frozen=True)
class AccountDeleted(Message):
    """To the address of an account that its owner has deleted."""

    template: ClassVar[str] = "account_deleted"

    @property
    def subject(self) -> str:
        return "Your account is deleted"


@dataclass(frozen=True)
class MailOrderLine:
    """One line of an order. `image_path` is a small picture in a format that mail programs know (JPEG)."""

    name: str
    color: str
    size: str
    quantity: int
    total_cents: int
    image_path: str | None = None


@dataclass(frozen=True)
class MailTotalRow:
    """A part of a total, in words: ("Delivery, Europe", "$12.00")."""

    label: str
    amount: str


@dataclass(frozen=True)
class PostalAddress:
    """Where the parcel goes, as the order keeps it."""

    name: str
    address1: str
    address2: str
    city: str
    country: str
    postal_code: str
    phone: str


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
    """What stands above the total; empty where the goods are all there is."""
    included_tax: str = ""
    """What stands below a total that has the tax in it."""

    @property
    def subject(self) -> str:
        return f"Your order {self.number}"


@dataclass(frozen=True)
class BackInStock(Message):
    """Once to everybody who waited for a sold-out variant. `image_path` is a JPEG."""

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
    """An order was called off; `amount_cents` goes back, and a RefundNotice follows when it does.

    `reason` is the shop's, in whole sentences; None when the buyer did it. `closes_returns` when the buyer had asked to
    send pieces back.
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
    """A parcel has left; `lines` is what is in it. Number and address of the parcel are empty where there are none."""

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
    """The pieces may come back. `words` are the shop's own and may be empty, as `label_url` may.

    `is_paid_back` when their money has gone back already.
    """

    template: ClassVar[str] = "return_accepted"
    name: str
    number: str
    lines: tuple[MailOrderLine, ...]
    words: str
    label_url: str
    send_to: tuple[str, ...]
    is_paid_back: bool = False

    @property
    def subject(self) -> str:
        return f"Your return of order {self.number}"


@dataclass(frozen=True)
class ReturnRefused(Message):
    """The pieces may not come back, and why, in the shop's own words."""

    template: ClassVar[str] = "return_refused"
    name: str
    number: str
    words: str

    @property
    def subject(self) -> str:
        return f"Your return of order {self.number}"


@dataclass(frozen=True)
class ReturnReceived(Message):
    """The parcel is here; a RefundNotice follows, unless `is_paid_back`. `lines` is what was in it."""

    template: ClassVar[str] = "return_received"
    name: str
    number: str
    lines: tuple[MailOrderLine, ...]
    is_paid_back: bool = False

    @property
    def subject(self) -> str:
        return f"Your return of order {self.number} has arrived"


@dataclass(frozen=True)
class RefundNotice(Message):
    """Money goes back. `number` is None when no order came of the payment; `reason` is a whole sentence."""

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
    """A payment that was on its way has failed after all; nothing was charged."""

    template: ClassVar[str] = "payment_failed"
    name: str
    total_cents: int

    @property
    def subject(self) -> str:
        return "Your payment did not go through"
