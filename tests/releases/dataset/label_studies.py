"""Judged studies whose labels are not two sides: NLI, similarity, and opinions; invented words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from annotation.stats.labels import Label, Level, Rule, Scheme
from releases.dataset.columns import columns_of
from releases.dataset.manifest import Manifest
from releases.dataset.plan import ReleasePlan, plan
from releases.dataset.rows import JudgmentRow, PairRow, SentenceRow
from releases.dataset.settings import NOT_BINARY, ReleaseSettings
from releases.dataset.writers import Content, write_release
from tests.releases.dataset.studies import FACTS, WORDS

NLI = Scheme(
    (Label(0, "entailment"), Label(1, "neutral"), Label(2, "contradiction")),
    Level.NOMINAL,
    Rule.MOST,
    directed=True,
    captions=("Premise", "Hypothesis"),
)
SIMILARITY = Scheme(
    tuple(Label(value, f"degree {value + 1}") for value in range(6)),
    Level.INTERVAL,
    Rule.MEAN,
    border=3,
)
OPINIONS = Scheme(
    tuple(Label(value, str(value)) for value in range(-5, 6)), Level.INTERVAL, Rule.NONE, border=1
)
TOPICS = Scheme(
    (Label(0, "the same"), Label(1, "related"), Label(2, "other")), Level.NOMINAL, Rule.NONE
)


def settings_of(scheme: Scheme, *, votes: int = 3, **choices: Any) -> ReleaseSettings:
    choices = {"seed": 7, "dev": 0.2, "test": 0.2, **NOT_BINARY} | choices
    return ReleaseSettings(
        consensus_min_votes=votes if scheme.decides else 1, scheme=scheme, **choices
    )


def tally_of(places: Sequence[int], scheme: Scheme) -> tuple[int, ...]:
    return tuple(map(list(places).count, range(scheme.size)))


class LabelStudy:
    """Pairs of two sentences with five answers each; every tenth pair shares a sentence."""

    def __init__(
        self,
        scheme: Scheme,
        answers: Sequence[Sequence[int]] | None = None,
        *,
        pairs: int = 100,
        **choices: Any,
    ) -> None:
        """`answers` are places of labels, of each pair; random ones if they are not given."""
        random = Random(3)
        if answers is None:
            truths = [random.randrange(scheme.size) for _ in range(pairs)]
            answers = [
                [t if random.random() < 0.7 else random.randrange(scheme.size) for _ in range(5)]
                for t in truths
            ]
        self.scheme, self.settings = scheme, settings_of(scheme, **choices)
        self.sentences: list[SentenceRow] = []
        self.pairs: list[PairRow] = []
        self.judgments: list[JudgmentRow] = []
        for number, places in enumerate(answers):
            self._judged(f"p{number:03}", places, random, number % 10 == 9)
        columns = columns_of(self.sentences, scheme=scheme)
        self.settings = replace(self.settings, columns=columns)

    def _judged(self, key: str, places: Sequence[int], random: Random, shares: bool) -> None:
        texts = [" ".join(random.choices(WORDS, k=7)) + "." for _ in range(2)]
        first = self.sentences[-2].id if shares else f"{key}-a"
        if not shares:
            self.sentences.append(SentenceRow(first, texts[0], first, corpus="news"))
        second = (f"{key}-b", texts[1], first, first, "imported", None, "news", None, 7)
        self.sentences.append(SentenceRow(*second))
        tally = tally_of(places, self.scheme)
        self.pairs.append(PairRow(key, first, f"{key}-b", "imported", tally))
        people = random.sample(range(9), len(places))
        for person, place in zip(people, places, strict=True):
            value = self.scheme.value(place)
            self.judgments.append(JudgmentRow(key, f"annotator-{person}", value, 2.5))

    def planned(self) -> ReleasePlan:
        return plan(
            self.sentences, self.pairs, settings=self.settings, generators={7: None, 4: "", 5: ""}
        )

    def write(self, folder: Path, **facts_of_release: Any) -> Manifest:
        made = self.planned()
        content = Content(made.pairs, self.sentences, self.judgments, **made.totals)
        facts = replace(FACTS, guidelines="Read both sentences.", **made.figures("en"))
        facts = replace(facts, **facts_of_release)
        return write_release(folder, content, facts=facts, settings=self.settings)


def rows_of(folder: Path, path: str) -> list[Mapping[str, str]]:
    header, *lines = (folder / path).read_text("utf-8").splitlines()
    names = header.split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines]
