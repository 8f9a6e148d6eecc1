"""Guests that a house may have."""

from annotation.guest_lines import GuestLine
from annotation.services import guests
from tests.browser.house import House


def parting(house: House) -> None:
    """Two models that say of every other pair that it is a paraphrase, and one has a score."""
    asked = house.project.pairs.filter(known_label=None).order_by("pk")
    found = list(enumerate(asked.values_list("public_id", flat=True), 1))
    for name, score in (("Tiny model", None), ("Large model", 0.875)):
        lines = [GuestLine(number, pair, number % 2, score) for number, pair in found]
        guests.add(house.project, name=name, revision="2026-11", note="Zero-shot.", lines=lines)
