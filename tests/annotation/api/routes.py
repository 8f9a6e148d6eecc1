"""Every address of REST as the URL conf has it, and one of each that leads somewhere."""

from django.urls import URLResolver, get_resolver, reverse

from annotation.models import Guest, GuestJudgment
from annotation.services.releases import publishing
from generation.models import Corpus

METHODS = ("get", "head", "options", "post", "put", "patch", "delete")
NOWHERE = "nowhere"


def routes():
    """The view of each route by its name; what catches all other addresses has no name."""
    [api] = [each for each in get_resolver().url_patterns if str(each.pattern) == "api/"]
    patterns = _patterns(api)
    return {each.name or NOWHERE: getattr(each.callback, "cls", None) for each in patterns}


def _patterns(resolver):
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from _patterns(entry)
        else:
            yield entry


def addresses(study):
    """One of each by its name, about the rows of a study. A new route has to be added here."""
    guest = Guest.objects.filter(project=study.project).first()
    if guest is None:
        publishing.publish(study.release)  # with the archive
        guest = Guest.objects.create(project=study.project, name="A model")
        GuestJudgment.objects.create(guest=guest, pair=study.decided, label=1)
    project = {"public_id": study.project.public_id}
    release = {"public_id": study.release.public_id}
    run = {"public_id": study.project.runs.earliest("pk").public_id}
    of_project = ("", "pairs", "judgments", "corrections", "agreement", "annotators", "guests")
    arguments = {f"api_{name}" if name else "api_project": project for name in of_project} | {
        "api_projects": {},
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
