"""Annotators of a study: paused, recruited, asked for consent, in the set of pairs."""

from datetime import timedelta

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.cache import cache
from django.utils import timezone

from annotation import models
from annotation.people.services import members
from annotation.quality.services import interventions, qualification
from annotation.questions import ready, selectors
from annotation.questions import services as questions

CONSENT = "I take part *freely*."
PASSWORD = "quiet-orchard-lantern"
WHY = "You answer fast. Please take your time."


def with_password(study):
    study.person("annotator").set_password(PASSWORD)
    study.person("annotator").save()


def with_second_factor(study):
    with_password(study)
    cache.clear()  # allauth keeps spent codes there by the number of the person
    TOTP.activate(study.person("annotator"), "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(study.person("annotator"))


def with_consent(study):
    study.change(consent=CONSENT, consent_changed_at=timezone.now(), asks_qualification=True)


def agreed(study):
    with_consent(study)
    members.agree(study.place("annotator"), version=members.version_of(CONSENT))


def qualifying(study):
    agreed(study)
    qualification.begin(study.place("annotator"))


def not_qualified(study):
    qualifying(study)
    [pair] = study.project.qualification_pairs.all()
    qualification.answer(study.place("annotator"), pair=pair.public_id, label=0)


def recruited(study, **recruitment):
    """A platform has sent the worker, and the annotator."""
    models.Recruitment.objects.update(reward="3.50", currency="GBP", **recruitment)
    link = models.Recruitment.objects.get()
    for role, participant in (("worker", "5f0c9a1be2d47736"), ("annotator", "6a1d")):
        columns = {"platform": link.platform, "participant_id": participant}
        columns |= {"project": study.project, "recruitment": link}
        models.Participant.objects.update_or_create(membership=study.place(role), defaults=columns)


def asked(study):
    questions.add_ready(study.project, ready.READY, by=None)


def replied(study):
    """Everybody has the first of all choices, and lets it be published."""
    asked(study)
    for member in study.project.memberships.all():
        version = selectors.version_of(selectors.to_answer(member))
        replies = dict.fromkeys((question.pk for question in selectors.to_answer(member)), 0)
        questions.reply(member, replies, publishes=True, version=version)


def finished(study):
    recruited(study, platform="other")
    study.change(is_open=False)


def paused(study):
    for role in ("annotator", "worker"):
        interventions.pause(study.place(role), by=study.people["manager"], reason=WHY)


def expired(_study):
    models.Invitation.objects.update(expires_at=timezone.now() - timedelta(days=1))


def half_a_link(study):
    study.arguments["secret"] = "half"
