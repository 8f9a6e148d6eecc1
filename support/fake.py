"""A method of generation without a model, which can be slow, or run out of memory."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, ClassVar

from generation import methods
from generation.errors import MissingModel
from generation.methods.contract import GenerationMethod, Identities, Settings
from generation.models import Candidate, Corpus, GenerationRun, Method, Sentence
from generation.nlp import settings as nlp_settings
from generation.nlp.rewrites import ACCEPTED, Outcome, Rewrite
from generation.nlp.settings import setting
from generation.readers import Row
from generation.services import runs
from generation.services.sentences import derive, import_sentences

IDENTITIES: Identities = {"model": {"name": "backwards", "revision": "1"}}


@dataclass(frozen=True, slots=True, kw_only=True)
class BackwardsSettings(nlp_settings.Settings):
    """How sentences are said backwards."""

    SUBJECT: ClassVar[str] = "backwards"

    seconds: float = setting(0.0, "Seconds", bounds=(0.0, 60.0))
    fails_on: str = setting("", "Fails on")
    model: str = setting("present", "Model")
    per_sentence: int = setting(1, "Candidates per sentence", bounds=(1, 2))
    seed: int = 0


@dataclass(frozen=True)
class Backwards:
    """Says the words of a sentence backwards; one word alone cannot be rewritten."""

    settings: BackwardsSettings

    @property
    def identities(self) -> Identities:
        return IDENTITIES

    def outcomes(self, texts: Sequence[str]) -> Iterator[Outcome]:
        time.sleep(self.settings.seconds)
        for text in texts:
            if text == self.settings.fails_on:
                raise MemoryError(f"cannot rewrite {text!r}")
            backwards = text.split()[::-1]
            orders = (backwards, backwards[1:] + backwards[:1])[: self.settings.per_sentence]
            score = -float(self.settings.seed)
            rewrites = (
                Rewrite(" ".join(words), kind="other", score=score, probability=0.75)
                for words in orders
            )
            yield Outcome(ACCEPTED, tuple(rewrites)) if " " in text else Outcome("too_short")


def identify(settings: Settings) -> Identities:
    if settings["model"] != "present":
        raise MissingModel("The model is missing.")
    return IDENTITIES


METHOD = GenerationMethod(
    BackwardsSettings, identify, lambda _, own, _ledger: Backwards(own), batch_size=5
)
DEFAULTS = METHOD.configure({})


def install(*, lease_seconds: float = 60, **changes: Any) -> None:
    """Let word swap be this method, with changes, for the life of the process."""
    lease = timedelta(seconds=lease_seconds)
    methods.METHODS[Method.WORD_SWAP] = replace(METHOD, lease=lease, **changes)


def corpus(size: int, name: str = "Tests") -> Corpus:
    """A corpus of `size` sentences; every tenth has one word only."""
    corpus_made = Corpus.objects.create(name=name)
    texts = [f"w{n}" if n % 10 == 0 else f"sentence number {n}" for n in range(size)]
    import_sentences([Row(n, text) for n, text in enumerate(texts, 1)], corpus=corpus_made)
    return corpus_made


def run(of: Corpus, **settings: Any) -> GenerationRun:
    """A new run over a corpus."""
    return runs.start(of, method=Method.WORD_SWAP, settings=settings, seed=7)


def rows(run: GenerationRun) -> list[tuple[Any, ...]]:
    """All candidates of a run, without columns that are drawn or counted for each row."""
    scores = ("score", "source_score", "probability", "similarity", "inversion_rate")
    candidates = run.candidate_set.order_by("sentence", "rank")
    return list(
        candidates.values_list(
            "sentence_id", "batch__number", "rank", "text", "kind", *scores, "alternatives"
        )
    )


def texts(of: Corpus) -> list[str]:
    """All sentences of a corpus."""
    return list(Sentence.objects.filter(corpus=of).order_by("id").values_list("text", flat=True))


def correct(*finals: tuple[Candidate, str]) -> None:
    """Store final texts of candidates as sentences."""
    derive([(made.pk, made.sentence.corpus_id, made.sentence.group, text) for made, text in finals])
