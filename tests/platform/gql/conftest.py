"""The whole app in this process, as the tests of its API have it."""

from tests.api.conftest import shop as shop
