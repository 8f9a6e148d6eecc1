"""The translators that a method names in its settings: `forward`, and `backward` if it has one."""

from generation.methods import model_loaders
from generation.methods.contract import Identities, Settings
from generation.nlp.back_translation import Translator
from generation.nlp.settings import Field, Role, _

FORWARD = Field(
    "forward",
    "Helsinki-NLP/opus-mt-en-de",
    _("Translator"),
    _("Translates from the language of the corpus into another language."),
    role=Role.TRANSLATOR,
)
FORWARD_PREFIX = Field(
    "forward_prefix",
    "",
    _("Translator prompt"),
    _("Placed before each sentence, for models that expect a task prompt."),
)
FOR_OTHERS = _("Choose a translator from the language of the corpus.")


def identify(settings: Settings, *parts: str) -> Identities:
    """Return name, revision and SHA-256 of the translators. Raises MissingModel."""
    return {part: model_loaders.identify_translator(settings[part]) for part in parts}


def load(settings: Settings, part: str) -> Translator:
    """Return a translator with its prompt, device and precision. Raises MissingModel."""
    return model_loaders.load_translator(
        settings[part],
        device=settings["device"],
        precision=settings["precision"],
        prefix=settings[f"{part}_prefix"],
    )


def language(settings: Settings) -> str:
    return model_loaders.languages_of(settings["forward"])[0]
