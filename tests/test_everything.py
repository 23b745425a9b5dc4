"""The closing line of `just test` counts tests, and only tests."""

from tests.everything import Result


def test_checks_without_tests_count_as_none() -> None:
    lint = Result("lint", passed=True, seconds=5.0, output="All checks passed!\nFound 0 warnings and 0 errors.\n")
    schema = Result("schema", passed=True, seconds=1.0, output="schema.graphql is what the server serves\n")

    assert [each.counted("passed") for each in (lint, schema)] == [0, 0]


def test_the_last_line_of_a_run_is_counted() -> None:
    tests = Result(
        "server-tests", passed=False, seconds=60.0, output="1 passed\n7 passed, 2 failed, 1 skipped in 60s\n"
    )

    assert [tests.counted(word) for word in ("passed", "failed", "skipped")] == [7, 2, 1]
