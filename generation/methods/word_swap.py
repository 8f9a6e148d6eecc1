"""Word swap as a generation method: the same words in another order (PAWS 3.1)."""

from generation.endpoints.chat import Ledger
from generation.errors import BadSettings
from generation.methods import model_loaders
from generation.methods.contract import MACHINE, GenerationMethod, Identities, Preset, Settings
from generation.model_store import EMBEDDED
from generation.nlp import acceptance, paraphrase, vector_likeness
from generation.nlp.adapters.model_files import file_digest, folder_digest
from generation.nlp.judging import Judging
from generation.nlp.phrases import MOVABLE, Kind
from generation.nlp.settings import Field, Role, WordSwapSettings, _
from generation.nlp.word_swap import WordSwapper

# Which models to use, and how the neural ones run; no rescorer by default.
MODELS = (
    Field("tagger", EMBEDDED, _("Tagger"), _("Finds parts of speech and names."), role=Role.TAGGER),
    Field(
        "language_model",
        EMBEDDED,
        _("Language model"),
        _("Scores how likely a rewrite is."),
        role=Role.LANGUAGE_MODEL,
    ),
    Field(
        "rescorer",
        "",
        _("Second language model"),
        _("Rescores the best rewrites; neural models only."),
        role=Role.LANGUAGE_MODEL,
        optional=True,
    ),
    Field(
        "rescored",
        8,
        _("Rewrites to rescore"),
        _("For each sentence, by the second language model."),
        bounds=(1, 100),
    ),
    Field(
        "rescorer_threshold",
        8.0,
        _("Maximum loss by the second model"),
        _("Of likelihood, as a natural log; only if acceptance is not estimated."),
        bounds=(0.0, 1_000.0),
    ),
    *MACHINE,
)
NOT_IN_PAPER = (Kind.NOUN_PHRASE, Kind.ADVERBIAL)
# Those accepted of those read: sentences of Wikipedia, exchanges and moves, of the sets `test` and
# `paper` of docs/researcher/word_swap_readings.tsv.
PRESETS = (
    Preset(
        "balanced",
        _("Recommended"),
        _(
            "Both paraphrases and others among moves and among swaps, so that the shape of a pair "
            "tells little. Up to two candidates of a sentence."
        ),
        {"balance": True, "list_pruning_keep": 1.0, "per_sentence": 2},
        (
            "The old roof of slate was replaced by a new roof of copper in 1926.",
            "The old roof of slate was replaced in 1926 by a new roof of copper.",
        ),
        21,
        (82, 90),
    ),
    Preset(
        "default",
        _("One per sentence"),
        _(
            "One swap or move that people will probably accept as it is. Most moves are "
            "paraphrases, most swaps are not."
        ),
        {},
        (
            "Her first album sold poorly in Canada and surprisingly well in Japan.",
            "Her first album sold poorly in Japan and surprisingly well in Canada.",
        ),
        21,
        (183, 217),
    ),
    Preset(
        "more",
        _("More candidates"),
        _("A lower minimum probability of acceptance. More odd candidates."),
        {"acceptance": 0.55},
        (
            "The animal sleeps by day in hollow trees and hunts by night on open ground.",
            "The animal sleeps by night in hollow trees and hunts by day on open ground.",
        ),
        28,
        (214, 265),
    ),
    Preset(
        "paper",
        _("PAWS paper"),
        _("Any number of swaps, limited only by the likelihood of the sentence (PAWS 3.1)."),
        {
            "movable": [kind for kind in MOVABLE if kind not in NOT_IN_PAPER],
            "max_changes": 1_000,
            "acceptance": 0.0,
            "threshold": 3.0,
            "largest_fall": 1_000.0,
            "likeness": -1.0,
            "entity_probability": 0.95,
            "rules": False,
            "fix_quotes": False,
            "fix_brackets": False,
        },
        (
            "The bell has a low tone that carries far across the marshes.",
            "The bell carries a low tone that has far across the marshes.",
        ),
        64,
        (21, 60),
    ),
)


def check(models: Settings) -> None:
    if models["rescorer"] == EMBEDDED:
        raise BadSettings("Only neural models rescore: give another rescorer, or none.")


def identify(settings: Settings) -> Identities:
    identities = {
        "tagger": model_loaders.identify_tagger(settings["tagger"]),
        "language_model": model_loaders.identify_language_model(settings["language_model"]),
        "likeness": {"name": EMBEDDED, "sha256": folder_digest(vector_likeness.EMBEDDED_FOLDER)},
        "acceptance": {"name": EMBEDDED, "sha256": file_digest(acceptance.EMBEDDED_FILE)},
    }
    if settings["balance"]:
        digest = file_digest(paraphrase.EMBEDDED_FILE)
        identities["paraphrase"] = {"name": EMBEDDED, "sha256": digest}
    if rescorer := settings["rescorer"]:
        identities["rescorer"] = model_loaders.identify_language_model(rescorer)
    return identities


def rewriter(settings: Settings, own: WordSwapSettings, _ledger: Ledger) -> WordSwapper:
    placement = {"device": settings["device"], "precision": settings["precision"]}
    return WordSwapper(
        tagger=model_loaders.load_tagger(settings["tagger"]),
        model=model_loaders.load_language_model(settings["language_model"], **placement),
        settings=own,
        likeness=vector_likeness.load_embedded(),
        acceptance=acceptance.load_embedded(),
        paraphrase=paraphrase.load_embedded() if own.balance else None,
        identities=identify(settings),
        judging=_load_judging(settings, **placement),
    )


def _load_judging(settings: Settings, **placement: str) -> Judging | None:
    if not settings["rescorer"]:
        return None
    judge = model_loaders.load_causal_model(settings["rescorer"], **placement)
    most_rewrites, threshold = settings["rescored"], settings["rescorer_threshold"]
    return Judging(judge, most_rewrites, threshold, acceptance.load_embedded())


METHOD = GenerationMethod(
    own=WordSwapSettings,
    identify=identify,
    rewriter=rewriter,
    models=MODELS,
    check=check,
    languages=("en",),  # articles, dates and capitals follow English rules, whatever the models
    for_others=_(
        "Let a chat model rewrite them (method prompted, any language), or import finished pairs "
        "in this language (page Sentences, or the command import_pairs)."
    ),
    presets=PRESETS,
    text=_("The same words in another order. English only."),
    example=(
        "A light beam of aluminium can carry the same load as a heavy beam of iron.",
        "A light beam of iron can carry the same load as a heavy beam of aluminium.",
    ),
)
