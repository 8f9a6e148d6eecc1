"""Word swap: the same words in another order (PAWS 3.1)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from generation.errors import BadSettings
from generation.methods import language_models, taggers
from generation.methods.contract import (
    ACCEPTED,
    GenerationMethod,
    Identities,
    Outcome,
    Rewrite,
    Settings,
)
from generation.methods.model_store import EMBEDDED
from generation.nlp.word_swap import Swap, WordSwapper, WordSwapSettings

MODELS = ("tagger", "language_model")


@dataclass(frozen=True, slots=True)
class WordSwapRewriter:
    """A word swapper as generation runs see it."""

    swapper: WordSwapper
    identities: Identities

    def outcomes(self, texts: Sequence[str]) -> Iterator[Outcome]:
        """One outcome for each text, in order."""
        for outcome in self.swapper.outcomes(texts):
            if isinstance(outcome, Swap):
                yield Outcome(ACCEPTED, (_rewrite(outcome),))
            else:
                yield Outcome(str(outcome))


def configure(values: Mapping[str, Any]) -> Settings:
    """All settings of a word swap, and the models by name: `tagger` and `language_model`.

    Raises BadSettings.
    """
    models = {name: values.get(name, EMBEDDED) for name in MODELS}
    if "seed" in values:
        raise BadSettings("The seed is given to the run, not among its settings.")
    swap = {name: value for name, value in values.items() if name not in models}
    return models | _without_seed(_swap_settings(swap))


def identify(settings: Settings) -> Identities:
    """Name and revision or SHA-256 of the tagger and the language model. Raises MissingModel."""
    return {
        "tagger": taggers.identify(settings["tagger"]),
        "language_model": language_models.identify(settings["language_model"]),
    }


def load(settings: Settings, seed: int) -> WordSwapRewriter:
    """The rewriter of these settings, as `configure` gave them. Raises MissingModel."""
    swap = {name: settings[name] for name in settings.keys() - set(MODELS)}
    swapper = WordSwapper(
        tagger=taggers.load(settings["tagger"]),
        model=language_models.load(settings["language_model"]),
        settings=_swap_settings(swap | {"seed": seed}),
    )
    return WordSwapRewriter(swapper, identify(settings))


def _swap_settings(values: Mapping[str, Any]) -> WordSwapSettings:
    try:
        return WordSwapSettings.from_dict(values)
    except (TypeError, ValueError) as error:
        raise BadSettings(str(error)) from error


def _without_seed(settings: WordSwapSettings) -> Settings:
    return {name: value for name, value in settings.to_dict().items() if name != "seed"}


def _rewrite(swap: Swap) -> Rewrite:
    return Rewrite(
        text=swap.text,
        kind=str(swap.kind),
        score=swap.log_likelihood,
        source_score=swap.source_log_likelihood,
        alternatives=tuple(asdict(other) for other in swap.alternatives),
    )


METHOD = GenerationMethod(configure=configure, identify=identify, load=load)
