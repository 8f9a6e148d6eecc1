"""Makes a ranking of the paraphrases of a source."""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evaluation.ranking.appended import CUTS, appended
from evaluation.ranking.classes import CLASSES
from evaluation.ranking.files import Ranking, write
from evaluation.ranking.sources import Source
from evaluation.ranking.swaps import Swapper
from generation.nlp.continuation import TOP, Writer
from generation.nlp.tagging import Tagger


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """How a ranking is made.

    split: of the release. seed: of all draws. classes: what may be exchanged.
    entity_probability: words of names below it count as other words do.
    """

    split: str = "test"
    seed: int = 0
    classes: tuple[str, ...] = CLASSES
    entity_probability: float = 0.8

    def to_dict(self, *, append: bool) -> dict[str, Any]:
        written = {"words": list(CUTS), "temperature": 1, "top": TOP} if append else None
        return {**asdict(self), "classes": list(self.classes), "appended": written}


def made(
    source: Source,
    settings: RankingSettings,
    *,
    tagger: Tagger,
    writer: Writer | None = None,
    software_version: str = "",
) -> Ranking:
    """Make the groups and, with a writer, the pairs with appended text."""
    swapper = Swapper(tagger, settings.seed, settings.entity_probability, settings.classes)
    different = [pair for pair in source.positives if pair[1] != pair[2]]
    models: Mapping[str, Tagger | Writer | None] = {"tagger": tagger, "writer": writer}
    return Ranking(
        results=tuple(swapper.groups(source.positives)),
        source=source.identity,
        settings=settings.to_dict(append=writer is not None),
        models={role: model.identity for role, model in models.items() if model},
        software_version=software_version,
        appended=tuple(appended(different, writer, seed=settings.seed)) if writer else (),
    )


def put(ranking: Ranking, folder: Path) -> None:
    """Write a ranking into a folder that does not exist, or is empty; all of it or nothing.

    Raises OSError, FileExistsError among them.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        write(ranking, scratch)
        scratch.chmod(0o755)
        scratch.replace(folder)
    except BaseException:
        shutil.rmtree(scratch)
        raise
