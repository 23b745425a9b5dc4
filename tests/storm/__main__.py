"""`just storm`: the long form."""

import argparse
import asyncio
import sys
import time

from tests.crash_points import PURCHASE
from tests.storm.shop import any_seed, open_shop
from tests.storm.storm import WITHIN_SECONDS, Outcome, Plan, Storm


def main() -> int:
    if "--cluster" in sys.argv[1:]:
        # It takes programs of Debian that the storm over one shop does without.
        from tests.cluster.storm import main as over_cluster

        return over_cluster([each for each in sys.argv[1:] if each != "--cluster"])
    parser = argparse.ArgumentParser(prog="just storm", description="Kill a shop at every moment, then do its books.")
    parser.add_argument("--seed", type=int, default=any_seed())
    parser.add_argument("--web", type=int, default=50, help="how often the web process is killed at random")
    parser.add_argument("--worker", type=int, default=50)
    parser.add_argument("--postgres", type=int, default=50)
    parser.add_argument("--stand-ins", type=int, default=20)
    parser.add_argument("--each-point", type=int, default=5, help="how often at each listed point")
    parser.add_argument("--buyers", type=int, default=8)
    options = parser.parse_args()
    plan = Plan(options.web, options.worker, options.postgres, options.stand_ins, options.each_point)
    say(f"Seed {options.seed}")
    began = time.monotonic()
    with open_shop() as shop:
        say(f"The shop is open after {time.monotonic() - began:.0f} s")
        storm = Storm(shop, plan, options.seed, options.buyers, is_patient=True, say=Progress(plan))
        try:
            asyncio.run(storm.run())
        finally:
            for complaint in shop.complaints:
                say(f"COMPLAINT {complaint[:6000]}")
    report(storm.outcome, time.monotonic() - began)
    return 1 if storm.outcome.problems or storm.outcome.crowd.surprises or storm.outcome.complaints else 0


class Progress:
    """A line every ten blows."""

    def __init__(self, plan: Plan) -> None:
        self._whole = plan.web + plan.worker + plan.postgres + plan.stand_ins + plan.each_point * len(PURCHASE)
        self._done = 0

    def __call__(self, act: str) -> None:
        if " " in act:
            say(act)
            return
        self._done += 1
        if self._done % 10 == 0 or self._done == self._whole:
            say(f"{self._done} of {self._whole} blows, the last one: {act}")


def report(outcome: Outcome, seconds: float) -> None:
    for title, counted in (("Killed", outcome.hits), ("Weather", outcome.weather), ("Shoppers", outcome.crowd.did)):
        say(f"\n{title}")
        for name, number in sorted(counted.items()):
            say(f"  {number:5}  {name}")
    say(f"\n{outcome.payments} captured payments, {outcome.orders} orders; {seconds:.0f} s in all")
    for surprise in outcome.crowd.surprises:
        say(f"SURPRISE  {surprise}")
    for problem in outcome.problems:
        say(f"PROBLEM   {problem}")
    if not outcome.problems:
        allowed = f"{WITHIN_SECONDS} s without progress after the last checkout's own time"
        say(f"The books agreed {outcome.rest_seconds:.0f} s after recovery (allowed: {allowed})")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
