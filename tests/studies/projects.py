"""A project without rows, closed, graded, or with texts as long as they may be; and its pairs."""

from datetime import timedelta

from django.db.models import Value
from django.db.models.functions import Concat, Right
from django.utils import timezone

from accounts.models import User
from annotation import models
from annotation.model_judgments import services as model_judgments
from annotation.models import Membership
from annotation.pairs.labelled_lines import ModelJudgmentLine
from annotation.projects.labels import GRADES
from annotation.quality.services import interventions, reissue
from generation.models import Candidate, Sentence
from generation.services import worker
from tests.annotation import judged, make
from tests.annotation.careless import crowd as careless_crowd
from tests.studies.people import WHY

BEFORE = (
    "In the most commercially available and consumed genres, electric guitars tend to dominate "
    "their acoustic cousins in both the recording studio and the live venue. "
)
DAY = timedelta(days=1)


def empty(study):
    new = make.study()
    Membership.objects.filter(user__in=filter(None, study.people.values())).update(project=new)
    study.arguments["project_id"] = new.public_id


def lengthen(study):
    """Sentences are as long from now on as in an encyclopedia, and names as they may be."""
    undelivered = models.Slot.objects.filter(project__translation_plan__delivered_at=None)
    for texts in (Sentence.objects, Candidate.objects, undelivered):
        texts.exclude(text="").update(text=Concat(Value(BEFORE), "text"))
    User.objects.update(username=Right(Concat(Value("W" * 150), "username"), 150))


def disputed(study):
    """Too few people agree on the pair, in two rounds; an expert has looked."""
    pair = study.project.pairs.get(public_id=study.arguments["pair_id"])
    manager, decided = study.person("manager"), models.Consensus.objects.filter(pair=pair)
    judged.decide_otherwise(decided, kept=False, tally=[3, 2])
    again = {"number": 2, "tally": [2, 3], "label": 1, "decided_at": timezone.now() - DAY}
    models.Reopening.objects.create(pair=pair, by=manager, **again)
    models.Adjudication.objects.create(pair=pair, by=manager, label=0, note="All the same.")


def careless(study):
    """Another study, in which one annotator of eight throws coins."""
    new, [first], _others = careless_crowd(people=8, careless=1, rounds=10)
    Membership.objects.filter(user=study.person("manager")).update(project=new)
    study.arguments.update(project_id=new.public_id, user_id=first.user.public_id)
    return new


def reissued(study):
    """Their answers are reserved for someone who is paused by now."""
    plan = reissue.plan(careless(study), most=1)
    reissue.carry_out(plan, study.person("manager"), anybody=True)
    interventions.pause(plan.best[0].membership, by=study.person("manager"), reason=WHY)


def with_guests(study):
    asked = study.project.pairs.filter(gold_label=None).order_by("pk")
    pairs = list(enumerate(asked.values_list("public_id", flat=True), 1))
    for name, score in (("Tiny model", None), ("Large model", 0.875)):
        lines = [ModelJudgmentLine(number, pair, number % 2, score) for number, pair in pairs]
        model_judgments.add(
            study.project, name=name, revision="2026-11", note="Zero-shot.", lines=lines
        )


def well(_study):
    worker.store_heartbeat("7c1f09aa2b31:7", "celery", ["beat", "cpu"])


def graded(study):
    study.change(scheme=GRADES)


def closed(study):
    study.change(is_open=False)


def marked(study):
    study.change(highlighting="always")


def with_reasons(study):
    """Reasons are required; one pair has a reason of the worker."""
    study.change(reasons="required")
    worker = study.place("worker")
    slot = make.claim(worker)
    reason = {"reason": "Only the order of the names differs.", "words": [(1, 0, 6), (2, 0, 6)]}
    make.submit(worker, item=slot.item.public_id, label=1, **reason)
    study.arguments["pair_id"] = slot.item.public_id


def may_say_why(study):
    study.change(reasons="optional")
