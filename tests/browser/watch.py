"""Sees whatever a browser is made to do that its pages do not do by themselves."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Page, Request

MARK = re.compile(r"p(\d{3})\.")
# Before any script of the page: what its policy forbids is told, and `ran` is there to be called.
TELL = """
addEventListener("securitypolicyviolation", event =>
    told(`forbidden: ${event.effectiveDirective} ${event.blockedURI}`))
ran = number => told(`ran: ${number}`)
"""
# Our pages have none of these, so whatever does was let in.
AMISS = r"""() => {
    const found = []
    const runs = /^[\s\x01]*(javascript|vbscript|data:text)/i
    const links = ["href", "src", "action", "formaction", "data", "xlink:href", "background"]
    for (const element of document.querySelectorAll("*")) {
        const name = element.localName
        for (const { name: attribute, value } of element.attributes) {
            // A manager's Markdown may lead elsewhere, and tells nobody there where one came from.
            const written = name === "a" && element.relList.contains("noreferrer")
            const leads = runs.test(value)
                || !written && /^\s*(https?:)?[\\/]{2}evil/i.test(value)
            if (attribute.startsWith("on") || attribute.startsWith("hx-on")
                || attribute === "style" && /url\(|animation/.test(value)
                || attribute === "srcdoc" || links.includes(attribute) && leads)
                found.push(`${name} ${attribute}=${value}`)
        }
        if (name === "script" && !element.src && !/json/.test(element.type)
            || ["base", "marquee", "object", "embed", "iframe", "math"].includes(name)
            || name === "meta" && element.httpEquiv === "refresh")
            found.push(element.outerHTML)
    }
    return found
}"""
SHOWN = """() => document.documentElement.outerHTML + Array.from(
    document.querySelectorAll("input, textarea"), each => each.value).join(" ")"""


@dataclass
class Watch:
    """What was found since it began, and the numbers of the payloads that pages have shown."""

    host: str
    found: list[str] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)

    def look(self, page: Page) -> set[int]:
        """Read a page that has been opened: which payloads it shows, all of them as text."""
        page.wait_for_load_state("load")
        self.found += [f"{page.url}: amiss: {each[:200]}" for each in page.evaluate(AMISS)]
        marks = {int(number) for number in MARK.findall(page.evaluate(SHOWN))}
        self.shown |= marks
        return marks

    def _told(self, source: dict[str, Page], what: str) -> None:
        self.found.append(f"{source['page'].url}: {what}")

    def _heard(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.found.append(f"console: {message.text}")

    def _asked(self, dialog: Dialog) -> None:
        self.found.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _requested(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in {"http", "https"} and address.netloc != self.host:
            self.found.append(f"request: {request.url}")


@contextmanager
def watching(context: BrowserContext, address: str) -> Iterator[Watch]:
    """Watch all pages of a browser from now on; `address` is where they come from."""
    watch = Watch(urlsplit(address).netloc)
    context.expose_binding("told", watch._told)
    context.add_init_script(TELL)
    listeners = {"dialog": watch._asked, "console": watch._heard, "request": watch._requested}
    for event, listener in listeners.items():
        context.on(event, listener)  # type: ignore[call-overload]
    yield watch
    for event, listener in listeners.items():
        context.remove_listener(event, listener)
