"""Judged studies for the tests of releases: small, made of invented words, the same for a seed."""

import json
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random
from uuid import UUID

from annotation.stats.groups import without_rare
from releases.dataset.facts import ReleaseFacts, models_by_run
from releases.dataset.formats import FORMATS
from releases.dataset.manifest import as_json, describe_files
from releases.dataset.plan import plan
from releases.dataset.rows import (
    AdjudicationRow,
    AnnotatorRow,
    CandidateRow,
    JudgmentRow,
    ModelJudgmentRow,
    PairRow,
    PromptRow,
    SentenceRow,
)
from releases.dataset.settings import ReleaseSettings
from releases.dataset.writers import Content, write_release

WORDS = ("ada", "bears", "cats", "dogs", "eels", "finds", "goats", "hens", "jays", "keeps", "lions")

FACTS = ReleaseFacts(
    name="Trial pairs", version="1.0.0", created="2026-11-21T08:00:00+00:00",
    software_version="0.1.0", models=({"name": "trigram", "sha256": "ab" * 32},), rejected=3,
    licence="cc-by-sa-4.0", description="Pairs of invented sentences.",
    guidelines="Say whether both mean the same.", citation="@misc{trial, title = {Trial pairs}}",
    runs=(
        {"number": 4, "corpus": "news", "method": "word_swap", "preset": "paper", "seed": 1,
         "settings": {"beam": 100}, "models": ["tagger", "trigram"], "candidates": 60,
         "days": ["2026-01-01", "2026-01-02"]},
        {"number": 5, "corpus": "news", "method": "back_translation", "preset": None, "seed": 1,
         "settings": {}, "models": ["forward"], "candidates": 40,
         "days": ["2026-01-02", "2026-01-02"]},
        {"number": 7, "corpus": "letters", "method": "imported", "preset": None, "seed": 0,
         "settings": {}, "models": [], "candidates": 20,
         "days": ["2026-01-03"]},
    ),
)  # fmt: skip
# Those of releases from before Croissant 1.1.
FACTS_1_0 = replace(
    FACTS,
    croissant="1.0",
    runs=tuple({name: run[name] for name in run if name != "days"} for run in FACTS.runs),
)
# With a run that asked a chat model.
PROMPT = 'Rewrite "{sentence}" in {language}.'
PROMPT_ROW = PromptRow(sha256(PROMPT.encode()).hexdigest(), "generator", "local:small", PROMPT)
FACTS_WITH_PROMPT = replace(
    FACTS,
    models=(
        *FACTS.models,
        {"method": "prompted", "part": "generator", "name": "local:small", "served": "org/Small",
         "repeatable": "false", "seed": "1",
         "settings": f'{{"prompt_sha256": "{PROMPT_ROW.sha256}"}}'},
    ),
    runs=(
        *FACTS.runs,
        {"number": 8, "corpus": "letters", "method": "prompted", "preset": None, "seed": 1,
         "settings": {"prompt_sha256": PROMPT_ROW.sha256}, "models": ["local:small"],
         "candidates": 0, "days": ["2026-01-03"]},
    ),
    raw={"prompted": 5},
)  # fmt: skip
RUNS = {run["method"]: run["number"] for run in FACTS.runs}
KINDS = {"word_swap": "name", "back_translation": None, "imported": None}
SETTINGS = ReleaseSettings(seed=7, dev=0.2, test=0.2)
# Of releases with replies of annotators.
TELLING = replace(SETTINGS, least_in_group=3)
FORMAT_1 = FORMATS["pawsmith-release/1"]


