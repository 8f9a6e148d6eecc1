"""Judging in the plain way of Django, the reference of the loop: row by row, by the ORM.

The same rows, rules, middleware, page part and processes; what differs is what a turn asks of the
database. Served beside the product's own addresses by `plain_settings`.
"""

import uuid
from datetime import timedelta

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import include, path
from django.utils import timezone
from django.views.decorators.cache import never_cache

from annotation.models import Consensus, Judgment, Membership, SentencePair
from annotation.projects import protocols
from annotation.projects.selectors.progress import Tally
from annotation.stats.consensus import decide
from annotation.work.forms import JudgmentForm
from annotation.work.views import answers, items


@login_required
@never_cache
@transaction.atomic
def judge(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Store the answer that came, give the next pair, and show it."""
    member = get_object_or_404(
        Membership.objects.select_related("project", "user"),
        project__public_id=project_id,
        user=request.user,
    )
    outcome = answers.Outcome()
    if request.method == "POST":
        form = JudgmentForm(request.POST)
        form.is_valid()
        outcome = _store(member, **form.cleaned_data)
    slot = _held(member) or _claimed(member)
    context = {
        "item": _item(slot.item) if slot else None,
        "tally": _tally(member),
        "answers": items.answers(member.project.max_label),
    }
    task = answers.JUDGING
    return answers.reply(request, outcome, member=member, task=task, context=context)  # type: ignore[arg-type]


def _store(member: Membership, *, item: uuid.UUID, label: int, **given: object) -> answers.Outcome:
    pair = get_object_or_404(SentencePair.objects.select_for_update(), public_id=item)
    slot = get_object_or_404(Judgment, pair=pair, annotator=member.user, label=None)
    slot.label, slot.submitted_at, slot.lease_until = label, timezone.now(), None
    slot.seconds, slot.highlighted = given["seconds"], given["highlighted"]  # type: ignore[assignment]
    slot.number = _answered(member).count() + 1
    slot.save()
    labels = [each.label for each in pair.slots.all() if each.label is not None]
    decision = decide(labels, protocols.of(member.project))
    if decision.decided:
        Consensus.objects.create(
            pair=pair, tally=list(decision.tally), label=decision.majority, kept=decision.kept
        )
    return answers.Outcome(saved=items.name_of(label, member.project.max_label))


def _held(member: Membership) -> Judgment | None:
    return _open(member).filter(annotator=member.user).first()


def _claimed(member: Membership) -> Judgment | None:
    now = timezone.now()
    own = Judgment.objects.filter(item=OuterRef("pair"), annotator=member.user)
    free = _open(member).filter(Q(annotator=None) | Q(lease_until__lt=now), ~Exists(own))
    slot = free.order_by("queue_key").select_for_update(skip_locked=True, of=("self",)).first()
    if slot:
        slot.annotator, slot.claimed_at = member.user, now
        slot.lease_until = now + timedelta(minutes=member.project.lease_minutes)
        slot.save()
    return slot


def _open(member: Membership) -> QuerySet[Judgment]:
    rows = Judgment.objects.select_related("item__sentence1__corpus", "item__sentence2")
    return rows.filter(project=member.project, label=None, queue_key__isnull=False)


def _item(pair: SentencePair) -> items.Item:
    texts = (pair.sentence1.text, pair.sentence2.text)
    texts = texts[::-1] if pair.flipped else texts
    return items.Item(pair.public_id, texts, pair.sentence1.corpus.language)


def _answered(member: Membership) -> QuerySet[Judgment]:
    return Judgment.objects.filter(
        project=member.project, annotator=member.user, label__isnull=False
    )


def _tally(member: Membership) -> Tally:
    answered, today = _answered(member), timezone.localdate()
    return Tally(answered.count(), answered.filter(submitted_at__date=today).count())


urlpatterns = [
    path("plain/<uuid:project_id>/", judge),
    path("", include("config.urls")),
]
