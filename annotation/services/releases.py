"""Publishing: what a release consists of is frozen once, and its files are written from that."""

import hashlib
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from django.conf import settings as installation
from django.db import transaction
from django.utils import timezone

from annotation import protocols
from annotation.dataset.manifest import Manifest
from annotation.dataset.plan import ReleasePlan, plan
from annotation.dataset.rows import ReleasedPair, SilverPair
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.writers import write_release
from annotation.errors import AnnotationError
from annotation.models import Correction, Example, Project, Pseudonym, Release, SentencePair
from annotation.selectors import dataset
from annotation.selectors import releases as frozen
from generation.models import GenerationRun

ROWS_PER_INSERT = 2000


class ChangedRelease(AnnotationError):
    """A build of a release gave other files than the first build; the text says which."""


@transaction.atomic
def freeze(project: Project, *, version: str, **choices: Any) -> Release:
    """Decide what a new version consists of, and store every row of it.

    `choices` are fields of ReleaseSettings; those of the protocol are the project's. Raises
    ValidationError for a version that exists or is no file name, ValueError for settings that the
    pairs cannot fulfil.
    """
    settings = ReleaseSettings(**(_protocol(project) | choices))
    release = Release(
        project=project,
        version=version,
        state=Release.State.FROZEN,
        frozen_at=timezone.now(),
        seed=settings.seed,
        settings=settings.to_dict(),
        facts=_facts(project, version),
    )
    release.full_clean(exclude=["left_out"])
    # Rows are only ever added, so what is read later holds everything that was read before.
    pairs = list(dataset.decided_pairs(project))
    candidates = list(dataset.candidates(project))
    planned = plan(dataset.sentences(project), pairs, candidates, settings=settings)
    release.left_out = {
        "conflicts": planned.conflicts,
        "unknown": planned.unknown,
        "silver_left_out": planned.silver_left_out,
    }
    release.save()
    Example.objects.bulk_create(_examples(release, planned), batch_size=ROWS_PER_INSERT)
    Pseudonym.objects.bulk_create(_pseudonyms(release))
    return release


def write(release: Release, folder: Path) -> Manifest:
    """Write the files of a release to a new folder; every time the same bytes.

    Raises FileExistsError, and ChangedRelease when the files are not those of the first build.
    """
    planned = frozen.plan_of(release)
    manifest = write_release(
        folder,
        planned,
        sentences=frozen.sentences_of(release, planned),
        judgments=frozen.judgments_of(release, planned),
        facts=frozen.facts_of(release),
        settings=frozen.settings_of(release),
    )
    _remember(release, manifest)
    return manifest


def _remember(release: Release, manifest: Manifest) -> None:
    """Keep the manifest of the first build; a later one must equal it."""
    written = json.loads(json.dumps(manifest))
    if Release.objects.filter(pk=release.pk, manifest__isnull=True).update(manifest=written):
        release.manifest = written
        return
    release.refresh_from_db(fields=["manifest"])
    if release.manifest != written:
        first, now = (release.manifest or {"files": {}})["files"], written["files"]
        changed = sorted(path for path in {*first, *now} if first.get(path) != now.get(path))
        raise ChangedRelease(f"Not the files of the first build: {', '.join(changed) or 'counts'}.")


def _protocol(project: Project) -> dict[str, Any]:
    protocol = protocols.of(project)
    return {
        "annotators_per_pair": protocol.annotators_per_pair,
        "consensus_min_votes": protocol.min_votes,
        "max_label": protocol.max_label,
        "paraphrase_from": protocol.paraphrase_from,
    }


def _facts(project: Project, version: str) -> dict[str, Any]:
    """ReleaseFacts without the time, which is the release's own."""
    runs = list(dataset.runs(project))
    corpora = {run.corpus_id: run.corpus for run in runs}.values()
    rejected = Correction.objects.filter(project=project, action=Correction.Action.REJECT)
    return {
        "name": project.name,
        "version": version,
        "software_version": installation.VERSION,
        "models": _models(runs),
        "rejected": rejected.count(),
        "language": next((corpus.language for corpus in corpora), "en"),
        "licence": "; ".join(sorted({corpus.licence for corpus in corpora} - {""})),
        "description": project.description,
        "guidelines": project.guidelines,
    }


def _models(runs: list[GenerationRun]) -> list[dict[str, str]]:
    """Each model once, with what its run was told."""
    models = [
        {
            "method": run.method,
            "part": part,
            **identity,
            "seed": str(run.seed),
            "settings": json.dumps(run.settings, sort_keys=True),
        }
        for run in runs
        for part, identity in sorted(run.model_identities.items())
    ]
    return [model for number, model in enumerate(models) if model not in models[:number]]


def _examples(release: Release, planned: ReleasePlan) -> Iterator[Example]:
    positions = count(1)
    keys = SentencePair.objects.filter(project=release.project).values_list("public_id", "pk")
    pk_of = {str(public_id): pk for public_id, pk in keys}
    for pair in planned.pairs:
        yield Example(
            position=next(positions),
            origin=pair.origin,
            pair_id=pk_of.get(pair.id),
            via=list(pair.via),
            votes=pair.votes,
            label=pair.label,
            kept=pair.kept,
            subset=pair.subset or "",
            **_shared(release, planned, pair),
        )
    for silver in planned.silver:
        yield Example(
            position=next(positions),
            origin=Example.Origin.SILVER,
            label=silver.noisy_label,
            kept=False,
            subset="unlabeled_final",
            **_shared(release, planned, silver),
        )


def _shared(
    release: Release, planned: ReleasePlan, pair: ReleasedPair | SilverPair
) -> dict[str, Any]:
    return {
        "release": release,
        "public_id": pair.id,
        "sentence1_ref": pair.sentence1,
        "sentence2_ref": pair.sentence2,
        "sentence1": planned.texts[pair.sentence1],
        "sentence2": planned.texts[pair.sentence2],
        "method": pair.method,
        "split": pair.split or "",
    }


def _pseudonyms(release: Release) -> Iterator[Pseudonym]:
    """Names drawn from the account's own random id, which no release ever shows."""
    for judge in dataset.judges(release.project):
        drawn = hashlib.blake2b(
            f"{release.seed} {release.version}".encode(), key=judge.public_id.bytes, digest_size=6
        )
        yield Pseudonym(release=release, annotator=judge, name=f"annotator-{drawn.hexdigest()}")
