"""Five hundred texts of our own that want to be a script, a link, a formula or a request.

Each calls `ran(NUMBER)` where it is taken for more than text, and ends in a mark by which it can
be found on a page: `p017.` ends the one with the number 17. What stands in the place of `!` in
payloads.json runs.
"""

import json
from itertools import cycle, islice, product
from pathlib import Path
from typing import NamedTuple

PARTS = json.loads(Path(__file__).with_suffix(".json").read_text())
CALLS = ("ran({})", "alert({})", "top.ran({})")


class Payload(NamedTuple):
    number: int  # from 1 on
    text: str


def payloads():
    for number, template in enumerate(islice(dict.fromkeys(_mixed()), 500), 1):
        text = template.replace("!", CALLS[number % 3].format(number), 1)
        yield Payload(number, f"{text}//p{number:03d}.")


def _mixed():
    """The kinds in turn, until the longest is at its end."""
    before, carriers, addresses = PARTS["before"], PARTS["carriers"], PARTS["addresses"]
    attributes = product(PARTS["open_quotes"], PARTS["attributes"])
    elements = zip(cycle(before), product(range(3), PARTS["quotes"], PARTS["elements"]))
    kinds = [
        iter(PARTS["others"]),
        (carrier.format(each) for carrier, each in product(carriers, addresses)),
        (f"x{quote} {each} y={quote.strip()}" for quote, each in attributes),
        map(str.__add__, cycle(before), PARTS["scripts"] * 2),
        # Each with each way to quote, behind what would end the place in which it stands.
        (first + each.replace("!", quote.format("!")) for first, (_, quote, each) in elements),
    ]
    while kinds:
        for kind in list(kinds):
            if (text := next(kind, None)) is None:
                kinds.remove(kind)
            else:
                yield text
