"""A shopper's addresses and which of them is the default."""

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest

from server.identity import service as identity
from server.identity.errors import AddressLimitReached
from server.identity.models import Address
from server.identity.rules import AddressForm
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import NotFound, Unauthenticated
from tests.identity.conftest import MakeUser

HOME = AddressForm("Ann", "1 High St", "", "Leeds", "GB", "", "LS1 4AP", "0113 496 0000", is_default=False)


async def add(sessions: Sessions, user_id: UUID, city: str, *, default: bool = False) -> Address:
    async with begin(sessions) as session:
        return await identity.add_address(session, user_id, replace(HOME, city=city, is_default=default), limit=10)


async def listed(sessions: Sessions, user_id: UUID) -> list[tuple[str, bool]]:
    async with sessions() as session:
        return [(address.city, address.is_default) for address in await identity.addresses_of(session, user_id)]


async def test_the_first_address_is_the_default_and_later_ones_are_not(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()

    for city in ("Leeds", "York"):
        await add(sessions, user.id, city)

    assert await listed(sessions, user.id) == [("Leeds", True), ("York", False)]


async def test_making_one_default_unmakes_the_other(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    leeds = await add(sessions, user.id, "Leeds")
    await add(sessions, user.id, "York", default=True)
    after_adding = await listed(sessions, user.id)

    async with begin(sessions) as session:
        form = replace(HOME, city="Leeds", is_default=True)
        await identity.change_address(session, user.id, leeds.id, form)

    assert after_adding == [("Leeds", False), ("York", True)]
    assert await listed(sessions, user.id) == [("Leeds", True), ("York", False)]


async def test_without_the_default_the_newest_that_is_left_becomes_it(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    leeds = await add(sessions, user.id, "Leeds")
    await add(sessions, user.id, "York")
    await add(sessions, user.id, "Hull")

    async with begin(sessions) as session:
        await identity.delete_address(session, user.id, leeds.id)

    assert await listed(sessions, user.id) == [("York", False), ("Hull", True)]


async def test_deleting_another_keeps_the_default(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    await add(sessions, user.id, "Leeds")
    york = await add(sessions, user.id, "York")

    async with begin(sessions) as session:
        await identity.delete_address(session, user.id, york.id)

    assert await listed(sessions, user.id) == [("Leeds", True)]


async def test_the_last_address_may_go(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    leeds = await add(sessions, user.id, "Leeds")

    async with begin(sessions) as session:
        await identity.delete_address(session, user.id, leeds.id)

    assert await listed(sessions, user.id) == []


async def test_an_address_is_replaced_as_a_whole(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    old = await add(sessions, user.id, "Leeds")
    form = AddressForm("Bob", "2 Low St", "Flat 3", "York", "GB", "", "YO1", "456", is_default=True)

    async with begin(sessions) as session:
        await identity.change_address(session, user.id, old.id, form)

    async with sessions() as session:
        [new] = await identity.addresses_of(session, user.id)
    assert (
        AddressForm(
            new.name,
            new.address1,
            new.address2,
            new.city,
            new.country,
            new.state,
            new.postal_code,
            new.phone,
            new.is_default,
        )
        == form
    )


@pytest.mark.spec("constants.addresses.most")
async def test_an_eleventh_address_is_refused(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    for number in range(10):
        await add(sessions, user.id, f"City {number}")

    with pytest.raises(AddressLimitReached) as refusal:
        await add(sessions, user.id, "One more")

    assert str(refusal.value) == "You have reached the maximum number of addresses."
    assert refusal.value.status == 400
    assert len(await listed(sessions, user.id)) == 10


@pytest.mark.spec("constants.addresses.most")
async def test_twenty_added_at_once_leave_ten_and_one_default(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()

    results = await asyncio.gather(
        *(add(sessions, user.id, f"City {number}", default=True) for number in range(20)), return_exceptions=True
    )

    kinds = [type(result).__name__ for result in results]
    assert (kinds.count("Address"), kinds.count("AddressLimitReached")) == (10, 10)
    left = await listed(sessions, user.id)
    assert (len(left), sum(default for _, default in left)) == (10, 1)


async def test_defaults_made_and_deleted_at_once_leave_one(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    addresses = [await add(sessions, user.id, f"City {number}") for number in range(6)]

    async def delete(address: Address) -> None:
        async with begin(sessions) as session:
            await identity.delete_address(session, user.id, address.id)

    async def prefer(address: Address) -> None:
        async with begin(sessions) as session:
            await identity.change_address(session, user.id, address.id, replace(HOME, is_default=True))

    await asyncio.gather(
        *(delete(address) for address in addresses[:3]), *(prefer(address) for address in addresses[3:])
    )

    left = await listed(sessions, user.id)
    assert (len(left), sum(default for _, default in left)) == (3, 1)


@pytest.mark.spec("roles.customer")
async def test_somebody_elses_address_does_not_exist(make_user: MakeUser, sessions: Sessions) -> None:
    ann, bob = await make_user(), await make_user("bob@minimal.test")
    address = await add(sessions, ann.id, "Leeds")

    async with sessions() as session:
        for attempt in (
            identity.address(session, bob.id, address.id),
            identity.change_address(session, bob.id, address.id, HOME),
            identity.delete_address(session, bob.id, address.id),
        ):
            with pytest.raises(NotFound):
                await attempt

    assert await listed(sessions, ann.id) == [("Leeds", True)]


async def test_the_preferred_address_is_the_default_else_the_newest(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    async with sessions() as session:
        none = await identity.preferred_address(session, user.id)
    leeds = await add(sessions, user.id, "Leeds")
    await add(sessions, user.id, "York")
    async with sessions() as session:
        default = await identity.preferred_address(session, user.id)
    async with begin(sessions) as session:
        await identity.change_address(session, user.id, leeds.id, HOME)
        newest = await identity.preferred_address(session, user.id)

    assert none is None
    assert default is not None
    assert newest is not None
    assert (default.city, newest.city) == ("Leeds", "York")


async def test_a_deleted_account_keeps_no_address(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    async with begin(sessions) as session:
        await identity.delete_user(session, None, user.id)

    with pytest.raises(Unauthenticated):
        await add(sessions, user.id, "Leeds")
