"""Changes to accounts from the command line."""

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.models import User
from server.platform.core.errors import InvalidInput
from server.run.admin import end_second_factor


async def test_the_account_of_the_command_is_found_however_its_email_is_typed(
    session: AsyncSession, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    session.add(User(email="owner@shop.test", name="Olga Owner"))
    await session.commit()

    await end_second_factor(database_url, " Owner@Shop.test", "https://shop.test")

    assert capsys.readouterr().out == "owner@shop.test has no second factor.\n"


async def test_a_command_for_what_is_no_email_is_refused(database_url: str) -> None:
    with pytest.raises(InvalidInput):
        await end_second_factor(database_url, "owner", "https://shop.test")
