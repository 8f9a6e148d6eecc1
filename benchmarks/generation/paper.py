"""The example pairs that the PAWS paper prints, and which of them word swap finds.

Left out are Table 2 (1), which is Table 1 (1), and the back translations of Table 2, (3) and (4).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from benchmarks.generation.embedded.place import fresh_installation
from benchmarks.generation.parts import Options
from benchmarks.table import Figure

if TYPE_CHECKING:
    from generation.nlp.rewrites import Outcome


@dataclass(frozen=True, slots=True)
class Example:
    """A printed pair; `rank` is that of the partner among the rewrites, None if not found."""

    place: str
    source: str
    partner: str
    rank: int | None = None
    best: str = ""
    outcome: str = ""

    @property
    def other_words(self) -> list[str]:
        """The words of the partner that the source lacks, in lower case."""
        from generation.nlp.words import words

        source, partner = (Counter(words(text.lower())) for text in (self.source, self.partner))
        return sorted((partner - source).elements())

    @property
    def result(self) -> str:
        if self.rank:
            return "found first" if self.rank == 1 else f"found at rank {self.rank}"
        other = f"has other words ({', '.join(self.other_words)})"
        return f"not found: {other if self.other_words else self.outcome}"

    def row(self) -> str:
        chosen = "" if self.rank == 1 else self.best
        return f"| {self.place} | {self.partner} | {self.result} | {chosen} |"


EXAMPLES = (
    Example(
        "abstract",
        "flights from New York to Florida",
        "flights from Florida to New York",
    ),
    Example(
        "introduction",
        "Flights from New York to Florida.",
        "Flights from Florida to New York.",
    ),
    Example(
        "Table 1 (1)",
        "Can a bad person become good?",
        "Can a good person become bad?",
    ),
    Example(
        "Table 1 (2)",
        "Which is the cheapest flight from anywhere in South America to Europe?",
        "Which is the cheapest flight from anywhere in Europe to South America?",
    ),
    Example(
        "Table 1 (3)",
        "“Taunton Castle” was on August 1 in Rio de Janeiro and on October 31 in Penang.",
        "“Taunton Castle” was at Penang on 1 August and Rio de Janeiro on 31 October.",
    ),
    Example(
        "Table 1 (4)",
        "Although interchangeable, the body pieces on the 2 cars are not similar.",
        "Although similar, the body parts are not interchangeable on the 2 cars.",
    ),
    Example(
        "Table 1 (5)",
        "Katz was born in Sweden in 1947 and moved to New York City at the age of 1.",
        "Katz was born in 1947 in Sweden and moved to New York at the age of one.",
    ),
    Example(
        "Table 1 (6)",
        "It was not the sales manager who hit the bottle that day, but the office worker with the "
        "serious drinking problem.",
        "That day the office manager, who was drinking, hit the problem sales worker with a "
        "bottle, but it was not serious.",
    ),
    Example(
        "Table 2 (2)",
        "Jerry looks over Tom’s shoulder and gets punched.",
        "Tom looks over Jerry’s shoulder and gets punched.",
    ),
)


def figures(_options: Options) -> list[Figure]:
    """How many partners are found, of those that only have another order of words."""
    with fresh_installation():
        examples = list(tried())
        print(table(examples))
    possible = [each for each in examples if not each.other_words]
    found = [each.rank for each in possible if each.rank]
    unit = f"of {len(possible)} without other words"
    return [
        Figure("partners found first", found.count(1), unit),
        Figure("partners found at all", len(found), unit),
    ]


def tried() -> Iterator[Example]:
    """Yield the examples with what the preset `paper` makes of them."""
    from generation.methods import word_swap

    settings = word_swap.METHOD.preset("paper").settings
    swapper = word_swap.METHOD.load(word_swap.METHOD.configure(settings), 0)
    outcomes = swapper.outcomes([example.source for example in EXAMPLES])
    for example, outcome in zip(EXAMPLES, outcomes, strict=True):
        found = _texts(outcome)
        rank = found.index(example.partner) + 1 if example.partner in found else None
        yield replace(example, rank=rank, best=found[0] if found else "", outcome=outcome.name)


def _texts(outcome: "Outcome") -> list[str]:
    """Return the texts of a candidate and its stored alternatives."""
    return [
        text
        for best in outcome.rewrites
        for text in (best.text, *(each["text"] for each in best.alternatives))
    ]


def table(examples: list[Example]) -> str:
    """Return a table in Markdown."""
    heading = (
        "| example | partner in the paper | by `paper` | chosen instead |\n" + "| --- " * 4 + "|"
    )
    return "\n".join([heading, *(each.row() for each in examples)])
