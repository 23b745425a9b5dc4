import pytest

from server.platform.web.compression import negotiate


@pytest.mark.parametrize(
    ("header", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("", None),
        ("identity", None),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=0", None),
        ("gzip;q=0.000", None),
        ("*", "br"),
        ("*;q=0.5, br;q=0", "gzip"),
        ("GZIP ; Q=0.2", "gzip"),
        ("gzip;q=high", None),
        ("x-gzip-like", None),
    ],
)
def test_a_body_is_sent_in_a_coding_that_the_client_takes(header: str, coding: str | None) -> None:
    assert negotiate(header, ("br", "gzip")) == coding
