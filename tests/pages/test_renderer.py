"""V8's process: started ahead of the event loop's work, and always with the script of its own build."""

from pathlib import Path

from server.pages.renderer import Renderer


async def test_a_renderer_that_was_started_ahead_is_the_one_that_draws(tmp_path: Path) -> None:
    script = tmp_path / "first-view.js"
    script.write_text("const version = 'of this build'")
    renderer = Renderer(script)

    renderer.start()
    started = renderer.pid
    said = await renderer._evaluate("version")

    assert (said, started) == ("of this build", renderer.pid)
    await renderer.close()


async def test_a_renderer_that_starts_again_has_the_script_of_its_build_whatever_has_replaced_it(
    tmp_path: Path,
) -> None:
    script = tmp_path / "first-view.js"
    script.write_text("const version = 'of this build'")
    renderer = Renderer(script)
    first = await renderer._evaluate("version"), renderer.pid
    script.unlink()
    script.write_text("const version = 'of a later build'")

    await renderer.close()
    second = await renderer._evaluate("version"), renderer.pid

    assert first[0] == second[0] == "of this build"
    assert first[1] != second[1]
    await renderer.close()


async def test_a_shop_without_a_build_starts_no_renderer(tmp_path: Path) -> None:
    renderer = Renderer(tmp_path / "first-view.js")

    renderer.start()
    await renderer.open()

    assert (renderer.pid, renderer.failures) == (None, 0)
