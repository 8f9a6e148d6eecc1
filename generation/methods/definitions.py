"""Definitions as a generation method: pairs of definitions of the same entity (PARADE 3.2)."""

from datetime import timedelta

from generation.methods.contract import GenerationMethod, Identities, Settings
from generation.model_store import EMBEDDED
from generation.nlp import vector_likeness
from generation.nlp.adapters.model_files import folder_digest
from generation.nlp.definitions import DefinitionPairer, DefinitionSettings
from generation.nlp.settings import Preset, _

PRESETS = (
    Preset(
        "default",
        _("Recommended"),
        _("Two definitions to a cluster on average; many pairs have few words in common."),
        {},
        (
            "It works only if the elements are in order.",
            "The list must have been sorted before this method can be applied.",
        ),
    ),
    Preset(
        "more",
        _("More candidates"),
        _("Four definitions to a cluster on average. More of the pairs are no paraphrases."),
        {"clusters_per_definition": 0.25},
        (
            "It works only if the elements are in order.",
            "A million entries need no more than twenty comparisons.",
        ),
    ),
)


def identify(settings: Settings) -> Identities:
    if settings["vectors"] != EMBEDDED:
        return {}
    return {
        "likeness": {"name": EMBEDDED, "sha256": folder_digest(vector_likeness.EMBEDDED_FOLDER)}
    }


def language(settings: Settings) -> str:
    """Return English for the embedded word vectors; the others are counted in any language."""
    return "en" if settings["vectors"] == EMBEDDED else ""


METHOD = GenerationMethod(
    own=DefinitionSettings,
    identify=identify,
    rewriter=lambda settings, own, _ledger: DefinitionPairer(own, identify(settings)),
    language=language,
    for_others=_("Choose other word vectors: ppmi and tfidf work in any language."),
    presets=PRESETS,
    text=_("Pairs definitions of the same entity that are close in meaning. Needs flashcards."),
    example=(
        "A system that records how files change over time.",
        "It shows who altered a line, when, and for which reason.",
    ),
    # An entity comes as a whole, and may have thousands of definitions.
    lease=timedelta(hours=1),
)
