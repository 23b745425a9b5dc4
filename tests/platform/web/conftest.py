from tests.api.conftest import shop as shop
