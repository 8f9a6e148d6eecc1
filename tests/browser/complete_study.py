"""A study in which everything has happened once, and the states in which it may be found."""

import json
from datetime import timedelta
from typing import NamedTuple
from unittest import mock

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.cache import cache
from django.db.models import Value
from django.db.models.functions import Concat, Right
from django.urls import get_resolver, reverse
from django.utils import timezone

from accounts.models import User
from annotation import models
from annotation.comments import services as comments
from annotation.crowd import services as crowd
from annotation.imports.services import uploads, work
from annotation.model_judgments import services as model_judgments
from annotation.models import Membership, Project
from annotation.pairs.labelled_lines import GoldPair, ModelJudgmentLine
from annotation.people.services import invitations, members
from annotation.projects.services import projects
from annotation.quality.services import interventions, qualification, reissue
from annotation.translations.services import delivery
from annotation.work import skips
from common import leases
from evaluation import board
from evaluation import results as evaluations
from evaluation.models import Evaluation
from evaluation.selectors import companion_of, identity_of
from generation import methods
from generation.models import Batch, Candidate, Corpus, GenerationRun, Sentence
from generation.services import worker
from releases import services as releases
from releases.models import Comparison, HubUpload, Release, ReleasePreview
from releases.selectors.releases import folder_of
from tests.annotation import careless, judged, make, translating
from tests.annotation.filled import filled, person

ROLES = ["anonymous", "stranger", "annotator", "worker", "researcher", "manager", "superuser"]
BEFORE = (
    "In the most commercially available and consumed genres, electric guitars tend to dominate "
    "their acoustic cousins in both the recording studio and the live venue. "
)
CONSENT = "I take part *freely*."
ASKED = "Is “May” the month here?"
WHY = "You answer fast. Please take your time."
PASSWORD = "quiet-orchard-lantern"
DAY = timedelta(days=1)


