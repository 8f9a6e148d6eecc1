"""Word swap as a generation method: the same words in another order (PAWS 3.1)."""

from generation.endpoints.chat import Ledger
from generation.errors import BadSettings
from generation.methods import model_loaders
from generation.methods.contract import MACHINE, GenerationMethod, Identities, Settings
from generation.model_store import EMBEDDED
from generation.nlp import acceptance, paraphrase, vector_likeness
from generation.nlp.adapters.model_files import file_digest, folder_digest
from generation.nlp.judging import Judging
from generation.nlp.settings import Field, Role, WordSwapSettings, _
from generation.nlp.word_swap import WordSwapper
from generation.nlp.word_swap_presets import PRESETS

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
