"""Settings and data that would fail later are refused at the start, each in one sentence that names it."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from server.config import Settings
from server.identity.models import TotpSecret, User
from server.limits import Limits
from server.media.models import Image
from server.platform.core.db import Sessions, begin
from server.platform.core.sealing import Sealer
from server.platform.core.setting_types import problems
from server.platform.processes.console import CommandRefused
from server.run.database import DatabaseContents, SealedSecret, look
from server.run.startup_checks import check_contents, check_picture_folder, check_settings

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


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"PORT": "0"}, "PORT=0 cannot be used: it has to be greater than or equal to 1."),
        ({"PORT": "70000"}, "PORT=70000 cannot be used: it has to be less than or equal to 65535."),
        (
            {"PORT": "65535"},
            "OUTSIDE_PORT would be 65536 here, and the last port is 65535: give it another.",
        ),
        ({"BACKUP_DAYS": "0"}, "BACKUP_DAYS=0 cannot be used: it has to be greater than or equal to 1."),
        (
            {"LIMITS": '{"resets_per_day": -3}'},
            "LIMITS.RESETS_PER_DAY=-3 cannot be used: it has to be greater than or equal to 1.",
        ),
        ({"RETURN_DAYS": "-1"}, "RETURN_DAYS=-1 cannot be used: it has to be greater than or equal to 0."),
        ({"CANCEL_MINUTES": "99999"}, "CANCEL_MINUTES=99999 cannot be used: it has to be less than or equal to 43200."),
        (
            {"TIME_ZONE": "Mars/Olympus"},
            "TIME_ZONE cannot be used: it has to be the IANA name of a time zone, as in Europe/Lisbon.",
        ),
        (
            {"SMTP_URL": "mail.example"},
            "SMTP_URL cannot be used: it has to begin with smtp:// or smtps:// and a host, as in "
            "smtp://user:password@mail.example:587.",
        ),
        (
            {"SMTP_URL": "smtp://me:hidden@mail.example:99999"},
            "SMTP_URL cannot be used: it has to begin with smtp:// or smtps:// and a host, as in "
            "smtp://user:password@mail.example:587.",
        ),
        (
            {"IMAGES_URL": "pictures"},
            "IMAGES_URL cannot be used: it has to begin with s3:// or gs:// or az:// and a host, as in "
            "s3://bucket/prefix.",
        ),
        (
            {"PUBLIC_URL": "shop.example"},
            "PUBLIC_URL cannot be used: it has to begin with http:// or https:// and a host, as in "
            "https://shop.example.",
        ),
        (
            {"PUBLIC_URL": "https://shop.example/shop"},
            "PUBLIC_URL cannot be used: it is a scheme, a host and perhaps a port, without anything behind, as in "
            "https://shop.example.",
        ),
        ({"SECRET_KEY": "short"}, "SECRET_KEY has at least 32 characters."),
    ],
)
def test_value_that_cannot_be_used_is_named_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], sentence: str
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)

    with pytest.raises(ValidationError) as refusal:
        settings()

    assert problems(refusal.value) == [sentence]


LIMITS = [
    name for name, field in Settings.model_fields.items() if field.annotation is int and name != "database_max_overflow"
]


@pytest.mark.parametrize("name", LIMITS)
def test_no_number_may_be_negative(name: str) -> None:
    with pytest.raises(ValidationError):
        settings(**{name: -1})


@pytest.mark.parametrize("name", Limits.model_fields)
def test_no_limit_may_be_negative(name: str) -> None:
    with pytest.raises(ValidationError):
        settings(limits={name: -1})


def test_unknown_limits_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMITS", '{"sign_ups_per_day": 3}')

    with pytest.raises(ValidationError) as refusal:
        settings()

    assert problems(refusal.value) == ["LIMITS.SIGN_UPS_PER_DAY=3 cannot be used: Extra inputs are not permitted."]


REAL = {
    "stripe_secret_key": "sk_test_1",
    "stripe_publishable_key": "pk_test_1",
    "stripe_webhook_secret": "whsec_1",
    "google_client_id": "1.apps.googleusercontent.com",
    "smtp_url": "smtp://mail.example",
    "trusted_proxies": "10.0.0.0/8",
}


def test_public_shop_needs_https() -> None:
    with pytest.raises(CommandRefused, match=r"PUBLIC_URL=http://shop\.example .* has to begin with https://"):
        check_settings(settings(public_url="http://shop.example", **REAL))

    check_settings(settings(public_url="https://shop.example", **REAL))
    check_settings(settings(public_url="http://localhost:9000", **REAL))


def test_sender_of_mails_has_to_be_an_address() -> None:
    with pytest.raises(CommandRefused, match="MAIL_FROM"):
        check_settings(settings(mail_from="nobody"))


ANN = UUID(int=1)


def sealed_with(shop: Settings) -> DatabaseContents:
    value = Sealer(shop.secret_key.get_secret_value(), shop.key_file).seal(b"JBSWY3DPEHPK3PXP", owner=ANN.bytes)
    return DatabaseContents("0040", is_empty=False, is_demo=False, sealed=SealedSecret(ANN, value))


EMPTY = DatabaseContents("0040", is_empty=False, is_demo=False)


def test_secrets_open_with_the_key_that_sealed_them(tmp_path: Path) -> None:
    shop = settings(shop_data=tmp_path)

    check_contents(shop, sealed_with(shop))
    check_contents(settings(shop_data=tmp_path / "other"), EMPTY)


def test_lost_key_file_is_named_where_secrets_need_it(tmp_path: Path) -> None:
    shop = settings(shop_data=tmp_path)
    contents = sealed_with(shop)
    shop.key_file.unlink()

    with pytest.raises(CommandRefused, match=r"secret\.key is gone"):
        check_contents(shop, contents)

    assert not shop.key_file.exists()


@pytest.mark.parametrize("content", ["", "short"])
def test_key_file_that_is_too_short_is_refused(tmp_path: Path, content: str) -> None:
    shop = settings(shop_data=tmp_path)
    shop.key_file.write_text(content)

    with pytest.raises(CommandRefused, match=r"secret\.key has fewer than 32 characters"):
        check_contents(shop, EMPTY)


@pytest.mark.parametrize(("key", "name"), [("k" * 32, "SECRET_KEY"), ("", r"secret\.key")])
def test_another_key_is_refused_by_its_name(tmp_path: Path, key: str, name: str) -> None:
    contents = sealed_with(settings(shop_data=tmp_path / "before"))
    shop = settings(shop_data=tmp_path, secret_key=key)
    shop.key_file.write_text("another key of forty characters, or more")

    with pytest.raises(CommandRefused, match=rf"{name} is not the key"):
        check_contents(shop, contents)


def test_missing_picture_folder_is_refused_where_pictures_are_named(tmp_path: Path) -> None:
    shop, contents = settings(shop_data=tmp_path), replace(EMPTY, has_pictures=True)

    with pytest.raises(CommandRefused, match=r"images is gone"):
        check_picture_folder(shop, contents)

    check_picture_folder(settings(shop_data=tmp_path, images_url="s3://pictures"), contents)
    (tmp_path / "images").mkdir()
    check_picture_folder(shop, contents)


async def test_database_says_what_it_holds_of_secrets_and_pictures(
    database_url: str, sessions: Sessions, tmp_path: Path
) -> None:
    before = await asyncio.to_thread(look, database_url)
    async with begin(sessions) as session:
        user = User(email="ann@minimal.test", name="Ann Shopper")
        session.add(user)
        await session.flush()
        session.add(TotpSecret(user_id=user.id, sealed=b"sealed"))
        session.add(Image(sha256="0" * 64, width=1, height=1, size_bytes=1, placeholder=""))

    after = await asyncio.to_thread(look, database_url)

    assert (before.has_pictures, before.sealed) == (False, None)
    assert (after.has_pictures, after.sealed) == (True, SealedSecret(user.id, b"sealed"))
