"""Working at a desk: how a person's hands and eyes use the pages of correction and judgment."""

from playwright.sync_api import Locator, Page, expect

# A machine that runs all tests at once can be slow; a page that is right is still right then.
expect.set_options(timeout=20_000)


def sit_down(page: Page, address: str) -> None:
    """Open a page of work and wait until it takes answers."""
    page.goto(address)
    wait_until_ready(page)


def wait_until_ready(page: Page) -> None:
    """An item is shown and the page listens."""
    expect(page.locator("#work")).to_have_attribute("data-state", "ready")


def item(page: Page) -> Locator:
    """The field that names the item in view; empty at the end of the queue."""
    return page.locator("#work [name=item]")


def sentences(page: Page) -> list[str]:
    """What the person reads, from top to bottom."""
    return page.locator("#work .sheet .sentence").all_inner_texts()


def press(page: Page, key: str) -> None:
    """Answer with one key and wait for the next item, or for the end of the queue."""
    wait_until_ready(page)
    answered = item(page).input_value()
    page.keyboard.press(key)
    expect(item(page)).not_to_have_value(answered)
    wait_until_ready(page)
