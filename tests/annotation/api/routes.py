"""Every address of REST as the URL conf has it, and one of each that leads somewhere."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import Guest, GuestJudgment
from annotation.services.releases import publishing
from generation.models import Corpus
from tests.annotation.filled import Filled

METHODS = ("get", "head", "options", "post", "put", "patch", "delete")
NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class Route:
    """An address and the view that answers it."""

    name: str
    view: type | None


def routes() -> list[Route]:
    """Those of everything under /api/; what catches the rest has no name of its own."""
    [api] = [each for each in get_resolver().url_patterns if str(each.pattern) == "api/"]
    assert isinstance(api, URLResolver)
    return [
        Route(pattern.name or NOWHERE, getattr(pattern.callback, "cls", None))
        for pattern in _patterns(api)
    ]


def _patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from _patterns(entry)
        else:
            yield entry


def addresses(study: Filled) -> dict[str, str]:
    """One of each by its name, about the rows of a study. A new route has to be added here."""
    publishing.publish(study.release)  # with the archive
    guest, _ = Guest.objects.get_or_create(project=study.project, name="A model")
    GuestJudgment.objects.get_or_create(guest=guest, pair=study.decided, defaults={"label": 1})
    project: dict[str, object] = {"public_id": study.project.public_id}
    release: dict[str, object] = {"public_id": study.release.public_id}
    run: dict[str, object] = {"public_id": study.project.runs.earliest("pk").public_id}
    arguments: dict[str, dict[str, object]] = {
        "api_projects": {},
        "api_project": project,
        "api_pairs": project,
        "api_judgments": project,
        "api_corrections": project,
        "api_agreement": project,
        "api_annotators": project,
        "api_guests": project,
        "api_project_releases": project,
        "api_pair": {"public_id": study.decided.public_id},
        "api_guest": {"public_id": guest.public_id},
        "api_releases": {},
        "api_release": release,
        "api_release_archive": release,
        "api_release_checksums": release,
        "api_release_file": release | {"path": "pairs.jsonl"},
        "api_corpora": {},
        "api_corpus": {"name": Corpus.objects.earliest("pk").name},
        "api_runs": {},
        "api_run": run,
        "api_candidates": run,
        "api_run_steering": run | {"action": "resume"},
        "api_token": {},
        "api_schema": {},
        "api_docs": {},
    }
    found = {name: reverse(name, kwargs=values) for name, values in arguments.items()}
    return found | {NOWHERE: "/api/nothing/like/this/"}
