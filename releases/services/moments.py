"""What is known when a release is planned, and is in no row of its files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings as installation
from django.utils import timezone

from accounts.models import User
from generation.models import GenerationRun
from releases.dataset import citations
from releases.dataset.files import LineFile
from releases.dataset.metadata import Metadata
from releases.models import Release
from releases.selectors.releases import name_of


@dataclass(frozen=True, slots=True)
class Moment:
    """The time of planning, and data from that time that is not in the rows of the release.

    `lines` are the rows of files that are frozen as lines; they name people by keys as text.
    """

    at: datetime
    judges: list[User]
    facts: dict[str, Any]
    lines: Mapping[LineFile[Any], Sequence[Any]] = field(default_factory=dict)


def declared_facts(release: Release) -> dict[str, Any]:
    metadata = Metadata.from_dict(release.metadata)
    complete = citations.complete_metadata(
        metadata,
        key=name_of(release),
        name=release.project.name,
        version=release.version,
        year=timezone.now().year,
        software=installation.VERSION,
    )
    return {"citation": complete.bibtex} | ({"metadata": complete.to_dict()} if metadata else {})


def model_identities(runs: list[GenerationRun]) -> list[dict[str, str]]:
    models = [
        {
            "method": run.method,
            "part": part,
            # In the order in which Postgres stores keys, so that both engines write the same.
            **dict(sorted(identity.items(), key=lambda item: (len(item[0]), item[0]))),
            "seed": str(run.seed),
            "settings": json.dumps(run.settings, sort_keys=True),
        }
        for run in runs
        for part, identity in sorted(run.model_identities.items())
    ]
    return [model for number, model in enumerate(models) if model not in models[:number]]
