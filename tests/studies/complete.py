"""A study in which everything has happened once, for a person of each role."""

from datetime import timedelta
from typing import NamedTuple

from django.urls import get_resolver, reverse
from django.utils import timezone

from annotation import models
from annotation.comments import services as comments
from annotation.crowd import services as crowd
from annotation.models import Membership, Project
from annotation.pairs.labelled_lines import GoldPair
from annotation.people.services import invitations
from annotation.quality.services import interventions, qualification
from annotation.work import skips
from generation.models import GenerationRun
from operations.models import Delivery
from releases.models import Release
from tests.annotation import make
from tests.annotation.filled import filled, person
from tests.studies import (
    endpoints,
    evaluations,
    imports,
    people,
    projects,
    published,
    releases,
    runs,
    translations,
)
from tests.studies.people import WHY

ROLES = ["anonymous", "stranger", "annotator", "worker", "researcher", "manager", "superuser"]
ROOMS = (
    *(endpoints, evaluations, imports, people, projects, published, releases, runs),
    translations,
)
ASKED = "Is “May” the month here?"
DAY = timedelta(days=1)


# Of REST; pages about people have one named "warn".
STEPS = {
    "api_pairs_steering": "include",
    "api_project_steering": "close",
    "api_release_steering": "preview",
}


class CompleteStudy(NamedTuple):
    """The study, a person of each role, and a value for every parameter of an address."""

    project: Project
    people: dict
    arguments: dict

    def address(self, route):
        """Of a page about this study; `work/correct` is that of another kind of work than judging.

        Raises KeyError for a parameter that is new here.
        """
        name, _, kind = route.partition("/")
        step = {"step": STEPS.get(name, "warn")}
        values = step | self.arguments | {"kind": kind or "judge"}
        [(_, parameters)] = get_resolver().reverse_dict.getlist(name)[0][0][:1]
        return reverse(name, kwargs={parameter: values[parameter] for parameter in parameters})

    def person(self, role):
        return self.people[role]

    def place(self, role):
        return Membership.objects.get(project=self.project, user=self.people[role])

    def prepare(self, state):
        """Bring it into a state, which is a function of a module in this folder."""
        [action] = [action for room in ROOMS if (action := getattr(room, state, None))]
        action(self)

    def change(self, **columns):
        Project.objects.filter(pk=self.project.pk).update(**columns)


def complete_study():
    """Build it, with work left for everyone. The worker has done some already."""
    study = filled()
    project = study.project
    make.pairs(project, 3)
    make.candidates(project, [("Bo saw Ada there.", "Ada saw Bo there.")])
    by_role = {role: person(role, project) for role in ROLES}
    worker, skipping = study.judges[:2]
    by_role["worker"] = worker.user
    manager = by_role["manager"]
    tomorrow = timezone.now() + DAY
    invitation, secret = invitations.create(project, by=manager, expires_at=tomorrow, note="Autumn")
    link, link_secret = crowd.create(
        project,
        by=manager,
        platform="prolific",
        kinds=["judge"],
        most_people=20,
        expires_at=tomorrow,
        completion_code="C1ABCDEF",
    )
    qualification.add(project, [GoldPair("Ada met Bo.", "Bo met Ada.", 1, "To meet is mutual.")])
    interventions.warn(worker, by=manager, reason=WHY)
    slot = make.claim(skipping)
    skips.skip(skipping.duty("judge"), item=slot.item.public_id, reason="other", note="It is odd.")
    written = comments.note(worker, study.decided, text=f"{ASKED}\nOr is it a name?")
    comments.reply(written.thread, by=manager, text="It is the month.")
    run, release = GenerationRun.objects.earliest("pk"), Release.objects.get()
    arguments = {"project_id": project.public_id, "public_id": release.public_id}
    arguments["release_id"] = release.public_id
    arguments |= dict.fromkeys(("pair_id", "item_id"), study.decided.public_id)
    arguments |= dict.fromkeys(("person_id", "user_id"), worker.user.public_id)
    arguments |= {"run_id": run.public_id, "invitation_id": invitation.public_id, "secret": secret}
    row = imports.imported(project)
    arguments |= {"import_id": row.public_id, "corpus_id": project.corpora.earliest("pk").pk}
    arguments |= {"table": "annotators", "name": "rivers", "topic": "manager/study"}
    arguments["rest"] = "reissue/"
    arguments["action"] = "pause"
    delivery = Delivery.objects.create(
        kind="test", payload={}, target="lab", asked_at=timezone.now(), next_try_at=timezone.now()
    )
    arguments["delivery_id"] = delivery.public_id
    view = project.saved_views.create(page="pairs", name="All", created_by=worker.user)
    arguments["view_id"] = view.pk
    arguments |= {"path": "manifest.json", "uidb36": "1", "key": "set-password", "number": 1}
    term = models.Term.objects.create(project=project, source="Rome", target="Rom")
    arguments |= {"term_id": term.public_id}
    # Retired: one that is asked would stop everybody's work.
    asked = models.AnnotatorQuestion.objects.create(
        project=project,
        number=1,
        title="Dialect",
        text="Do you speak one?",
        choices=["Yes", "No"],
        retired_at=timezone.now(),
    )
    arguments |= {"question_id": asked.public_id}
    model = models.JudgingModel.objects.create(project=project, name="Large", revision="7")
    task = models.ModelTask.objects.create(
        project=project, model="local:small", identity={}, interview={}, state="paused"
    )
    arguments |= {"model_id": model.public_id, "task_id": task.public_id}
    arguments |= {"handle": "0" * 16, "thread_id": written.thread.public_id}
    arguments |= {"recruitment_id": link.public_id, "link_secret": link_secret}
    return CompleteStudy(project, by_role, arguments)
