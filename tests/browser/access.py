"""A page as machines can judge it: what axe-core says, and where the Tab key goes."""

from collections.abc import Sequence
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

SCRIPT = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# A name and what axe says is enough to find the place; the whole answer would bury it.
RUN = """async ([tags, exclude]) => {
  const options = {runOnly: tags, resultTypes: ["violations"], preload: false};
  return (await axe.run({exclude}, options)).violations.flatMap(rule => rule.nodes.map(
    node => `${rule.id}: ${node.html.slice(0, 120)} ${node.failureSummary}`));
}"""

# Colours that fade from one scheme to the other are measured when they have arrived.
ARRIVED = "() => Promise.allSettled(document.getAnimations().map(each => each.finished))"

LOOKS = (("light", 1280), ("dark", 390))


def violations(page: Page, *, but_for: Sequence[str] = ()) -> list[str]:
    """What axe-core finds on the page as it stands: wide and light, narrow and dark.

    `but_for` selects parts of the page that are left out.
    """
    # Scripts of a test are not bound by the page's policy, which allows none within a page.
    page.evaluate(SCRIPT)
    found: list[str] = []
    for scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(ARRIVED)
        seen = page.evaluate(RUN, [RULES, [*but_for]])
        found += (f"{scheme} {width}: {each}" for each in seen)
    return found


# What a keyboard must reach: of a group of radio buttons, one.
WATCH = """() => {
  const scope = document.querySelector("dialog[open]:modal") || document;
  const kinds = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
  const group = node => node.type === "radio" ? `radio ${node.name}` : node;
  const reachable = [...scope.querySelectorAll(kinds)].filter(node =>
    node.checkVisibility({visibilityProperty: true}) && !node.disabled && node.tabIndex >= 0);
  const told = node => node.outerHTML.slice(0, 120);
  const seen = new Map();
  document.addEventListener("focusin", ({target}) => {
    const outlined = [target, target.parentElement].map(node => getComputedStyle(node));
    const shows = outlined.some(({outlineStyle, outlineWidth}) =>
      outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
    seen.set(group(target), shows ? "" : `no focus to be seen: ${told(target)}`);
  });
  window.tabbed = () => [
    ...[...seen.values()].filter(Boolean),
    ...reachable.filter(node => !seen.has(group(node))).map(node => `not reached: ${told(node)}`),
  ];
  return reachable.length;
}"""


def walk(page: Page) -> list[str]:
    """What is wrong for somebody who only has the Tab key: places that it misses, or hides.

    A trap shows itself by all that lies behind it.
    """
    # Once around, with a step or two through what belongs to the browser itself.
    for _ in range(page.evaluate(WATCH) + 4):
        page.keyboard.press("Tab")
    found: list[str] = page.evaluate("window.tabbed()")
    return found
