"""Pages of one version find their scripts on processes of another, in a bucket as in a folder."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from server.config import Settings
from server.pages import older_builds
from server.pages.older_builds import OlderBuilds
from server.platform.core.db import Sessions
from server.platform.pages import assets
from server.platform.pages.assets import Asset
from tests.bucket import keys, opened
from tests.catalog.storefront import open_storefront

SCRIPT = Asset(b"export const version = 'old';", {"br": b"brotli", "gzip": b"gzip"}, "text/javascript")
FONT = Asset(b"wOF2", {}, "font/woff2")


def build(number: int) -> dict[str, Asset]:
    return {f"entry-0000000{number}.js": SCRIPT, "sans-00000000.woff2": FONT}


@pytest.fixture(params=["folder", "bucket"])
async def settings(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Settings]:
    if request.param == "folder":
        yield Settings(_env_file=None, shop_data=tmp_path)  # type: ignore[call-arg]
        return
    with opened("pictures", monkeypatch):
        yield Settings(_env_file=None, shop_data=tmp_path, images_url="s3://pictures/of")  # type: ignore[call-arg]


async def test_a_file_of_another_build_is_found_whichever_was_published_first(settings: Settings) -> None:
    old, new = OlderBuilds.of(settings), OlderBuilds.of(settings)
    await old.publish(build(1))
    await new.publish(build(2))

    assert await old.find("entry-00000002.js") == SCRIPT
    assert await new.find("entry-00000001.js") == SCRIPT
    assert await new.find("sans-00000000.woff2") == FONT
    assert await new.find("entry-00000003.js") is None


async def test_the_files_of_three_builds_are_kept_and_a_build_that_comes_back_is_whole(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(older_builds, "UNFINISHED_FOR", timedelta(0))
    monkeypatch.setattr(older_builds, "REFRESH_SECONDS", 0.0)
    builds = OlderBuilds.of(settings)
    for number in range(1, 5):
        await builds.publish(build(number))
    after_four = [await OlderBuilds.of(settings).find(f"entry-0000000{number}.js") for number in range(1, 5)]
    await builds.publish(build(1))
    gone_back = [await OlderBuilds.of(settings).find(f"entry-0000000{number}.js") for number in range(1, 5)]

    left = {key for key in await builds._store.written("assets") if key.endswith(".js")}
    assert left == {f"assets/entry-0000000{number}.js" for number in (1, 3, 4)}
    assert after_four == [None, SCRIPT, SCRIPT, SCRIPT]
    assert gone_back == [SCRIPT, None, SCRIPT, SCRIPT]
    assert await builds.find("sans-00000000.woff2") == FONT


async def test_made_up_names_do_not_reach_the_store(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    builds = OlderBuilds.of(settings)
    await builds.publish(build(1))
    requested_keys: list[str] = []
    get, written = builds._store.get, builds._store.written

    async def get_noted(key: str) -> Any:
        requested_keys.append(key)
        return await get(key)

    async def written_noted(prefix: str) -> Any:
        requested_keys.append(prefix)
        return await written(prefix)

    monkeypatch.setattr(builds._store, "get", get_noted)
    monkeypatch.setattr(builds._store, "written", written_noted)
    monkeypatch.setattr(older_builds, "REFRESH_SECONDS", 3_600.0)
    builds._read_at = -3_600.0
    for number in range(50):
        assert await builds.find(f"entry-{number:08}.css") is None

    assert requested_keys[0] == "builds"
    assert len(requested_keys) == 2


async def test_a_tab_of_yesterday_gets_its_script_compressed_and_for_ever(
    database_url: str, sessions: Sessions, tmp_path: Path
) -> None:
    yesterday = OlderBuilds.of(Settings(_env_file=None, shop_data=tmp_path))  # type: ignore[call-arg]
    await yesterday.publish(build(1))
    async with open_storefront(database_url, sessions, tmp_path) as shop:
        response = await shop.visitor.get("/assets/entry-00000001.js", headers={"accept-encoding": "gzip;q=0"})
        missing = await shop.visitor.get("/assets/entry-00000002.js")

    assert (response.status_code, response.content) == (200, SCRIPT.body)
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["content-type"].startswith("text/javascript")
    assert missing.status_code == 404


async def test_a_process_keeps_serving_its_build_when_a_later_one_has_replaced_the_files(
    database_url: str, sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    for name in ("asked-00000001.js", "never-asked-00000001.js"):
        (dist / "assets" / name).write_bytes(SCRIPT.body)
    (dist / "sw.js").write_text("// old")
    monkeypatch.setattr(assets, "DIST", dist)
    built = assets.Assets()
    monkeypatch.setattr(assets, "built", lambda: built)
    await OlderBuilds.of(Settings(_env_file=None, shop_data=tmp_path)).publish(built.immutable)  # type: ignore[call-arg]
    async with open_storefront(database_url, sessions, tmp_path) as shop:
        await shop.visitor.get("/assets/asked-00000001.js")
        rmtree(dist)

        scripts = [(await shop.visitor.get(f"/assets/{name}-00000001.js")).content for name in ("asked", "never-asked")]
        worker = await shop.visitor.get("/sw.js")
        above = await shop.visitor.get("/assets/..%2Fsw.js")

    assert scripts == [SCRIPT.body, SCRIPT.body]
    assert (worker.text, above.status_code) == ("// old", 404)


async def test_a_bucket_has_the_compressed_files_beside_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened("pictures", monkeypatch) as bucket:
        settings = Settings(_env_file=None, shop_data=tmp_path, images_url="s3://pictures/of/")  # type: ignore[call-arg]
        await OlderBuilds.of(settings).publish(build(1))

        below = "of/client/assets/"
        assert keys(bucket, below) == [
            f"{below}entry-00000001.js",
            f"{below}entry-00000001.js.br",
            f"{below}entry-00000001.js.gz",
            f"{below}sans-00000000.woff2",
        ]
