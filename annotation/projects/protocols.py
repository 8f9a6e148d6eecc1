"""Named protocols, the columns of a project that store one, and presets for new projects."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from annotation.projects import labels, ratings
from annotation.stats.consensus import PAWS, Protocol
from annotation.stats.labels import Label, Level, Rule, Scheme
from generation.models import Method

if TYPE_CHECKING:
    from annotation.models import Item, Project

# PARADE 4: three people give grades from 0 to 3, two must agree; 2 and 3 count as paraphrase.
PARADE = Protocol(judgments_per_pair=3, consensus_min_votes=2, scheme=labels.GRADES)
# Five people as in SNLI (Bowman et al. 2015, 2.2), of whom three must agree.
NLI = Protocol(judgments_per_pair=5, consensus_min_votes=3, scheme=labels.INFERENCE)
# The mean of five ratings, as in the STS benchmark; and four opinions, as in LeWiDi 2025 ("Par").
STS = Protocol(judgments_per_pair=5, consensus_min_votes=1, scheme=ratings.SIMILARITY)
OPINIONS = Protocol(judgments_per_pair=4, consensus_min_votes=1, scheme=ratings.OPINIONS)
# The start of a study with custom labels; these labels are only for its plan.
OWN = Protocol(
    consensus_min_votes=3,
    scheme=Scheme(
        tuple(Label(value, name) for value, name in enumerate("ABC")), Level.NOMINAL, Rule.MOST
    ),
)
PROTOCOLS = {"paws": PAWS, "parade": PARADE, "nli": NLI, "sts": STS, "opinions": OPINIONS}
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

    `criteria` and `examples` are by value of a label; `reasons` says whether people give reasons
    (`Project.reasons`). Without labels, those of the protocol are only for the plan of a study.
    """

    name: str
    title: str | Promise
    words: str | Promise
    protocol: Protocol = PAWS
    corrected: tuple[str, ...] = (Method.WORD_SWAP.value, Method.PROMPTED.value)
    texts: tuple[str, ...] = ()
    question: str = ""
    criteria: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    reasons: str = "off"
    paper: str = ""
    has_labels: bool = True

    @property
    def guidelines(self) -> str:
        return guidelines(*self.texts)

    @property
    def values(self) -> dict[str, Any]:
        """The fields of the form of a new project."""
        own = {} if self.has_labels else {"scheme": None}
        return {
            **columns(self.protocol),
            **own,
            "corrected_methods": list(self.corrected),
            "guidelines": self.guidelines,
        }

    @property
    def settings(self) -> dict[str, Any]:
        """All settings of a new project that are not changed any further."""
        values = self.values
        if not self.has_labels:
            del values["scheme"]
        return values | self.of_labels

    @property
    def of_labels(self) -> dict[str, Any]:
        """What depends on the labels: `Project.label_looks`, the question, and reasons."""
        looks = defaultdict[str, dict[str, str]](dict)
        parts = {"criterion": self.criteria, "example": self.examples}
        for name, texts in parts.items():
            for value, text in texts.items():
                looks[value][name] = text
        return {
            "label_looks": dict(looks),
            "question": self.question,
            "reasons": self.reasons,
        }


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
_DEGREES = {
    "0": "The soup needs more salt.\n"
    "Our neighbours have moved to Lisbon.\n"
    "Nothing in one sentence has to do with the other.",
    "1": "The train to Turin was an hour late.\n"
    "The station in Turin has a new roof.\n"
    "Both are about trains in Turin, and say different things.",
    "2": "A nurse reads a letter in the garden.\n"
    "A nurse writes a letter at home.\n"
    "A nurse and a letter are in both, but she does something else elsewhere.",
    "3": "On Saturdays the bakery closes at noon.\n"
    "The bakery closes at noon.\n"
    "The second leaves out that this is so on one day only.",
    "4": "At dawn, two boys rowed across the lake.\n"
    "Early in the morning two boys rowed over a lake.\n"
    "Dawn is a little more exact than early in the morning.",
    "5": "A grey cat sleeps under the table.\n"
    "Under the table, a grey cat is asleep.\n"
    "Only the words and their order differ.",
}
_OPINIONS = {
    "-5": "How do I cook rice?\n"
    "How do I grow rice?\n"
    "The questions have different answers, however one reads them.",
    "0": "Is it safe to swim in the sea at night?\n"
    "Is the sea dangerous at night?\n"
    "Some would give both the same answer; others see more dangers than those of swimming.",
    "5": "How can I learn to swim?\n"
    "In what way can I learn swimming?\n"
    "Whoever answers one has answered the other.",
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
        "nli",
        _("Does it follow? (NLI)"),
        _(
            "Five people say whether a premise entails or contradicts a hypothesis. Three must "
            "agree."
        ),
        protocol=NLI,
        corrected=(),
        texts=("inferring",),
        question=gettext_noop("What does the premise say about the hypothesis?"),
        criteria={
            "0": gettext_noop("If the premise is true, the hypothesis is true."),
            "1": gettext_noop("The hypothesis may be true or false."),
            "2": gettext_noop("If the premise is true, the hypothesis is false."),
        },
        examples=_INFERENCES,
        paper="Bowman et al.: SNLI. EMNLP 2015, §2",
    ),
    Preset(
        "sts",
        _("Similarity from 0 to 5 (STS)"),
        _("Five people say how close two meanings are; each pair gets the mean of their answers."),
        protocol=STS,
        corrected=(),
        texts=("similarity",),
        question=gettext_noop("How close in meaning are these two?"),
        criteria={
            "0": gettext_noop("They are about different things."),
            "1": gettext_noop("They are about the same topic and say different things about it."),
            "2": gettext_noop("They say different things, but share more than the topic."),
            "3": gettext_noop(
                "They say roughly the same, but something that matters differs or is missing."
            ),
            "4": gettext_noop(
                "They say the same, and what differs would not matter to most readers."
            ),
            "5": gettext_noop("If one is true, so is the other."),
        },
        examples=_DEGREES,
        paper="Cer et al.: STS Benchmark. SemEval 2017",
    ),
    Preset(
        "opinions",
        _("Opinions from -5 to 5 (LeWiDi)"),
        _(
            "Four people say what they think, and why. Every answer is published; no majority is "
            "formed."
        ),
        protocol=OPINIONS,
        corrected=(),
        texts=("opinions",),
        question=gettext_noop("Is one of these a paraphrase of the other?"),
        examples=_OPINIONS,
        reasons="required",
        paper="Leonardelli et al.: LeWiDi. NLPerspectives 2025",
    ),
    Preset(
        "empty",
        _("Your own labels"),
        _("Two to eleven labels with your names and criteria, for any question about two texts."),
        protocol=OWN,
        corrected=(),
        has_labels=False,
    ),
)
PRESETS = {preset.name: preset for preset in _PRESETS}
# Questions and criteria that projects store in English, and pages translate.
SHIPPED_TEXTS = frozenset(
    text for preset in _PRESETS for text in (preset.question, *preset.criteria.values())
)


def shown_text(text: str) -> str:
    """Return a question or a criterion as pages show it; a study's own is not translated."""
    return gettext(text) if text and text in SHIPPED_TEXTS else text
