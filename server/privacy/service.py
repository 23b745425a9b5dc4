"""Data export and account deletion."""

from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import service as identity
from server.identity.models import User
from server.mail import service as mail
from server.mail.messages import AccountDeleted
from server.orders.models import Checkout, Order
from server.orders.states import CheckoutStatus, PaymentStatus
from server.platform.core.viewer import Viewer
from server.privacy import queries
from server.privacy.errors import PaymentUnderway, PrimaryAdminStays
from server.wishlist import unsubscribing


async def everything_about(session: AsyncSession, viewer: Viewer) -> dict[str, Any]:
    """Everything that the shop stores about the viewer, under readable names and without secrets."""
    user = await identity.own_account(session, viewer.user_id)
    return {
        "account": await queries.account(session, user),
        "addresses": await queries.addresses(session, user),
        "sessions": await queries.sessions(session, viewer),
        "knownDevices": await queries.known_devices(session, user),
        "secondFactors": await queries.second_factors(session, user),
        "cart": await queries.cart(session, user),
        "wishlist": await queries.wishlist(session, user),
        "backInStockMails": await queries.stock_alerts(session, user),
        "orders": await queries.orders(session, user),
        "unfinishedPayments": await queries.unfinished_payments(session, user),
        "mails": await queries.mails(session, user),
    }


async def delete_account(session: AsyncSession, user: User, *, shop_url: str) -> None:
    """Deletes an account at its owner's request and mails a confirmation. The caller has locked the account's row.

    Sessions, addresses, cart, wishlist and alerts are deleted with it. Its orders stay without the account: number,
    lines, amounts and delivery address, since bookkeeping requires them, and the order's e-mail, since a refund,
    dispute or recall may still have to reach the buyer. A hash of the account's id stays with them, by which reports
    count one customer. Nothing links them to a later account with that e-mail. Sent mails stay listed for their month,
    because their keys prevent a mail from being sent twice. A payment form left open in another tab can still be paid,
    and becomes such an order.

    Raises PrimaryAdminStays, and PaymentUnderway while a payment is processing.
    """
    if user.is_primary:
        raise PrimaryAdminStays
    if await _has_payment_underway(session, user):
        raise PaymentUnderway
    key = f"account-deleted:{user.id}"
    await mail.enqueue(session, AccountDeleted(), key=key, to=user.email, shop_url=shop_url)
    if user.email_verified_at is not None:
        await unsubscribing.forget(session, user.email)
    await identity.erase(session, user.id)


async def _has_payment_underway(session: AsyncSession, user: User) -> bool:
    checkout = (
        select(Checkout.id).where(Checkout.user_id == user.id, Checkout.status == CheckoutStatus.PROCESSING).exists()
    )
    order = select(Order.id).where(Order.user_id == user.id, Order.payment_status == PaymentStatus.PROCESSING).exists()
    return bool(await session.scalar(select(or_(checkout, order))))
