"""kill -9 of everything, at random and at each listed moment; afterwards nothing is lost and nothing is there twice."""

import pytest

from server.crash_points import CrashPoint
from server.platform.core.jobs import LEASE
from tests.crash_points import PURCHASE
from tests.storm.conftest import SHORT, Weathered
from tests.storm.shop import open_shop
from tests.storm.shoppers import Habits
from tests.storm.storm import Plan, Storm

pytestmark = pytest.mark.io_bound

AFTER_A_LEASE = LEASE.total_seconds() + 10
"""A killed worker's mail is sent again by then."""


def test_the_books_agree_after_a_storm(weathered: Weathered) -> None:
    outcome = weathered.outcome

    assert outcome.problems == [], weathered.again
    assert outcome.crowd.surprises == [], weathered.again
    assert outcome.complaints == [], weathered.again
    assert outcome.orders >= 10


def test_the_storm_hit_each_listed_moment_and_each_process(weathered: Weathered) -> None:
    hits = weathered.outcome.hits

    assert {name: hits[name] for name in ("web", "worker", "postgres", "stand-ins")} == {
        "web": SHORT.web,
        "worker": SHORT.worker,
        "postgres": SHORT.postgres,
        "stand-ins": SHORT.stand_ins,
    }
    assert {point: hits[point] for point in PURCHASE} == dict.fromkeys(PURCHASE, SHORT.each_point)


async def test_a_server_without_its_guards_does_not_come_through() -> None:
    plan = Plan(each_point=2, points=(CrashPoint.MAIL_SENT,), payments=12)
    habits = Habits(leaves=1, vanish=1)
    with open_shop("tests.storm.forgetful") as shop:
        storm = Storm(shop, plan, seed=1, habits=habits, weather=[{"drop": True}], within_seconds=AFTER_A_LEASE)

        outcome = await storm.run()

    for fault in ("has no order, and 0 cents of it went back.", "still holds its pieces", "was confirmed by 2 mails."):
        assert any(fault in problem for problem in outcome.problems), (fault, outcome)
