"""A page as machines can judge it: its language, the Tab key, axe-core, and what does not fit."""

from pathlib import Path

import axe_playwright_python

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
CHECKS = Path(__file__).with_suffix(".js").read_text()
FITS = Path(__file__).with_name("page_fits.js").read_text()
LOOKS = (("light", 1280), ("dark", 390))
WIDTHS = (390, 768, 1280, 1920)


def faults(page, *, language="en", without=None):
    """What is wrong with the loaded page; axe leaves parts out that are not ours (`without`)."""
    # Scripts of a test are not bound by the page's policy, which allows none within a page.
    page.evaluate(AXE)
    page.evaluate(f"checks = {CHECKS}; 0")
    found = page.evaluate("language => checks.language(language)", language)
    asking = page.locator(":is([hx-get], [hx-post]):not(form[method=post])")  # those work without
    if asking.count() and page.evaluate("typeof htmx") == "undefined":
        found.append("asks the server by htmx, which is not on the page")
    # What is asked again and again must not replace an element on the way of the Tab key.
    page.evaluate("addEventListener('htmx:beforeRequest', event => event.preventDefault())")
    if without is None:
        # Once around, with a step or two through what belongs to the browser itself.
        for _ in range(page.evaluate("checks.listen()") + 4):
            page.keyboard.press("Tab")
        found += page.evaluate("checks.focus()")
    for scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 900})
        seen = page.evaluate("parts => checks.axe(parts)", without or [])
        found += [f"{scheme} {each}" for each in seen] + page.evaluate("checks.width()")
    page.set_viewport_size({"width": 320, "height": 700})
    return found + page.evaluate("checks.width()")


def misfits(page):
    """What does not fit on the loaded page, with the width of the window."""
    page.evaluate(f"fits = {FITS}; fits.unfold()")
    faults = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        faults += [f"{width}: {fault}" for fault in page.evaluate("fits.faults()")]
    return faults
