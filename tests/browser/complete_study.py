"""A study in which everything has happened once, and the states in which it may be found."""

from datetime import timedelta
from typing import NamedTuple

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.cache import cache
from django.urls import get_resolver, reverse
from django.utils import timezone

from annotation import models
from annotation.crowd import services as crowd
from annotation.model_judgments import services as model_judgments
from annotation.models import Membership, Project
from annotation.pairs.labelled_lines import GoldPair, ModelJudgmentLine
from annotation.people.services import invitations, members
from annotation.quality.services import interventions, qualification
from annotation.work import skips
from generation.models import GenerationRun
from generation.services import worker
from releases import services as releases
from releases.models import Release, ReleasePreview
from tests.annotation import judged, make
from tests.annotation.filled import filled, person

ROLES = ["anonymous", "stranger", "annotator", "worker", "researcher", "manager", "superuser"]
CONSENT = "I take part *freely*."
WHY = "You answer fast. Please take your time."
PASSWORD = "quiet-orchard-lantern"
DAY = timedelta(days=1)


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
        known = self.arguments | {"kind": kind or "judge"}
        [(_, parameters)] = get_resolver().reverse_dict.getlist(name)[0][0][:1]
        return reverse(name, kwargs={each: known[each] for each in parameters})

    def person(self, role):
        return self.people[role]

    def place(self, role):
        return Membership.objects.get(project=self.project, user=self.people[role])

    def prepare(self, state):
        if state in SIMPLE_STATES:
            SIMPLE_STATES[state](self)
        else:
            getattr(self, state)()

    def _set(self, **columns):
        Project.objects.filter(pk=self.project.pk).update(**columns)

    def empty(self):
        new = make.study()
        Membership.objects.filter(user__in=filter(None, self.people.values())).update(project=new)
        self.arguments["project_id"] = new.public_id

    def disputed(self):
        """Too few people agree on the pair, in two rounds; an expert has looked."""
        pair = self.project.pairs.get(public_id=self.arguments["pair_id"])
        manager, decided = self.person("manager"), models.Consensus.objects.filter(pair=pair)
        judged.decide_otherwise(decided, kept=False, tally=[3, 2])
        again = {"number": 2, "tally": [2, 3], "label": 1, "decided_at": timezone.now() - DAY}
        models.Reopening.objects.create(pair=pair, by=manager, **again)
        models.Adjudication.objects.create(pair=pair, by=manager, label=0, note="All the same.")

    def recruited(self, **recruitment):
        """A platform has sent the worker, and the annotator."""
        models.Recruitment.objects.update(reward="3.50", currency="GBP", **recruitment)
        link = models.Recruitment.objects.get()
        for role, participant in (("worker", "5f0c9a1be2d47736"), ("annotator", "6a1d")):
            columns = {"platform": link.platform, "participant_id": participant}
            columns |= {"project": self.project, "recruitment": link}
            models.Participant.objects.update_or_create(
                membership=self.place(role), defaults=columns
            )

    def finished(self):
        self.recruited(platform="other")
        self._set(is_open=False)

    def paused(self):
        for role in ("annotator", "worker"):
            interventions.pause(self.place(role), by=self.people["manager"], reason=WHY)

    def with_consent(self):
        self._set(consent=CONSENT, consent_changed_at=timezone.now(), asks_qualification=True)

    def agreed(self):
        self.with_consent()
        members.agree(self.place("annotator"), version=members.version_of(CONSENT))

    def qualifying(self):
        self.agreed()
        qualification.begin(self.place("annotator"))

    def not_qualified(self):
        self.qualifying()
        [pair] = self.project.qualification_pairs.all()
        qualification.answer(self.place("annotator"), pair=pair.public_id, label=0)

    def with_password(self):
        self.person("annotator").set_password(PASSWORD)
        self.person("annotator").save()

    def with_second_factor(self):
        self.with_password()
        cache.clear()  # allauth keeps spent codes there by the number of the person
        TOTP.activate(self.person("annotator"), "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
        RecoveryCodes.activate(self.person("annotator"))

    def with_guests(self):
        asked = self.project.pairs.filter(gold_label=None).order_by("pk")
        found = list(enumerate(asked.values_list("public_id", flat=True), 1))
        for name, score in (("Tiny model", None), ("Large model", 0.875)):
            lines = [ModelJudgmentLine(number, pair, number % 2, score) for number, pair in found]
            model_judgments.add(
                self.project, name=name, revision="2026-11", note="Zero-shot.", lines=lines
            )

    def _draft(self, dev=0):
        """A second version, to which the addresses lead."""
        draft = releases.draft(self.project, version="1.1", dev=dev, test=0)
        self.arguments["public_id"] = draft.public_id
        return Release.objects.filter(pk=draft.pk)

    def previewed_draft(self, dev=0):
        self._draft(dev)
        assert releases.preview_next()

    def waiting_draft(self, **preview):
        self._draft()
        ReleasePreview.objects.update(asked_at=timezone.now() - DAY, **preview)

    def unfinished_release(self, **columns):
        self._draft().update(failure="OSError: No space left on device", **columns)

    def withdrawn_release(self):
        release = Release.objects.get(public_id=self.arguments["public_id"])
        releases.withdraw(release, by=self.people["manager"], reason="A source was not free.")


NOW, SOON = timezone.now(), timezone.now() + DAY
SIMPLE_STATES = {
    "graded": lambda study: study._set(max_label=3, paraphrase_from=2),
    "closed": lambda study: study._set(is_open=False),
    "marked": lambda study: study._set(highlighting="always"),
    "expired": lambda _: models.Invitation.objects.update(expires_at=NOW - DAY),
    "well": lambda _: worker.show("7c1f09aa2b31:7", "celery", ["beat", "cpu"]),
    "half_a_link": lambda study: study.arguments.update(secret="half"),
    "impossible_draft": lambda study: study.previewed_draft(dev=4000),
    "draft_being_previewed": lambda study: study.waiting_draft(
        state="under_way", step="reading", done=1200, lease_until=SOON
    ),
    "failed_preview": lambda study: study.waiting_draft(state="failed", failure="MemoryError"),
    "queued_release": lambda study: study.unfinished_release(state="queued"),
    "failed_release": lambda study: study.unfinished_release(state="failed"),
    "release_being_built": lambda study: study.unfinished_release(
        state="building", step="freezing", done=1200, total=4000, lease_until=SOON
    ),
}


def complete_study():
    """Build it, with work left for everyone. The worker has done some already."""
    study = filled()
    project = study.project
    make.pairs(project, 3)
    make.candidates(project, [("Bo saw Ada there.", "Ada saw Bo there.")])
    people = {role: person(role, project) for role in ROLES}
    worker, skipping = study.judges[:2]
    people["worker"] = worker.user
    manager = people["manager"]
    tomorrow = timezone.now() + DAY
    made, secret = invitations.create(project, by=manager, expires_at=tomorrow, note="Autumn")
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
    run, release = GenerationRun.objects.earliest("pk"), Release.objects.get()
    arguments = {"project_id": project.public_id, "public_id": release.public_id}
    arguments["release_id"] = release.public_id
    arguments |= dict.fromkeys(("pair_id", "item_id"), study.decided.public_id)
    arguments |= dict.fromkeys(("person_id", "user_id"), worker.user.public_id)
    arguments |= {"run_id": run.public_id, "invitation_id": made.public_id, "secret": secret}
    arguments |= {"table": "annotators", "name": "rivers", "step": "warn", "action": "pause"}
    arguments |= {"path": "manifest.json", "uidb36": "1", "key": "set-password", "number": 1}
    arguments |= {"handle": "0" * 16}
    arguments |= {"recruitment_id": link.public_id, "link_secret": link_secret}
    return CompleteStudy(project, people, arguments)
