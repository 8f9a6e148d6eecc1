"""Named protocols, the columns of a project that store one, and presets for new projects."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.projects import labels
from annotation.stats.consensus import PAWS, Protocol
from generation.models import Method

if TYPE_CHECKING:
    from annotation.models import Item, Project

# PARADE 4: three people give grades from 0 to 3, two must agree; 2 and 3 count as paraphrase.
PARADE = Protocol(judgments_per_pair=3, consensus_min_votes=2, scheme=labels.GRADES)
# Five people as in SNLI (Bowman et al. 2015, 2.2), of whom three must agree.
NLI = Protocol(judgments_per_pair=5, consensus_min_votes=3, scheme=labels.INFERENCE)
PROTOCOLS = {"paws": PAWS, "parade": PARADE, "nli": NLI}
FIELDS = tuple(field.name for field in fields(Protocol))
GUIDELINES = Path(__file__).parent / "guidelines"


def columns(protocol: Protocol) -> dict[str, Any]:
    return {name: getattr(protocol, name) for name in FIELDS}


def of_project(project: "Project") -> Protocol:
    return Protocol(**{name: getattr(project, name) for name in FIELDS})


def of_pair(project: "Project", pair: "Item") -> Protocol:
    """Return the protocol of a pair, which a manager may have decided with the votes it has."""
    return of_project(project).closed_at(pair.most_votes)


def guidelines(*names: str) -> str:
    return "\n".join((GUIDELINES / f"{name}.md").read_text("utf-8") for name in names)


def without_chapters(text: str, titles: Collection[str]) -> str:
    """Return a Markdown text without the chapters of these titles, each up to the next one."""
    lines, level_left_out = [], 0
    for line in text.splitlines():
        if heading := re.match(r"(#+) +(.+?) *#*$", line):
            level = len(heading[1])
            if not level_left_out or level <= level_left_out:
                level_left_out = level if heading[2] in titles else 0
        if not level_left_out:
            lines.append(line)
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Preset:
    """A kind of study; `texts` are the files that its guidelines consist of.

    `criteria`, `keys` and `examples` are by value of a label.
    """

    name: str
    title: str | Promise
    words: str | Promise
    protocol: Protocol = PAWS
    corrected: tuple[str, ...] = (Method.WORD_SWAP.value,)
    texts: tuple[str, ...] = ()
    question: str | Promise = ""
    criteria: Mapping[str, str | Promise] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    paper: str = ""

    @property
    def guidelines(self) -> str:
        return guidelines(*self.texts)

    @property
    def values(self) -> dict[str, Any]:
        """The fields of the form of a new project."""
        return {
            **columns(self.protocol),
            "corrected_methods": list(self.corrected),
            "guidelines": self.guidelines,
        }

    @property
    def settings(self) -> dict[str, Any]:
        """All settings of a new project that are not changed any further."""
        return self.values | self.of_labels

    @property
    def of_labels(self) -> dict[str, Any]:
        """What depends on the labels: `Project.label_looks`, and the question."""
        looks = defaultdict[str, dict[str, str]](dict)
        parts = {"criterion": self.criteria, "key": self.keys, "example": self.examples}
        for name, texts in parts.items():
            for value, text in texts.items():
                looks[value][name] = str(text)
        return {"label_looks": dict(looks), "question": str(self.question)}


# Our own, in the manner of PARADE's Table 4.
_GRADES = {
    "0": "A stack returns the newest element first.\n"
    "A queue returns the oldest element first.\n"
    "The first describes a stack, the second a queue: two different things.",
    "1": "A cache keeps the results of recent requests in fast memory.\n"
    "A store of results that answers a repeated request faster.\n"
    "Both describe a cache, but that it holds recent results does not follow from the second text.",
    "2": "A compiler translates source code, such as a C program, into machine code.\n"
    "A program that turns source code into instructions for the processor.\n"
    "Both describe a compiler; the first only adds an example.",
    "3": "A primary key identifies each row of a table.\n"
    "The column that tells the rows of a table apart is its primary key.\n"
    "Both say the same of a primary key, in other words.",
}
_INFERENCES = {
    "0": "The bakery in Mill Lane opens at six every morning.\n"
    "The bakery is open at some time on Tuesdays.\n"
    "Every morning includes those of Tuesdays.",
    "1": "The bakery in Mill Lane opens at six every morning.\n"
    "The baker gets up at four.\n"
    "That is likely, but the premise does not say it.",
    "2": "The bakery in Mill Lane opens at six every morning.\n"
    "The bakery stays closed on Sundays.\n"
    "It cannot open every morning and stay closed on Sundays.",
}
_PRESETS = (
    Preset(
        "paws",
        _("Same meaning? (PAWS)"),
        _("One person corrects each rewrite, then five judge. A pair is kept when four agree."),
        texts=("correcting", "judging"),
        paper="Zhang, Baldridge, He: PAWS. NAACL 2019, §4",
    ),
    Preset(
        "judging",
        _("Same meaning, uncorrected"),
        _("As in PAWS, for fluent pairs: they are judged without correction."),
        corrected=(),
        texts=("judging",),
    ),
    Preset(
        "graded",
        _("Grades (PARADE)"),
        _("Three people grade pairs from 0 to 3; 2 and 3 count as paraphrase."),
        protocol=PARADE,
        corrected=(),
        texts=("grading",),
        examples=_GRADES,
        paper="He et al.: PARADE. EMNLP 2020, §4",
    ),
    Preset(
        "empty",
        _("Your own labels"),
        _("Two to eleven labels with your names and criteria, for any question about two texts."),
    ),
)
# Offered as soon as releases can have most frequent labels.
INFERENCE = Preset(
    "nli",
    _("Does it follow? (NLI)"),
    _("Five people say whether a premise entails or contradicts a hypothesis. Three must agree."),
    protocol=NLI,
    corrected=(),
    texts=("inferring",),
    question=_("What does the premise say about the hypothesis?"),
    criteria={
        "0": _("If the premise is true, the hypothesis is true."),
        "1": _("The hypothesis may be true or false."),
        "2": _("If the premise is true, the hypothesis is false."),
    },
    keys={"0": "1", "1": "2", "2": "3"},
    examples=_INFERENCES,
    paper="Bowman et al.: SNLI. EMNLP 2015, §2",
)
PRESETS = {preset.name: preset for preset in _PRESETS}
