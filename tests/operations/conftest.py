"""The same whole shop that the tests of the API have."""

from tests.api.conftest import shop as shop
