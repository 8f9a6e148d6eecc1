"""The translators that a method names in its settings: `forward`, and `backward` if it has one."""

from generation.endpoints.chat import Ledger, Request, is_name
from generation.endpoints.client import Chat
from generation.errors import BadSettings
from generation.methods import chat_translator, model_loaders
from generation.methods.chat_translator import ChatTranslator
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
TAG = ("[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", "a tag such as de")
FOR_OTHERS = _("Choose a translator from the language of the corpus.")


def identify(settings: Settings, *parts: str) -> Identities:
    """Return name, revision and SHA-256 of the translators. Raises MissingModel."""
    return {part: model_loaders.identify_translator(settings[part]) for part in parts}


def load(settings: Settings, part: str, ledger: Ledger, languages: tuple[str, str]) -> Translator:
    """Return a translator with its prompt, device and precision.

    `languages` are those from and into which a model behind an endpoint translates. Raises
    MissingModel, and BadSettings if one of them is unknown.
    """
    if is_name(settings[part]):
        check_languages(languages)
        chat = Chat(model_loaders.chat_model(settings[part]), ledger)
        return ChatTranslator(chat, *languages, prefix=settings[f"{part}_prefix"])
    return model_loaders.load_translator(
        settings[part],
        device=settings["device"],
        precision=settings["precision"],
        prefix=settings[f"{part}_prefix"],
    )


def check_languages(languages: tuple[str, str]) -> None:
    if not all(languages):
        raise BadSettings(
            "A model behind an endpoint translates only where the language of the corpus is known."
        )


def requests_about(
    text: str, settings: Settings, part: str, languages: tuple[str, str], k: int
) -> list[Request]:
    """Return what a model behind an endpoint is asked about a sentence; nothing of others."""
    if not is_name(settings[part]) or not all(languages):
        return []
    prefix = settings[f"{part}_prefix"]
    return chat_translator.requests_about(text, *languages, k, prefix=prefix)


def language(settings: Settings) -> str:
    return model_loaders.languages_of(settings["forward"])[0]


def for_corpus(settings: Settings, language: str) -> Settings:
    return settings | {"corpus_language": language}
