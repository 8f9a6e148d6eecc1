"""What a release says about itself: the facts given to it, and manifest.json made of them."""

from collections.abc import Mapping
from dataclasses import dataclass

FORMAT = "pawsmith-release/1"


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """What the rows of a release do not say.

    `created` is an ISO 8601 time in UTC, kept with the release so that each build repeats it;
    `models` holds name and revision or SHA-256 of each model that generated; `rejected` counts the
    rewrites that a corrector threw away; `licence` is that of the source text, by preference as a
    Hugging Face identifier; `language` a BCP 47 tag; `citation` BibTeX or a sentence.
    """

    name: str
    version: str
    created: str
    software_version: str
    models: tuple[Mapping[str, str], ...] = ()
    rejected: int = 0
    language: str = "en"
    licence: str = ""
    description: str = ""
    guidelines: str = ""
    citation: str = ""
