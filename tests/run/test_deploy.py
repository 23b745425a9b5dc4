"""What deploy/ says of the shop, held against the shop."""

import re
from pathlib import Path

from server.payments.service import DISPUTE_EVENTS, REFUND_EVENTS, SESSION_EVENTS

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def test_the_events_to_subscribe_to_are_those_that_the_shop_hears() -> None:
    said = re.findall(r"`((?:checkout|charge|refund)\.[a-z_.]+)`", (DEPLOY / "README.md").read_text())

    assert sorted(said) == sorted(SESSION_EVENTS | REFUND_EVENTS | DISPUTE_EVENTS)


def test_an_image_has_the_client_that_a_checkout_builds() -> None:
    recipe = (DEPLOY / "Containerfile").read_text()
    copied = [path for line in re.findall(r"^COPY (?!--from)(.+) \S+$", recipe, re.MULTILINE) for path in line.split()]

    assert [path for path in copied if not (ROOT / path).exists()] == []
    assert "python -m server.run.client build" in recipe
