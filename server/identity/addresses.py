"""Delivery addresses of accounts."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import accounts
from server.identity.errors import AddressLimitReached
from server.identity.models import Address
from server.identity.rules import AddressForm
from server.platform.core.db import any_of
from server.platform.core.errors import NotFound


async def of_user(session: AsyncSession, user_id: UUID) -> Sequence[Address]:
    """The account's addresses, oldest first."""
    return (await session.scalars(select(Address).where(Address.user_id == user_id).order_by(Address.id))).all()


async def of_users(session: AsyncSession, user_ids: Sequence[UUID]) -> dict[UUID, list[Address]]:
    """Addresses by account, oldest first; accounts without any are missing."""
    by_user: dict[UUID, list[Address]] = {}
    for address in await session.scalars(select(Address).where(any_of(Address.user_id, user_ids)).order_by(Address.id)):
        by_user.setdefault(address.user_id, []).append(address)
    return by_user


async def get(session: AsyncSession, user_id: UUID, address_id: UUID) -> Address:
    """One address. Raises NotFound for one that is not the account's own."""
    own = select(Address).where(Address.id == address_id, Address.user_id == user_id)
    address = await session.scalar(own)
    if address is None:
        raise NotFound("This address")
    return address


async def preferred(session: AsyncSession, user_id: UUID) -> Address | None:
    """The default address, else the newest."""
    own = select(Address).where(Address.user_id == user_id)
    return await session.scalar(own.order_by(Address.is_default.desc(), Address.id.desc()).limit(1))


async def add(session: AsyncSession, user_id: UUID, form: AddressForm, *, limit: int) -> Address:
    """Adds an address; the first becomes the default. Raises AddressLimitReached."""
    await accounts.locked(session, user_id)
    count = await session.scalar(select(func.count()).where(Address.user_id == user_id)) or 0
    if count >= limit:
        raise AddressLimitReached(limit)
    address = Address(user_id=user_id, state=form.state or "", **_columns(form))
    address.is_default = form.is_default or count == 0
    if address.is_default:
        await _unmake_default(session, user_id)
    session.add(address)
    await session.flush()
    return address


async def change(session: AsyncSession, user_id: UUID, address_id: UUID, form: AddressForm) -> Address:
    """Replaces the whole address. Raises NotFound."""
    await accounts.locked(session, user_id)
    address = await get(session, user_id, address_id)
    if form.is_default and not address.is_default:
        await _unmake_default(session, user_id)
    has_moved = address.country != form.country
    for name, value in _columns(form).items():
        setattr(address, name, value)
    if form.state is not None or has_moved:
        address.state = form.state or ""
    await session.flush()
    return address


async def remove(session: AsyncSession, user_id: UUID, address_id: UUID) -> None:
    """Deletes an address; when it was the default, the newest of the others becomes it. Raises NotFound."""
    await accounts.locked(session, user_id)
    gone = delete(Address).where(Address.id == address_id, Address.user_id == user_id).returning(Address.is_default)
    was_default = await session.scalar(gone)
    if was_default is None:
        raise NotFound("This address")
    if was_default:
        newest = select(Address.id).where(Address.user_id == user_id).order_by(Address.id.desc()).limit(1)
        await session.execute(update(Address).where(Address.id == newest.scalar_subquery()).values(is_default=True))


async def _unmake_default(session: AsyncSession, user_id: UUID) -> None:
    await session.execute(
        update(Address).where(Address.user_id == user_id, Address.is_default).values(is_default=False)
    )


def _columns(form: AddressForm) -> dict[str, str | bool]:
    return {
        "name": form.name,
        "address1": form.address1,
        "address2": form.address2,
        "city": form.city,
        "country": form.country,
        "postal_code": form.postal_code,
        "phone": form.phone,
        "is_default": form.is_default,
    }
