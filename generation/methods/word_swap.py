"""Word swap: the same words in another order (PAWS 3.1)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from generation import nlp
from generation.errors import BadSettings, MissingModel
from generation.methods.contract import ACCEPTED, GenerationMethod, Outcome, Rewrite, Settings
from generation.nlp.adapters.spacy_tagger import SpacyTagger
from generation.nlp.language_model import LanguageModel
from generation.nlp.ngram_scorer import NgramLanguageModel
from generation.nlp.tagging import Tagger
from generation.nlp.word_swap import Swap, WordSwapper, WordSwapSettings

EMBEDDED = "embedded"
EMBEDDED_LANGUAGE_MODEL = Path(nlp.__file__).parent / "embedded" / "en_ngram.npz"


@dataclass(frozen=True, slots=True)
class WordSwapRewriter:
    """A word swapper as generation runs see it."""

    swapper: WordSwapper
    identities: dict[str, dict[str, str]]

    def outcomes(self, texts: Sequence[str]) -> Iterator[Outcome]:
        """One outcome for each text, in order."""
        for outcome in self.swapper.outcomes(texts):
            if isinstance(outcome, Swap):
                yield Outcome(ACCEPTED, (_rewrite(outcome),))
            else:
                yield Outcome(str(outcome))


def configure(values: Mapping[str, Any]) -> Settings:
    """All settings of a word swap, and the models by name: `tagger` and `language_model`.

    The tagger is "embedded" or the name of an installed spaCy pipeline. Raises BadSettings.
    """
    models = {name: values.get(name, EMBEDDED) for name in ("tagger", "language_model")}
    if models["language_model"] != EMBEDDED:
        raise BadSettings(f"No language model {models['language_model']!r}; use {EMBEDDED}.")
    if "seed" in values:
        raise BadSettings("The seed is given to the run, not among its settings.")
    swap = {name: value for name, value in values.items() if name not in models}
    return models | _without_seed(_swap_settings(swap))


def load(settings: Settings, seed: int) -> WordSwapRewriter:
    """The rewriter of these settings, as `configure` gave them. Raises MissingModel."""
    swap = {name: settings[name] for name in settings.keys() - {"tagger", "language_model"}}
    tagger, tagger_identity = _tagger(settings["tagger"])
    model, model_identity = _language_model()
    return WordSwapRewriter(
        WordSwapper(tagger, model, _swap_settings(swap | {"seed": seed})),
        {"tagger": tagger_identity, "language_model": model_identity},
    )


def _swap_settings(values: Mapping[str, Any]) -> WordSwapSettings:
    try:
        return WordSwapSettings.from_dict(values)
    except (TypeError, ValueError) as error:
        raise BadSettings(str(error)) from error


def _without_seed(settings: WordSwapSettings) -> Settings:
    return {name: value for name, value in settings.to_dict().items() if name != "seed"}


@cache
def _tagger(name: str) -> tuple[Tagger, dict[str, str]]:
    tagger = SpacyTagger() if name == EMBEDDED else SpacyTagger(name)
    try:
        return tagger, tagger.identity
    except (OSError, ValueError) as error:
        raise MissingModel(f"The tagger {name!r} cannot be loaded: {error}") from error


@cache
def _language_model() -> tuple[LanguageModel, dict[str, str]]:
    try:
        model = NgramLanguageModel.load(EMBEDDED_LANGUAGE_MODEL)
    except (OSError, ValueError) as error:
        raise MissingModel(f"The embedded language model cannot be loaded: {error}") from error
    return model, model.identity


def _rewrite(swap: Swap) -> Rewrite:
    return Rewrite(
        text=swap.text,
        kind=str(swap.kind),
        score=swap.log_likelihood,
        source_score=swap.source_log_likelihood,
        alternatives=tuple(asdict(other) for other in swap.alternatives),
    )


METHOD = GenerationMethod(configure=configure, load=load)
