"""Putting things into another order by the keyboard or the mouse, as dnd-kit takes it."""

from playwright.async_api import Locator, Page, expect


async def elapse(page: Page, milliseconds: int) -> None:
    """Waits until each timer of the page that was set before now for at most this long has run."""
    await page.evaluate("milliseconds => new Promise(done => setTimeout(done, milliseconds))", milliseconds)


async def lift(page: Page, among: Locator, name: str, place: str) -> None:
    """Lifts something by the space bar; its place is said some milliseconds before dnd-kit listens to the next key."""
    await among.get_by_role("button", name=f"Move {name}, {place}").press("Space")
    await expect(page.get_by_text(f"{name} is now {place}.")).to_be_attached()
    await elapse(page, 0)


async def move(page: Page, key: str, said: str) -> None:
    """Presses a key and waits until it is said what that did to what is lifted."""
    await page.keyboard.press(key)
    await expect(page.get_by_text(said)).to_be_attached()


async def center(part: Locator) -> tuple[float, float]:
    box = await part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def drag(page: Page, part: Locator, onto: Locator) -> None:
    """As a mouse does it, by pressing, moving and letting go; dnd-kit keeps the 50 ms after it free of clicks."""
    start, end = await center(part), await center(onto)
    await page.mouse.move(*start)
    await page.mouse.down()
    await page.mouse.move(end[0], end[1], steps=10)
    await page.mouse.up()
    await elapse(page, 50)
