"""The rows of a release of translations: each record declares the columns of its file."""

from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

By = Literal["human", "machine"]
Validated = Literal["accept", "fix", "reject"]


class LeftOut(StrEnum):
    """Why a pair of the source release is in no table."""

    UNTRANSLATABLE = "untranslatable"  # people could not translate one of its sentences
    EQUAL = "equal"  # a paraphrase of dev or test whose translations are equal
    SHARED = "shared"  # one of its translations is also in another split
    # Of train: a sentence has none. Of dev and test: none back, so not in translate_test alone.
    NO_MACHINE_TRANSLATION = "no_machine_translation"


class RegimeName(StrEnum):
    """How a regime of translations brings train and test into one language."""

    TRANSLATE_TRAIN = "translate_train"  # train is translated by machine
    TRANSLATE_TEST = "translate_test"  # test is translated back by machine
    ZERO_SHOT = "zero_shot"  # a multilingual model is trained in the source language alone
    MERGED = "merged"  # a multilingual model is trained in all languages


class TranslationRow(NamedTuple):
    """A translated sentence, or one translated back by machine."""

    id: Annotated[str, "Id of the translation"]
    text: Annotated[str, "The translation"]
    language: Annotated[str, "Its language, a BCP 47 tag"]
    translates: Annotated[
        str,
        "Id of the sentence that it translates: of the source release; for a row in the language "
        "of the source, of this file",
    ]
    by: Annotated[By, "human or machine"]
    validated: Annotated[
        Validated | None, "accept or fix, where a second person looked at it; else null"
    ] = None
    translator: Annotated[str | None, "Pseudonym of the translator; null for machines"] = None
    model: Annotated[str | None, "The model that translated it; null for people"] = None
    unchanged: Annotated[bool, "Whether it equals the sentence that it translates"] = False
    simulated: Annotated[bool, "Whether a program took the place of the translator"] = False


class UntranslatableRow(NamedTuple):
    """A source sentence that people could not translate."""

    sentence: Annotated[str, "Id of the sentence in the source release"]
    text: Annotated[str, "The sentence"]
    reasons: Annotated[
        tuple[str, ...], "Why each person could not: incomplete, ambiguous, nonsense or other"
    ]


class ValidationRow(NamedTuple):
    """What a second person said of a translation."""

    sentence: Annotated[str, "Id of the translated sentence in the source release"]
    before: Annotated[str, "The translation as the translator gave it"]
    after: Annotated[str | None, "The text that the validator accepted; null if rejected"]
    errors: Annotated[int, "Words or characters that differ; all of a rejected translation"]
    words: Annotated[int, "Words or characters of `after`, or of a rejected translation"]
    action: Annotated[Validated, "accept, fix or reject"]
    translator: Annotated[str, "Pseudonym of the translator"]
    validator: Annotated[str, "Pseudonym of the validator"]
    simulated: Annotated[bool, "Whether a program took the place of the validator"] = False


class Pair(NamedTuple):
    """A pair of texts with the id that it has in the source; `label` is None if none is given."""

    id: str
    sentence1: str
    sentence2: str
    label: str | None = None

    @property
    def is_collapsed(self) -> bool:
        """Whether both texts are equal, so that only the source shows the difference."""
        return self.sentence1 == self.sentence2