@dataclass(slots=True)
class Study:
    random: Random
    sentences: list = field(default_factory=list)
    pairs: list = field(default_factory=list)
    candidates: list = field(default_factory=list)
    judgments: list = field(default_factory=list)

    def id(self):
        return str(UUID(int=self.random.getrandbits(128), version=4))

    def text(self):
        return " ".join(self.random.choices(WORDS, k=7)) + "."

    def source(self, *, text=None, group=None):
        key = self.id()
        corpus = ("news", "letters")[len(self.pairs) % 5 == 4]
        row = SentenceRow(key, text or self.text(), source=key, corpus=corpus, group=group)
        self.sentences.append(row)
        return self.sentences[-1]

    def rewrite(self, of, method, *, text=None):
        correction = self.random.choice(["accept", "fix"]) if method == "word_swap" else None
        row = (self.id(), text or self.text(), of.source, of.id, method, correction)
        self.sentences.append(SentenceRow(*row, of.corpus, KINDS[method], RUNS[method]))
        return self.sentences[-1]

    def judged(self, one, other, ones, method):
        row = PairRow(self.id(), one.id, other.id, method, (5 - ones, ones))
        self.pairs.append(row)
        for number, annotator in enumerate(self.random.sample(range(9), 5)):
            seconds = self.random.choice([None, round(self.random.uniform(3, 40), 2)])
            label = int(number < ones)
            self.judgments.append(JudgmentRow(row.id, f"annotator-{annotator}", label, seconds))
        return row

    def family(self):
        source = self.source(group=self.random.choice([None] * 30 + ["one", "two"]))
        text = source.text if self.random.random() < 0.1 else None
        swap = self.rewrite(source, "word_swap", text=text)
        self.judged(source, swap, self.random.choice([0, 0, 0, 1, 2, 4, 5]), "word_swap")
        for sentence in (source, swap):
            if self.random.random() < 0.6:
                back = self.rewrite(sentence, "back_translation")
                self.judged(sentence, back, self.random.choice([5, 5, 4, 3, 0]), "back_translation")
        for _ in range(self.random.randrange(3)):
            self.candidate(self.random.choice(self.sentences).id)

    def candidate(self, of):
        method = self.random.choice(["word_swap", "back_translation", "imported"])
        made_by = (method, KINDS[method], RUNS[method])
        self.candidates.append(CandidateRow(self.id(), of, self.text(), *made_by))


def study(seed=0, families=60):
    made = Study(Random(seed))
    for _ in range(families):
        made.family()
    return made


def planned(some, settings=SETTINGS, **choices):
    choices = {"settings": settings, "generators": models_by_run(FACTS.runs)} | choices
    return plan(some.sentences, some.pairs, some.candidates, **choices)


def write(folder, some, made=None, settings=SETTINGS):
    made = made or planned(some, settings)
    pairs = [*made.pairs, *made.silver]
    content = Content(pairs, iter(some.sentences), iter(some.judgments), **made.totals)
    return write_release(folder, content, facts=FACTS, settings=settings)


def contents(folder):
    """The bytes of every file in a folder, by its path there."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def describe_again(folder):
    """Bring checksums and sizes in croissant.json up to date."""
    path = folder / "croissant.json"
    described = json.loads(path.read_text())
    files = describe_files(folder, {file["@id"]: None for file in described["distribution"]})
    for file in described["distribution"]:
        entry = files[file["@id"]]
        file |= {"sha256": entry["sha256"], "contentSize": f"{entry['bytes']} B"}
    path.write_text(as_json(described))


def complete_content(version=2):
    """Rows for every file that there can be: an expert and a model have labelled some pairs."""
    some = study(families=40)
    made = planned(some, version=version)
    low = [pair.id for pair in made.pairs if pair.subset == "low_agreement"]
    return Content(
        pairs=[*made.pairs, *made.silver], sentences=some.sentences, judgments=some.judgments,
        adjudications=[AdjudicationRow(low[0], 1), AdjudicationRow(low[1], None)],
        model_judgments=[
            ModelJudgmentRow(low[0], "Model", "7", 1, 0.75),
            ModelJudgmentRow(low[1], "Model", "7", 0, None),
        ],
        **made.totals,
    )  # fmt: skip


def with_replies(content, choices=("de", "de", "de", "de", "en", "en", "en", "pl", None)):
    """The same content, with replies of its nine annotators, of whom no fewer than three are told.

    Each has a choice of language, and all have the same age.
    """
    replies = {
        f"annotator-{number}": {"First language": choice, "Age": "25 to 34"}
        for number, choice in enumerate(choices)
    }
    told = without_rare(replies, 3)
    rows = [AnnotatorRow(name, told[name]) for name in sorted(told)]
    return replace(content, annotators=rows)
