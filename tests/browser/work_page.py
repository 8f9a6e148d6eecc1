"""How people use the pages, above all those on which pairs are judged and candidates corrected."""

from django.conf import settings
from django.test import Client
from playwright.sync_api import expect

# However busy the machine is: a page that is right is still right then.
expect.set_options(timeout=60_000)


def sign_in(page, user, address):
    """Give the page's browser the session of `user`, as if they had signed in; returns the page."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    cookie = {"name": name, "value": client.cookies[name].value, "url": address}
    page.context.add_cookies([cookie])
    return page


def await_ready(page):
    expect(page.locator("#work")).to_have_attribute("data-state", "ready")


def reload(page):
    page.reload()
    await_ready(page)


def item(page):
    return page.locator("#work [name=item]")


def sentences(page):
    return page.locator("#work .sheet .sentence").all_inner_texts()


def keys(page, *pressed):
    for key in pressed:
        page.keyboard.press(key)


def press(page, *answers):
    """Answer with one key each, and wait for the next item."""
    for key in answers:
        await_ready(page)
        answered = item(page).input_value()
        page.keyboard.press(key)
        expect(item(page)).not_to_have_value(answered)
        await_ready(page)


def hold_clock(page):
    """From now on the clock of the page, which must be installed, moves by the test alone."""
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)  # not yet over on any machine


def tab_to(page, target):
    expect(target).to_be_visible()
    for _ in range(100):
        if target.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the Tab key never got there")


def use(page, name, role="button"):
    tab_to(page, page.get_by_role(role, name=name, exact=True))
    page.keyboard.press("Enter")


def write(page, label, text):
    tab_to(page, page.get_by_label(label, exact=True))
    page.keyboard.type(text)
