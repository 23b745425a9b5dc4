"""Texts of expected errors."""

import pytest

from server.platform.core.errors import TooManyRequests


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 second"),
        (40, "40 seconds"),
        (60, "a minute"),
        (61, "2 minutes"),
        (300, "5 minutes"),
        (3_600, "60 minutes"),
        (3_601, "2 hours"),
        (86_400, "24 hours"),
    ],
)
def test_a_limit_says_when_to_try_again(seconds: int, words: str) -> None:
    assert str(TooManyRequests(seconds)) == f"Too many attempts. Please try again in {words}."
