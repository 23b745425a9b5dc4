"""Settings of the database that would fail later are refused at the start."""

from typing import Any

import pytest

from server.config import Settings
from server.run.console import CommandRefused
from server.run.startup_checks import check_settings

URL, OTHER = "postgresql://minimal@pooler/minimal", "postgresql://minimal@primary/minimal"


def settings(**given: Any) -> Settings:
    return Settings(_env_file=None, **given)  # type: ignore[call-arg]


def test_a_transaction_pooler_needs_a_way_around_it() -> None:
    with pytest.raises(CommandRefused, match="DATABASE_DIRECT_URL"):
        check_settings(settings(database_url=URL, database_transaction_pooler=True))

    check_settings(settings(database_url=URL, database_transaction_pooler=True, database_direct_url=OTHER))


@pytest.mark.parametrize("name", ["database_direct_url", "database_reader_url"])
def test_a_second_way_to_the_embedded_database_is_refused(name: str) -> None:
    with pytest.raises(CommandRefused, match="DATABASE_URL"):
        check_settings(settings(**{name: OTHER}))

    check_settings(settings(database_url=URL, **{name: OTHER}))


def test_statements_have_names_unless_a_pooler_hands_out_connections() -> None:
    assert settings(database_url=URL).database_prepared_statements
    pooled = {"database_transaction_pooler": True, "database_direct_url": OTHER}
    assert not settings(**pooled).database_prepared_statements
    assert settings(**pooled, database_prepared_statements=True).database_prepared_statements
