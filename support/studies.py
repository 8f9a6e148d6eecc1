"""Studies in which everything has happened, and the addresses of REST that lead to one of them."""

import tempfile
from datetime import timedelta
from io import StringIO
from typing import Any

from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.agreement import services as agreement
from annotation.comments import services as comments
from annotation.crowd import services as crowd
from annotation.model_judgments import services as model_judgments
from annotation.models import (
    JudgingModel,
    Judgment,
    Membership,
    ModelTask,
    Project,
    Role,
    SentencePair,
    Term,
)
from annotation.pairs.labelled_lines import GoldPair, ModelJudgmentLine
from annotation.pairs.services import pair_exclusions
from annotation.projects.services import projects
from annotation.quality.services import gold_pairs, interventions
from annotation.work import answers, order, simulation, skips
from annotation.work.correct import ANYWAY
from generation.models import Corpus
from releases.models import Example, Release
from releases.services import publication
from releases.services.frozen import freeze_draft, propose_release
from releases.translations import services as translations

HEADER = "sentence1\tsentence2\tmethod\n"
SWAPPED = "Ada met Bo.\tBo met Ada.\tword_swap\n"
REWRITTEN = "It rained in May.\tIn May it rained.\tback_translation\n"
OPEN = "Bo saw Ada there.\tAda saw Bo there.\tback_translation\n"


def freeze_version(project: Project, *, version: str, **choices: Any) -> Release:
    """Create a version and freeze it, without files and a worker."""
    release = propose_release(project, version=version, **choices)
    freeze_draft(release)
    return release


def publish_study() -> Project:
    """A study with decided pairs, an open one, a published release and labels of a model."""
    project = projects.create("Published")
    import_pairs(project, SWAPPED + REWRITTEN)
    for _ in simulation.work(simulation.crowd(project, size=6, accuracy=0.95, seed=1)):
        pass
    publication.publish(freeze_version(project, version="1.0", dev=0, test=0))
    lines = [ModelJudgmentLine(1, project.pairs.earliest("pk").public_id, 1, 0.75)]
    model_judgments.add(project, name="large-judge", revision="7", lines=lines)
    judged = Judgment.objects.filter(project=project).order_by("pk")[:1].get()
    author = project.memberships.get(user=judged.annotator)
    comments.note(author, judged.item, text="Is “May” the month here?")
    recruit(project, by=author.user)
    add_term(project)
    import_pairs(project, OPEN)
    return project


def recruit(project: Project, *, by: User) -> None:
    """Create a recruiting link."""
    expires_at = timezone.now() + timedelta(days=7)
    offer: dict[str, Any] = {"platform": "prolific", "kinds": ["judge"], "most_people": 5}
    crowd.create(project, by=by, completion_code="C1", expires_at=expires_at, **offer)


def add_term(project: Project) -> None:
    """Put a term into the glossary."""
    Term.objects.create(project=project, source="Rome", target="Rom", approved_at=timezone.now())


def addresses(project: Project) -> dict[str, str]:
    """One address of each route by its name, about a published study.

    A new route has to be added here.
    """
    project_arguments = {"public_id": project.public_id}
    release = {"public_id": Release.objects.filter(project=project).earliest("pk").public_id}
    run = {"public_id": project.runs.earliest("pk").public_id}
    link = project.recruitments.earliest("pk")
    model = JudgingModel.objects.get(project=project).public_id
    task = ModelTask.objects.get_or_create(
        project=project, model="local:small", identity={}, interview={}, state="paused"
    )[0].public_id
    corpus = {"name": Corpus.objects.earliest("pk").name}
    example = Example.objects.filter(release__public_id=release["public_id"]).earliest("position")
    release_arguments = {"release_id": release["public_id"]}
    decided_pair = project.pairs.filter(consensus__isnull=False).earliest("pk")
    plain_routes = ("projects", "releases", "corpora", "runs", "endpoints", "schema", "docs")
    arguments: dict[str, dict[str, Any]] = {
        **{name: {} for name in plain_routes},
        **dict.fromkeys(("project", "pairs", "judgments", "corrections"), project_arguments),
        **dict.fromkeys(("comments", "terms"), project_arguments),
        "term": project_arguments | {"term_id": Term.objects.get(project=project).public_id},
        **dict.fromkeys(
            ("agreement", "annotators", "models", "project_releases"), project_arguments
        ),
        **dict.fromkeys(("comparisons", "settings"), project_arguments),
        **dict.fromkeys(("gold_pairs", "qualification"), project_arguments),
        "pairs_steering": project_arguments | {"step": "exclude"},
        "simulated_work": project_arguments | {"number": 1, "kind": "judge"},
        "project_steering": project_arguments | {"step": "open"},
        "questions": project_arguments,
        "translations": project_arguments,
        "delivery": project_arguments,
        "imports": project_arguments,
        "generators": project_arguments,
        "acceptance": project_arguments,
        **dict.fromkeys(("agreement", "annotators", "invitations", "models"), project_arguments),
        "recruiting": project_arguments,
        "revoke_recruitment": project_arguments | {"recruitment_id": link.public_id},
        "project_releases": project_arguments,
        "pair": {"public_id": decided_pair.public_id},
        "model_judgments": {"public_id": model},
        "model_tasks": project_arguments,
        "model_task": {"public_id": task},
        "model_task_steering": {"public_id": task, "step": "pause"},
        "alternative": project_arguments | {"model_id": model},
        **dict.fromkeys(("release", "release_archive", "release_checksums"), release),
        "release_evaluation": release,
        "release_steering": release | {"step": "build"},
        "examples": release_arguments,
        "example": release_arguments | {"public_id": example.public_id},
        "release_file": release | {"path": "pairs.jsonl"},
        **dict.fromkeys(("corpus", "sentences", "flashcards"), corpus),
        **dict.fromkeys(("run", "candidates"), run),
        "run_steering": run | {"action": "resume"},
    }
    return {
        f"api_{name}": reverse(f"api_{name}", kwargs=values) for name, values in arguments.items()
    }


