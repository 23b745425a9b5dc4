"""V8's process: started ahead of the event loop's work, and always with the script of its own build."""

from pathlib import Path

from server.platform.pages.renderer import Renderer


def renderer_of(tmp_path: Path, script: str) -> Renderer:
    path = tmp_path / "first-view.js"
    path.write_text(script)
    return Renderer(path)


async def test_a_renderer_that_was_started_ahead_is_the_one_that_draws(tmp_path: Path) -> None:
    renderer = renderer_of(tmp_path, "const version = 'of this build'")

    renderer.start()
    started = renderer.pid
    said = await renderer._evaluate("version")

    assert (said, started) == ("of this build", renderer.pid)
    await renderer.close()


async def test_a_renderer_warms_up_before_anything_is_asked_of_it(tmp_path: Path) -> None:
    script = "const drawn = []; const firstView = {render: (url) => { drawn.push(url); return '{}' }}"
    renderer = renderer_of(tmp_path, script)

    renderer.start()
    await renderer.open()

    assert (await renderer._evaluate("drawn.join()"), renderer.failures) == ("/", 0)
    await renderer.close()


async def test_a_process_that_ends_while_it_loads_is_a_failure_and_another_is_started(tmp_path: Path) -> None:
    renderer = renderer_of(tmp_path, "const firstView = {")

    renderer.start()
    await renderer.open()
    (tmp_path / "first-view.js").write_text("const firstView = {render: () => '{}'}")
    drawn = await renderer._evaluate("firstView.render()")

    assert (drawn, renderer.failures) == ("{}", 1)
    await renderer.close()


async def test_a_restarted_renderer_keeps_the_script_of_its_build(
    tmp_path: Path,
) -> None:
    renderer = renderer_of(tmp_path, "const version = 'of this build'")
    first = await renderer._evaluate("version"), renderer.pid
    (tmp_path / "first-view.js").unlink()
    (tmp_path / "first-view.js").write_text("const version = 'of a later build'")

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
