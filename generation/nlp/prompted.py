"""How a chat model is asked for rewrites of sentences, and which of them are kept: the settings."""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import ClassVar

from generation.nlp import prompts
from generation.nlp.settings import (
    Settings,
    _,
    longest_sentence,
    setting,
    shortest_sentence,
    stored_alternatives,
)
from generation.nlp.tries import Reason
from generation.nlp.words import tokens

# A rewrite may have three times the tokens of its sentence, as models count them.
LONGER, OVERHEAD, LONGEST_REPLY = 3, 64, 1_024


class Intent(StrEnum):
    """What the rewrites are to be: the kind of the candidates."""

    NEAR_MISS = "near miss"
    PARAPHRASE = "paraphrase"
    ANY = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptedSettings(Settings):
    """How a chat model is asked for rewrites, and which are kept; the defaults are for `reorder`.

    `corpus_language` is that of the sentences (BCP 47); a run takes it from its corpus.
    """

    SUBJECT: ClassVar[str] = "rewrites by a chat model"

    prompt: str = setting(
        prompts.REORDER,
        _("Prompt"),
        _(
            "Sent once per sample. {sentence} is replaced by the sentence and must be there once; "
            "{language} by the English name of its language."
        ),
        long=True,
    )
    intent: str = setting(
        Intent.NEAR_MISS.value,
        _("Rewrites should be"),
        _("What the prompt asks for; shown as the kind of the candidates. People still judge."),
        choices={
            Intent.NEAR_MISS: _("near misses: another meaning"),
            Intent.PARAPHRASE: _("paraphrases: the same meaning"),
            Intent.ANY: _("either"),
        },
    )
    samples: int = setting(
        4,
        _("Samples per sentence"),
        _("Requests for each sentence. Costs and time grow with them."),
        bounds=(1, 20),
    )
    temperature: float = setting(
        0.8,
        _("Temperature"),
        _("Higher values give more varied and odder rewrites; at 0 all samples are equal."),
        bounds=(0.0, 2.0),
    )
    top_p: float = setting(
        0.95,
        _("Top p"),
        _("The model draws from its likeliest tokens up to this probability."),
        bounds=(0.0, 1.0),
    )
    same_words: bool = setting(
        True,
        _("Exactly the same words"),
        _(
            "Drops rewrites with other words (case and punctuation may differ), and those that "
            "only reorder a list."
        ),
    )
    min_similarity: float = setting(
        0.0,
        _("Minimum similarity"),
        _("Compares the words of both sentences: 1 means identical words; 0 allows any."),
        bounds=(0.0, 1.0),
    )
    reordered_above: float = setting(
        0.0,
        _("Minimum reordering"),
        _("The inversion rate that a rewrite must exceed; 0 allows the same order."),
        bounds=(0.0, 1.0),
    )
    max_loss: float = setting(
        10.0,
        _("Maximum loss of likelihood"),
        _("By the language model below, if there is one; for the whole sentence, a natural log."),
        bounds=(0.0, 1_000.0),
    )
    per_sentence: int = setting(
        1,
        _("Candidates per sentence"),
        _("At most: the likeliest, or without a language model the first ones."),
        bounds=(1, 20),
    )
    keep_alternatives: int = stored_alternatives(5)
    min_tokens: int = shortest_sentence(5)
    max_tokens: int = longest_sentence(60)
    corpus_language: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        prompts.check(self.prompt)
        if self.min_tokens > self.max_tokens:
            raise ValueError(
                "min_tokens (shortest sentence) must not be above max_tokens (longest)."
            )

    @property
    def kind(self) -> str:
        """The kind of the candidates; "" where any is meant."""
        return "" if self.intent == Intent.ANY else self.intent

    @property
    def instruction(self) -> str:
        """The prompt without the sentence."""
        return prompts.fill_in(self.prompt, sentence="", language="")

    def length_reason(self, source: str) -> Reason | None:
        """Return why the model is not asked about a sentence; None if it is."""
        number = len(tokens(source))
        if number < self.min_tokens:
            return Reason.TOO_SHORT
        return Reason.TOO_LONG if number > self.max_tokens else None

    def seed_of(self, sample: int) -> int:
        """Return the seed of a sample for the server: a number of 31 bits."""
        digest = blake2b(f"{self.seed} {sample}".encode(), digest_size=4).digest()
        return int.from_bytes(digest) >> 1


def longest_reply(source: str) -> int:
    """Return the most tokens that a reply may have."""
    return min(LONGER * len(tokens(source)) + OVERHEAD, LONGEST_REPLY)