def person(role: str, project: Project) -> User:
    """A person with this role in the project, or without any."""
    user, _ = User.objects.get_or_create(username=role)
    if role in Role.values:
        projects.add_member(project, user, role=Role(role))
    return user


def import_pairs(project: Project, lines: str) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
        file.write(HEADER + lines)
        file.flush()
        call_command("import_pairs", file.name, project=project.name, stdout=StringIO())


CORRECTED = {
    "The cat saw the dog.\tThe dog saw the cat.": {"action": "accept"},
    "Rome is older than Bonn.\tBonn is older than Rome.": {"action": ANYWAY, "text": "=Bonn, Rome"},
    "Ada wrote to Bo.\tTo Bo Ada.": {"action": "reject"},
}
REWRITES = ["Hail fell in May.\tIn May hail fell.", "Rain is wet.\tWet is rain."]
WHY = "For a test."


def fill_study() -> Project:
    """The published study with corrections, exclusions, gold pairs and work in progress.

    A second method has made the accepted rewrite too. One candidate waits.
    """
    project = publish_study()
    users = {role: person(role, project) for role in ("annotator", "researcher", "manager")}
    annotator = project.memberships.get(user=users["annotator"])
    for texts, correction in CORRECTED.items():
        import_pairs(project, f"{texts}\tword_swap\n")
        _answer(annotator, "correct", correction)
    [accepted, *_] = CORRECTED
    import_pairs(project, f"{accepted}\tback_translation\n")
    import_pairs(project, "The sun rose late.\tLate rose the sun.\tword_swap\n")
    import_pairs(project, "".join(f"{texts}\tback_translation\n" for texts in REWRITES))
    gold_pairs.add(project, [GoldPair("It is cold.", "It is hot.", 0)], by=users["manager"])
    _let_simulated_people_judge(project)
    _intervene(project, by=users["manager"])
    import_pairs(project, "Snow fell in May.\tIn May snow fell.\tback_translation\n")
    _skip_item(annotator)
    return project


def translate_study(project: Project) -> Project:
    """A study that translates a pair of the filled study."""
    release = freeze_version(project, version="2.0", dev=0, test=1)
    study = translations.create(release, name="Translated", language="de", validated_share=0.5)
    for role in ("researcher", "manager"):
        person(role, study)
    people = simulation.crowd(study, size=3, accuracy=0.5, seed=1)
    for _ in simulation.answers_of(people, "translate"):
        pass
    return study


def _answer(member: Membership, kind: str, answer: dict[str, Any]) -> None:
    """Answer the next item, and claim no further one."""
    duty = member.duty(kind)
    slot = answers.claim(duty)
    assert slot is not None
    answers.submit(duty, item=slot.item.public_id, seconds=0.001, **answer)


def _let_simulated_people_judge(project: Project) -> None:
    people = simulation.crowd(project, size=6, accuracy=0.9, seed=2)
    for _ in simulation.answers_of(people, "judge"):
        pass


def _intervene(project: Project, *, by: User) -> None:
    pairs = SentencePair.objects.filter(project=project, gold_label=None).order_by("pk")
    decided = [pair.public_id for pair in pairs.filter(consensus__isnull=False)]
    pair_exclusions.exclude(pairs.get(public_id=decided[0]), by=by, reason="offensive")
    agreement.reopen(project, decided[1:2], by=by, kept=True)
    order.prioritize(project, decided[1:2], 1, by=by)
    judge = project.memberships.filter(user__is_simulated=True).earliest("pk")
    interventions.exclude(judge, by=by, reason=WHY)


def _skip_item(member: Membership) -> None:
    duty = member.duty("judge")
    slot = answers.claim(duty)
    assert slot is not None
    skips.skip(duty, item=slot.item.public_id, reason="other", note=WHY)
    answers.claim(duty)  # stays in progress
