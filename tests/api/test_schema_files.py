"""schema.graphql and the files for code generators, as they are served."""

import pytest

from server.platform.core.package_data import package_data
from server.schema_files import FILES
from tests.api.conftest import Shop


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("coding", ["gzip", "identity"])
async def test_a_file_of_the_schema_is_served_as_committed(shop: Shop, name: str, coding: str) -> None:
    answer = await shop.clients["visitor"].get(f"/{name}", headers={"accept-encoding": coding})

    assert answer.status_code == 200
    assert answer.text == package_data(name).read_text()
    assert answer.headers["content-type"].startswith("application/json" if name.endswith("json") else "text/plain")
    assert answer.headers["cache-control"] == "public, no-cache"
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.headers.get("content-encoding", "identity") == coding


@pytest.mark.parametrize("name", FILES)
async def test_an_unchanged_file_of_the_schema_is_not_sent_again(shop: Shop, name: str) -> None:
    tag = (await shop.clients["visitor"].get(f"/{name}")).headers["etag"]

    same = await shop.clients["visitor"].get(f"/{name}", headers={"if-none-match": f'"other", {tag}'})
    other = await shop.clients["visitor"].get(f"/{name}", headers={"if-none-match": '"other"'})

    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    assert (other.status_code, other.headers["etag"]) == (200, tag)
