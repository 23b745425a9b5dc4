"""What of the log is in a bucket without a hole, and which moments its commits name."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.run.archive.wal import (
    SEGMENT_BYTES,
    Lineage,
    LogInventory,
    format_lsn,
    parse_lsn,
    segment_name,
    segment_number,
)
from server.run.archive.waldump import CommitTimes, TransactionEnd

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
FORKED = {2: Lineage.parse(2, "1\t0/5000100\tno recovery target specified\n")}


def segments(timeline: int, numbers: Iterable[int]) -> list[str]:
    return [segment_name(timeline, number) for number in numbers]


def names_of(inventory: LogInventory, **how: int) -> tuple[list[str], str | None] | None:
    """Of a base backup on timeline 1 that needs the log from segment 2 to 3."""
    chain = inventory.chain(1, 2, 3 * SEGMENT_BYTES, **how)
    return None if chain is None else ([file.name for file in chain.files], str(chain.hole) if chain.hole else None)


@given(st.integers(1, 2**32 - 1), st.integers(0, 2**40 - 1))
def test_segments_and_positions_keep_their_names(timeline: int, number: int) -> None:
    assert segment_number(segment_name(timeline, number)) == number
    assert parse_lsn(format_lsn(number * 7)) == number * 7


def test_a_chain_ends_where_nothing_follows() -> None:
    names = [*segments(1, range(2, 6)), f"{segment_name(1, 6)}.00A1B2C3.partial"]

    assert names_of(LogInventory.of(names, {})) == (names, None)


@given(st.sets(st.integers(2, 12), min_size=1))
def test_a_chain_has_a_hole_exactly_where_a_segment_is_missing_before_a_later_one(numbers: set[int]) -> None:
    there = names_of(LogInventory.of(segments(1, numbers), {}))
    first = next(number for number in range(2, 14) if number not in numbers)

    hole = f"{segment_name(1, first)} (timeline 1) is missing" if first < max(numbers) else None
    assert there == (segments(1, range(2, first)), hole)


def test_a_segment_that_was_cut_off_is_a_hole_when_a_later_one_is_there() -> None:
    partial = f"{segment_name(1, 3)}.00000010.partial"

    there = names_of(LogInventory.of([segment_name(1, 2), partial, segment_name(1, 4)], {}))

    assert there == ([segment_name(1, 2), partial], f"{segment_name(1, 3)} (timeline 1) is incomplete")


def test_of_two_partial_copies_the_longer_counts() -> None:
    short, long = (f"{segment_name(1, 2)}.{offset}.partial" for offset in ("00000010", "00000020"))

    assert names_of(LogInventory.of([long, short], {})) == ([long], None)


def test_a_chain_goes_over_to_the_later_timeline_at_the_fork() -> None:
    names = [*segments(1, range(2, 8)), *segments(2, range(5, 7))]

    there = names_of(LogInventory.of(names, FORKED))

    assert there == ([*segments(1, range(2, 5)), *segments(2, range(5, 7))], None)


def test_a_fork_whose_later_side_is_missing_is_a_hole() -> None:
    there = names_of(LogInventory.of(segments(1, range(2, 8)), FORKED))

    assert there == (segments(1, range(2, 5)), f"{segment_name(2, 5)} (timeline 2) is missing")


def test_a_timeline_without_its_history_is_a_hole() -> None:
    there = names_of(LogInventory.of([*segments(1, range(2, 6)), *segments(2, [5])], {}))

    assert there == (segments(1, range(2, 6)), "00000002.history is missing")


def test_an_older_timeline_can_be_followed_and_a_base_behind_the_fork_only_there() -> None:
    names = [*segments(1, range(2, 8)), *segments(2, range(5, 7))]
    inventory = LogInventory.of(names, FORKED)

    assert names_of(inventory, follow=1) == (segments(1, range(2, 8)), None)
    assert inventory.chain(1, 6, 6 * SEGMENT_BYTES + 1) is None


def times(*seconds: float, moment: float | None = None) -> CommitTimes:
    commit_times = CommitTimes(None if moment is None else NOON + timedelta(seconds=moment))
    for place, second in enumerate(seconds, 1):
        commit_times.add(TransactionEnd(place, NOON + timedelta(seconds=second)))
    return commit_times


@pytest.mark.parametrize(("moment", "is_twice"), [(9, False), (10, True), (60, True), (99, True), (100, False)])
def test_moments_that_a_clock_showed_twice_are_known(moment: float, is_twice: bool) -> None:
    commit_times = times(0, 100, 10, 50, 120)

    step = commit_times.shown_twice(NOON + timedelta(seconds=moment))

    assert bool(step) == is_twice
    assert [each.lsn for each in commit_times.set_back] == [2]


def test_commits_that_overtook_each_other_are_no_clock_that_was_set_back() -> None:
    assert times(0, 1.4, 0.9, 2).set_back == []


@given(st.lists(st.floats(0, 1000), min_size=1), st.floats(0, 1000))
def test_a_recovery_stops_before_the_first_commit_that_is_later(seconds: list[float], moment: float) -> None:
    commit_times = times(*seconds, moment=moment)
    stop = next(
        (
            place
            for place, each in enumerate(seconds, 1)
            if NOON + timedelta(seconds=each) > NOON + timedelta(seconds=moment)
        ),
        None,
    )

    assert (commit_times.after_moment and commit_times.after_moment.lsn) == stop
    assert (commit_times.before_moment.lsn if commit_times.before_moment else 0) == (
        len(seconds) if stop is None else stop - 1
    )
