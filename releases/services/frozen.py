"""Freezes releases: decides once which pairs a release contains, and stores every row."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from itertools import chain
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.models import Project, SentencePair
from common import bulk, clock
from releases.dataset.plan import ReleasePlan
from releases.dataset.rows import ReleasedPair
from releases.models import Example, Release, ReleasePreview
from releases.selectors.releases import EXAMPLE_COLUMNS, settings_of
from releases.services import pseudonyms
from releases.services.leases import FREEZING, LostRelease, Progress
from releases.services.plans import Moment, new, planned, settings_now


@bulk.no_garbage_collection()
def freeze(project: Project, *, version: str, **choices: Any) -> Release:
    """Create a new version and freeze it immediately.

    Raises ValidationError if the version exists or is not a valid file name, and ValueError if the
    settings are invalid or the pairs cannot satisfy them.
    """
    release = new(project, version=version, **choices)
    release.full_clean(exclude=["facts", "left_out"])
    moment, plan = planned(project, settings_of(release), version=version)
    with transaction.atomic():
        release.save()
        store(release, moment, plan, Progress(), state=Release.State.FROZEN)
    return release


def freeze_draft(release: Release) -> None:
    """Freeze a draft in this process, without a worker. Raises ValueError and LostRelease."""
    decide(release, Progress(), state=Release.State.FROZEN)


@bulk.no_garbage_collection()
def decide(
    release: Release, progress: Progress, *, state: str, lease: timedelta = timedelta()
) -> None:
    """Plan a release and store its rows, unless an earlier attempt has already done so.

    Sets the state, and renews the lease when rows are stored. Raises ValueError if the pairs cannot
    satisfy the settings, and LostRelease if the release has changed since it was read.
    """
    if release.frozen_at is not None:
        _change(release, state=state)
        return
    settings = settings_now(release)
    moment, plan = planned(release.project, settings, version=release.version, progress=progress)
    release.settings = settings.to_dict()
    store(release, moment, plan, progress, state=state, lease=lease)


@transaction.atomic
def store(
    release: Release,
    moment: Moment,
    plan: ReleasePlan,
    progress: Progress,
    *,
    state: str,
    lease: timedelta = timedelta(),
) -> None:
    """Store every row of the plan and mark the release as frozen. Raises LostRelease.

    Deletes the preview, which the rows replace.
    """
    progress.begin(FREEZING, total=len(plan.pairs) + len(plan.silver))
    store_examples(release, progress.counting(chain(plan.pairs, plan.silver)))
    pseudonyms.draw(release, moment.judges)
    ReleasePreview.objects.filter(release=release).delete()
    left_out = {
        "conflicts": plan.conflicts,
        "unknown": plan.unknown,
        "silver_left_out": plan.silver_left_out,
    }
    frozen = {"frozen_at": moment.at, "facts": moment.facts, "left_out": left_out}
    now = {"settings": release.settings, "state": state, "lease_until": clock.now() + lease}
    _change(release, **frozen, **now)


def store_examples(release: Release, pairs: Iterable[ReleasedPair]) -> None:
    """Insert one row for each pair, in their order."""
    judged = SentencePair.objects.filter(project=release.project)
    keys = dict(judged.values_list("public_id", "pk").iterator())
    columns = ("position", "pair_id", *EXAMPLE_COLUMNS)
    bulk.insert(Example, _rows(pairs, keys), fields=columns, release_id=release.pk)


def _rows(pairs: Iterable[ReleasedPair], keys: Mapping[UUID, int]) -> Iterator[tuple[Any, ...]]:
    for position, pair in enumerate(pairs, start=1):
        columns: dict[str, Any] = {
            "id": (public_id := UUID(pair.id)),
            "sentence1": UUID(pair.sentence1),
            "sentence2": UUID(pair.sentence2),
            "subset": pair.subset or "",
            "split": pair.split or "",
        }
        yield (position, keys.get(public_id), *pair._replace(**columns))


def _change(release: Release, **columns: Any) -> None:
    """Compare and set: update the row only if it has not changed since it was read."""
    as_read = Release.objects.filter(
        pk=release.pk, state=release.state, attempts=release.attempts, frozen_at=release.frozen_at
    )
    if not as_read.update(**columns):
        raise LostRelease(f"Another worker builds {release}, or it has changed.")
    for name, value in columns.items():
        setattr(release, name, value)
