"""Makes a ranking of the paraphrases of a source."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from evaluation.data import Unusable
from evaluation.ranking.appended import CUTS, append_words
from evaluation.ranking.back_translated import back_translate_groups
from evaluation.ranking.classes import CLASSES
from evaluation.ranking.files import Ranking, write_ranking
from evaluation.ranking.sources import Source
from evaluation.ranking.swaps import Swapper
from generation.nlp.back_translation import BackTranslator
from generation.nlp.continuation import TOP, Writer
from generation.nlp.tagging import Tagger
from releases.dataset.folders import new_folder


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """How a ranking is made.

    split: of the release. seed: of all draws. classes: what may be exchanged.
    entity_probability: words of names below it count as other words do. sample: the number of
    groups whose first sentence is back-translated; None means all.
    """

    split: str = "test"
    seed: int = 0
    classes: tuple[str, ...] = CLASSES
    entity_probability: float = 0.8
    sample: int | None = None

    def to_dict(self, *, append: bool, translator: BackTranslator | None) -> dict[str, Any]:
        values = {key: value for key, value in asdict(self).items() if key != "sample"}
        appended = {"words": list(CUTS), "temperature": 1, "top": TOP} if append else None
        settings = {**values, "classes": list(self.classes), "appended": appended}
        if translator is None:
            return settings
        trip_settings = {name: getattr(translator.settings, name) for name in ("k", "max_tokens")}
        return {**settings, "back_translated": {**trip_settings, "sample": self.sample}}


def make_ranking(
    source: Source,
    settings: RankingSettings,
    *,
    tagger: Tagger,
    writer: Writer | None = None,
    translator: BackTranslator | None = None,
    software_version: str = "",
) -> Ranking:
    """Make the groups and, with a writer, the pairs with appended text.

    With a translator, the first sentences of groups are back-translated.
    """
    swapper = Swapper(tagger, settings.seed, settings.entity_probability, settings.classes)
    different = [pair for pair in source.positives if pair[1] != pair[2]]
    models: Mapping[str, Tagger | Writer | None] = {"tagger": tagger, "writer": writer}
    identities = {role: model.identity for role, model in models.items() if model}
    ranking = Ranking(
        results=tuple(swapper.groups(source.positives)),
        source=source.identity,
        settings=settings.to_dict(append=writer is not None, translator=translator),
        models={**identities, **(translator.identities if translator else {})},
        software_version=software_version,
        appended=tuple(append_words(different, writer, seed=settings.seed)) if writer else (),
    )
    if translator is None:
        return ranking
    rows = back_translate_groups(
        ranking.groups, translator, seed=settings.seed, sample=settings.sample
    )
    return replace(ranking, back_translated=tuple(rows))


def check_place(folder: Path, *, source: Path) -> None:
    """Raise Unusable if a new ranking cannot be put there."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Unusable(f"{folder} exists. Name a new folder with --out.")
    if folder.resolve().is_relative_to(source.resolve()):
        raise Unusable(f"{folder} is in {source}, which never changes. Name another folder.")


def put(ranking: Ranking, folder: Path) -> None:
    """Write a ranking into a new or empty folder, all of it or nothing. Raises OSError."""
    with new_folder(folder) as partial:
        write_ranking(ranking, partial)
