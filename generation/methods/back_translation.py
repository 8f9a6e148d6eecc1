"""Back translation as a generation method: into another language and back (PAWS 3.2)."""

from datetime import timedelta

from generation.methods import translators
from generation.methods.contract import MACHINE, GenerationMethod, Preset, Settings
from generation.nlp.back_translation import BackTranslationSettings, BackTranslator
from generation.nlp.settings import Field, Role, _

MODELS = (
    translators.FORWARD,
    Field(
        "backward",
        "Helsinki-NLP/opus-mt-de-en",
        _("Back translator"),
        _("Translates back into the language of the corpus."),
        role=Role.TRANSLATOR,
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
)
PARTS = ("forward", "backward")


def rewriter(settings: Settings, own: BackTranslationSettings) -> BackTranslator:
    forward, backward = (translators.load(settings, part) for part in PARTS)
    return BackTranslator(forward, backward, own)


# A sentence takes seconds on one core; 50 are enough to group by similar length.
METHOD = GenerationMethod(
    own=BackTranslationSettings,
    identify=lambda settings: translators.identify(settings, *PARTS),
    rewriter=rewriter,
    models=MODELS,
    language=translators.language,
    for_others=translators.FOR_OTHERS,
    presets=PRESETS,
    text=_("Word swaps into another language and back. Mostly paraphrases."),
    example=(
        "Thomas Arkwell was arrested in Lyon, tried in Geneva and released after two years in "
        "prison.",
        "After being arrested in Lyon and tried in Geneva, Thomas Arkwell was released after two "
        "years in prison.",
    ),
    of_pairs=True,
    batch_size=50,
    lease=timedelta(hours=1),
)