SPAN = {"mean": 0.75, "low": 0.7, "high": 0.8}
SPANS = dict.fromkeys(board.SHOWN, SPAN)
POINT = {"average_precision": SPAN, "seeds": [{"average_precision": 0.75}] * 3}
POINTS = [{"pairs": pairs, **POINT} for pairs in (120, 240)]
MEASURE = {"value": 20.0, "low": 10.0, "high": 30.0}
SCORER = {"scorer": "order", "groups": 9, "is_model": False, "unscored": 1, "undefined": 0}
ALL = {"pairs": 60, "accuracy": 0.75}
GROUPS = {"method": {"word_swap": ALL}, "kind": {"noun": ALL, "not_the_same_words": ALL}}
# Of evaluations, by their experiment.
FIGURES = {
    "plain": {
        "sets": {split: {"pairs": 60, "paraphrases": 30} for split in ("train", "dev", "test")},
        "models": [
            {
                "model": "bow",
                "data": "train",
                "parameters": 7,
                "test": SPANS,
                "dev": SPANS,
                "groups": GROUPS,
            }
        ],
    },
    "curve": {
        "sets": {"test": {"pairs": 60, "paraphrases": 30}},
        "models": [{"model": "bow", "points": POINTS}],
    },
    "ranking": {
        "counts": {"pairs": 30, "groups": 9},
        "scorers": [SCORER | {"r_precision": MEASURE, "spearman": MEASURE}],
    },
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

    def lengthen(self):
        """Sentences are as long from now on as in an encyclopedia, and names as they may be."""
        undelivered = models.Slot.objects.filter(project__translation_plan__delivered_at=None)
        for texts in (Sentence.objects, Candidate.objects, undelivered):
            texts.exclude(text="").update(text=Concat(Value(BEFORE), "text"))
        User.objects.update(username=Right(Concat(Value("W" * 150), "username"), 150))

    def translating(self):
        """Another study, in which the worker has translated a sentence; there is a glossary."""
        new = translating.study(people=1, validated_share=1.0)
        places = Membership.objects.filter(user__in=filter(None, self.people.values()))
        places.update(project=new)
        for role in ("annotator", "worker"):
            projects.allow(new.memberships.get(user=self.people[role]), new.kinds)
        translating.translate_next(new.memberships.get(user=self.people["worker"]))
        approved = {"project": new, "approved_at": timezone.now()}
        term = models.Term.objects.create(source="mill", target="Mühle", **approved)
        models.Term.objects.create(project=new, source="Rome", target="Rom", note="The city.")
        self.arguments.update(project_id=new.public_id, term_id=term.public_id)

    def disputed(self):
        """Too few people agree on the pair, in two rounds; an expert has looked."""
        pair = self.project.pairs.get(public_id=self.arguments["pair_id"])
        manager, decided = self.person("manager"), models.Consensus.objects.filter(pair=pair)
        judged.decide_otherwise(decided, kept=False, tally=[3, 2])
        again = {"number": 2, "tally": [2, 3], "label": 1, "decided_at": timezone.now() - DAY}
        models.Reopening.objects.create(pair=pair, by=manager, **again)
        models.Adjudication.objects.create(pair=pair, by=manager, label=0, note="All the same.")

    def careless(self):
        """Another study, in which one annotator of eight throws coins."""
        new, *_ = careless.crowd(people=8, careless=1, rounds=10)
        Membership.objects.filter(user=self.person("manager")).update(project=new)
        self.arguments["project_id"] = new.public_id
        return new

    def reissued(self):
        """Their answers are reserved for someone who is paused by now."""
        plan = reissue.plan(self.careless(), most=1)
        reissue.carry_out(plan, self.person("manager"), anybody=True)
        interventions.pause(plan.best[0].membership, by=self.person("manager"), reason=WHY)

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

    def _import(self, **columns):
        models.Import.objects.filter(public_id=self.arguments["import_id"]).update(**columns)

    def draft_import(self):
        self.arguments["import_id"] = uploaded(self.project).public_id

    def _run(self, *done, **columns):
        """A run of one batch for each state, to which the addresses lead."""
        corpus = Corpus.objects.earliest("pk")
        settings = {"settings": methods.named("word_swap").configure({}), "model_identities": {}}
        key = Sentence.objects.filter(corpus=corpus, candidate=None).earliest("pk").pk
        covered = {"last_sentence": key, "seed": 0}
        run = GenerationRun.objects.create(
            corpus=corpus, method="word_swap", **covered, **settings, **columns
        )
        self.project.runs.add(run)
        for number, state in enumerate(done, 1):
            Batch.objects.create(
                run=run,
                number=number,
                first_sentence=key,
                last_sentence=key,
                size=1,
                state=state,
                error="MissingModel" if state == "parked" else "",
                finished_at=NOW if state == "done" else None,
                outcomes={"too_short": 1} if state == "done" else {},
                reasons={str(key): "too_short"} if state == "done" else {},
            )
        self.arguments["run_id"] = run.public_id
        return run

    def preview_without_worker(self):
        self._run("open", "open", preview=True)

    def parked_run(self):
        self._run("done", "parked", state="paused")

    def finished_preview(self):
        run = self._run("done", "open", preview=True)
        batch = run.batches.get(number=1)
        Batch.objects.filter(pk=batch.pk).update(reasons={}, outcomes={"accepted": 1})
        Candidate.objects.create(
            run=run,
            batch=batch,
            sentence_id=batch.first_sentence,
            text="Bo met Ada.",
            kind="name",
            score=-3,
            source_score=-2,
            probability=0.8,
            similarity=1,
            inversion_rate=0.5,
        )

    def finished_run(self):
        self.finished_preview()
        runs = GenerationRun.objects.filter(public_id=self.arguments["run_id"])
        runs.update(preview=False, state="done", finished_at=NOW)

    def upload(self, **columns):
        asked = {"repository": "my-lab/pairs", "is_private": True, "asked_at": timezone.now()}
        release = Release.objects.get(public_id=self.arguments["public_id"])
        HubUpload.objects.create(
            release=release, asked_by=self.people["manager"], **asked | columns
        )

    def evaluated(self, state="done", **columns):
        """All experiments are done, and asked for again if the state is another one."""
        release = Release.objects.get(public_id=self.arguments["public_id"])
        for split in ("train", "dev", "test"):
            release.manifest["files"][f"labeled_final/{split}.tsv"] = {"rows": 60}
        release.save()
        for experiment, figures in FIGURES.items():
            results = {"seeds": [0], "figures": figures}
            Evaluation.objects.create(
                release=release,
                experiment=experiment,
                names=["bow"],
                state=state,
                asked_at=timezone.now(),
                asked_by=self.people["manager"],
                results=results,
                finished_at=timezone.now(),
                **columns,
            )
        self._bring(release)

    def _bring(self, release):
        folder, measured = companion_of(release), dict.fromkeys(board.SHOWN, 0.8)
        entry = {split: {"figures": measured, "groups": GROUPS} for split in ("test", "dev")}
        content = evaluations.read(folder, identity_of(release)) | {"brought": {"Theirs": entry}}
        folder.mkdir(parents=True)
        (folder / evaluations.EVALUATION).write_text(json.dumps(content))
        file = folder / board.brought_path("Theirs", "test")
        file.parent.mkdir(parents=True)
        file.write_text("id\tscore\n")

    def evaluation_waiting(self):
        self.evaluated("waiting", failure="The disk is full.")

    def evaluation_under_way(self):
        begun = timezone.now() - timedelta(minutes=10)
        self.evaluated("under_way", done=150, total=900, started_at=begun)

    def evaluation_failed(self):
        self.evaluated("failed", failure="The train set has only paraphrases.")

    def evaluation_cancelled(self):
        self.evaluated("cancelled")

    def compared(self, sample=10):
        """The study is compared with its own release, whose judged pairs are its test set."""
        release = self.with_test_set()
        Comparison.objects.create(
            project=self.project, release=release, sample=sample, taught=3, seed=0
        )

    def with_test_set(self):
        release = Release.objects.get(public_id=self.arguments["public_id"])
        release.examples.filter(origin="judged").update(subset="labeled_final", split="test")
        return release

    def translated(self, *, delivered=False):
        """Another study, in which people translate; with everything that its pages show."""
        new = translating.study(translating.pairs(3), people=3, validated_share=0.4)
        members = translating.people(new)
        translating.translate_all(new, giving_up=new.items.first(), text="Ada und Bo sahen Hunde.")
        new.translation_plan.widened.add(members[0].user)
        if delivered:
            translating.validate_all(new)
            delivery.deliver(new)
        elif translating.turn(members[1], "validate").shown:
            translating.validate_next(members[1], "fix", "Bo und Ada sahen den Hund.")
        self._manage(new, user_id=members[0].user.public_id)

    def translated_release(self):
        """A release of another study, which was translated; a sentence was given up."""
        new = translating.of_release(TRANSLATED, people=3, validated_share=0.3)
        source = new.translation_source.release
        releases.write(source, folder_of(source))
        translating.translate_all(new, giving_up=new.items.first())
        translating.validate_next(translating.people(new)[0], "fix", "Bo und Ada sahen den Hund.")
        release = releases.freeze(new, version="1.0", accepts_errors=True)
        releases.write(release, folder_of(release))
        self._manage(new, public_id=release.public_id, release_id=release.public_id)

    def _manage(self, project, **arguments):
        """The addresses lead to another study, of the same manager."""
        Membership.objects.filter(user=self.person("manager")).update(project=project)
        self.arguments.update(project_id=project.public_id, **arguments)

    def withdrawn_release(self):
        release = Release.objects.get(public_id=self.arguments["public_id"])
        releases.withdraw(release, by=self.people["manager"], reason="A source was not free.")


TRANSLATED = [*translating.PAIRS, ("Snow fell on the hills.", "On the hills fell snow.")]
NOW, SOON = timezone.now(), timezone.now() + DAY
SIMPLE_STATES = {
    "graded": lambda study: study._set(max_label=3, paraphrase_from=2),
    "not_compared_yet": lambda study: study.compared(sample=0),
    "delivered": lambda study: study.translated(delivered=True),
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
    "queued_import": lambda study: study._import(state="queued"),
    "failed_import": lambda study: study._import(state="failed", failure="No space left"),
    "cancelled_import": lambda study: study._import(state="cancelled"),
    "import_under_way": lambda study: study._import(
        state="running", done=1200, total=4000, started_at=NOW - DAY, lease_until=SOON
    ),
    "upload_waiting": lambda study: study.upload(state="waiting"),
    "upload_under_way": lambda study: study.upload(
        state="under_way", step="uploading", done=120, total=4000, lease_until=SOON
    ),
    "upload_failed": lambda study: study.upload(state="failed", failure="The Hub refused this."),
    "uploaded": lambda study: study.upload(
        state="done", url="https://huggingface.co/datasets/my-lab/pairs", uploaded_at=NOW
    ),
    "release_being_built": lambda study: study.unfinished_release(
        state="building", step="freezing", done=1200, total=4000, lease_until=SOON
    ),
}


LINES = b"id,text\n1,The river flows to the sea.\n1,It rains.\n2\n"


def uploaded(project):
    """A file of sentences that is not imported yet."""
    file = {"name": "rivers.csv", "size": len(LINES), "chunks": [LINES]}
    row = uploads.create(project, kind="sentences", **file, by=None)
    with mock.patch.object(leases, "BEAT_SECONDS", 600.0):  # no thread beside the transaction
        assert work.import_next()
    row.refresh_from_db()
    return row


def imported(project):
    """An import of which one sentence was added, and two lines were refused."""
    row, corpus = uploaded(project), project.corpora.earliest("pk")
    uploads.start(row, columns=row.columns, options={}, corpus=corpus, by=None)
    with mock.patch.object(leases, "BEAT_SECONDS", 600.0):  # no thread beside the transaction
        assert work.import_next()
    return row


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
    written = comments.note(worker, study.decided, text=f"{ASKED}\nOr is it a name?")
    comments.reply(written.thread, by=manager, text="It is the month.")
    run, release = GenerationRun.objects.earliest("pk"), Release.objects.get()
    arguments = {"project_id": project.public_id, "public_id": release.public_id}
    arguments["release_id"] = release.public_id
    arguments |= dict.fromkeys(("pair_id", "item_id"), study.decided.public_id)
    arguments |= dict.fromkeys(("person_id", "user_id"), worker.user.public_id)
    arguments |= {"run_id": run.public_id, "invitation_id": made.public_id, "secret": secret}
    row = imported(project)
    arguments |= {"import_id": row.public_id, "corpus_id": project.corpora.earliest("pk").pk}
    arguments |= {
        "table": "annotators",
        "name": "rivers",
        "topic": "manager/study",
        "step": "warn",
        "action": "pause",
    }
    arguments |= {"path": "manifest.json", "uidb36": "1", "key": "set-password", "number": 1}
    term = models.Term.objects.create(project=project, source="Rome", target="Rom")
    arguments |= {"term_id": term.public_id}
    arguments |= {"handle": "0" * 16, "thread_id": written.thread.public_id}
    arguments |= {"recruitment_id": link.public_id, "link_secret": link_secret}
    return CompleteStudy(project, people, arguments)
