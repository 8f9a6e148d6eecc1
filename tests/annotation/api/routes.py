"""Every address of REST as the URL conf has it, and one of each that leads somewhere."""

from django.urls import URLResolver, get_resolver, reverse

from annotation.models import JudgingModel, ModelJudgment
from generation.models import Corpus
from releases.services import publication
from tests.annotation.filled import filled

METHODS = ("get", "head", "options", "post", "put", "patch", "delete")
NOWHERE = "nowhere"


def published_study():
    """A study with a published release, and a model that has labelled the decided pair."""
    study = filled()
    publication.publish(study.release)
    model = JudgingModel.objects.create(project=study.project, name="large-judge", revision="7")
    ModelJudgment.objects.create(model=model, pair=study.decided, label=1, score=0.75)
    return study


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
    """One of each by its name, about a published study. A new route has to be added here."""
    project = {"public_id": study.project.public_id}
    release = {"public_id": study.release.public_id}
    run = {"public_id": study.project.runs.earliest("pk").public_id}
    plain = ("projects", "releases", "corpora", "runs", "token", "schema", "docs")
    arguments = {
        **{name: {} for name in plain},
        **dict.fromkeys(("project", "pairs", "judgments", "corrections", "agreement"), project),
        **dict.fromkeys(("annotators", "models", "project_releases"), project),
        "pair": {"public_id": study.decided.public_id},
        "model_judgments": {"public_id": JudgingModel.objects.get(project=study.project).public_id},
        **dict.fromkeys(("release", "release_archive", "release_checksums"), release),
        "release_file": release | {"path": "pairs.jsonl"},
        "corpus": {"name": Corpus.objects.earliest("pk").name},
        **dict.fromkeys(("run", "candidates"), run),
        "run_steering": run | {"action": "resume"},
    }
    found = {f"api_{name}": reverse(f"api_{name}", kwargs=of) for name, of in arguments.items()}
    return found | {NOWHERE: "/api/nothing/like/this/"}
