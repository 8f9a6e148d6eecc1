"""A manager about to do something in a study, and what has to be there before."""

from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from annotation.comments import services as comments
from annotation.glossary import services as glossary
from annotation.models import (
    AnnotatorQuestion,
    Consensus,
    Membership,
    Project,
    SentencePair,
    Slot,
    Term,
)
from annotation.pairs.services import pair_exclusions
from annotation.people.services import same_person
from annotation.projects.services import lifecycle, projects
from annotation.quality.services import reissue
from annotation.work import queue
from generation.models import Corpus, GenerationRun, Method
from releases.models import Release
from releases.selectors.releases import folder_of
from releases.services import drafts, publication
from tests.annotation import judged, make, translating
from tests.annotation.careless import crowd
from tests.annotation.pages import form_at, signed_in
from tests.releases.dataset.published.sets import SICK
from tests.studies.imports import new_file
from tests.studies.releases import with_test_set

QUESTION = {"title": "Dialects", "text": "Do you speak one?", "choices": "Yes\nNo"}
TERM = {"source": "mill", "target": "Mühle"}
EVALUATION = {"experiments": "plain", "model_names": ["never"], "seeds": 1}


def published_set(**changes):
    """What is sent to make a set that others published."""
    stated = {"name": "SICK", "version": "1.0", "language": "en", "licence": "CC-BY-4.0"}
    stated |= {"citation": "Doe (2020)."}
    return stated | {"set_files": SimpleUploadedFile("SICK.txt", SICK)} | changes


class Visit:
    """The study, and its manager who is about to do something there."""

    def __init__(self, study):
        self.study, self.project, self.arguments = study, study.project, study.arguments
        self.by, self.annotator = study.person("manager"), study.person("annotator")
        self.client, self.worker = signed_in(self.by), study.place("worker")

    def at(self, **arguments):
        """The address is about these; nothing is sent."""
        self.arguments.update(arguments)
        return {}

    def form(self, route, **changes):
        return form_at(self.client, self.study.address(route), **changes)

    def place(self, role):
        return self.study.place(role)

    def chosen(self, **sent):
        rows = [self.arguments["pair_id"], self.annotator.public_id]
        return {"chosen": rows, "confirmed": "on"} | sent

    def asking(self, **sent):
        """The question is asked again."""
        AnnotatorQuestion.objects.filter(project=self.project).update(retired_at=None)
        return QUESTION | sent

    def approved_term(self):
        glossary.approve(Term.objects.get(project=self.project))
        return TERM

    def archiving(self):
        lifecycle.archive(self.project, by=self.by)
        return {}

    def emptying(self):
        empty = projects.create("Nothing yet", managers=[self.by])
        self.arguments["project_id"] = empty.public_id
        return {"name": "Nothing yet"}

    def step(self, name, before=None):
        if before:
            before(self.worker, by=None, reason="Wait.")
        return self.at(step=name) | {"reason": "You answer fast."}

    def of_draft(self, step):
        draft = drafts.create_draft(self.project, version="2.0", by=None, dev=0, test=0)
        if step == "take-back":
            drafts.request_preview(draft)
            drafts.queue_draft(draft)
        return self.at(public_id=draft.public_id, step=step)

    def of_published_set(self):
        self.client.post(reverse("create_set"), published_set())
        draft = Release.objects.latest("pk")
        return self.at(project_id=draft.project.public_id, public_id=draft.public_id)

    def run_of(self, project):
        corpus = GenerationRun.objects.latest("pk").corpus
        run = GenerationRun.objects.create(
            corpus=corpus, method=Method.WORD_SWAP, settings={}, model_identities={}, seed=0
        )
        project.runs.add(run)
        return run

    def letting_in(self):
        other = make.study()
        projects.add_member(other, self.by, role=Membership.Role.MANAGER)
        return {"run": self.run_of(other).pk}

    def of_a_run(self, **sent):
        run = self.run_of(self.project)
        return self.at(run_id=run.public_id) | sent

    def starting_a_run(self):
        corpus = self.run_of(self.project).corpus
        return self.form("new_run", corpus=corpus.pk)

    def separating(self):
        same_person.mark(self.worker.user, self.annotator, project=self.project)
        return {}

    def not_kept(self, **sent):
        decided = Consensus.objects.filter(pair__public_id=self.arguments["pair_id"])
        judged.decide_otherwise(decided, kept=False)
        make.spare(self.project)
        return {"number": Consensus.objects.filter(kept=False).count()} | sent

    def unvoted(self):
        """A pair waits for one more person, and nobody is left."""
        numbers = {"judgments_per_pair": 2, "consensus_min_votes": 2, "judgments_at_most": 3}
        Project.objects.filter(pk=self.project.pk).update(**numbers)
        project = Project.objects.get(pk=self.project.pk)
        make.pairs(project, 1)
        pair = project.pairs.latest("pk")
        for label, slot in enumerate(pair.slots.order_by("number")):
            judge = make.person(project).user
            answer = {"annotator": judge, "person": judge, "label": label}
            Slot.objects.filter(pk=slot.pk).update(submitted_at=timezone.now(), **answer)
        queue.ask_one_more(project, pair, now=timezone.now())
        project.memberships.update(paused_at=timezone.now())
        return {}

    def explained(self):
        """The next answer to a pair has a reason."""
        make.pairs(self.project, 1)
        pair = self.project.pairs.latest("pk")
        judge, slot = make.person(self.project).user, pair.slots.earliest("number")
        answer = {"annotator": judge, "person": judge, "label": 1, "text": "It rains."}
        Slot.objects.filter(pk=slot.pk).update(submitted_at=timezone.now(), **answer)
        return {"number": slot.number, **self.at(pair_id=pair.public_id)}

    def excluding(self):
        pair = SentencePair.objects.get(public_id=self.arguments["pair_id"])
        pair_exclusions.exclude(pair, by=self.by, reason="private")
        return {}

    def starting(self):
        row = new_file(self.project)
        self.at(import_id=row.public_id)
        sent = self.form("import", corpus_name="rivers", language="en", start="yes")
        return sent | row.layout | {"target": "new"}

    def corpus_of_own(self, **of):
        corpus = Corpus.objects.create(name="Own", owner=self.by)
        self.project.corpora.add(*[corpus] if of else [])
        return self.at(corpus_id=corpus.pk) | ({} if of else {"corpus": corpus.pk})

    def closing(self):
        comments.close(self.project.threads.get(), by=self.by)
        return {"step": "reopen"}

    def reissuing(self, *, carried_out=False, **sent):
        """In a study of the manager with a careless annotator."""
        project, *_ = crowd(people=8, careless=1, rounds=10)
        projects.add_member(project, self.by, role=Membership.Role.MANAGER)
        plan = reissue.plan(project)
        if carried_out:
            reissue.carry_out(plan, self.by)
        self.arguments["project_id"] = project.public_id
        return {"digest": plan.digest, "reason": "They look like guesses."} | sent

    def translating(self, *, done=False, **sent):
        """In a translation study of the manager."""
        project = translating.study(people=3, validated_share=0.0, least_validated=1)
        projects.add_member(project, self.by, role=Membership.Role.MANAGER)
        translating.translate_all(project)
        if done:
            translating.validate_all(project)
        translator = project.memberships.filter(role="annotator").first().user
        return self.at(project_id=project.public_id, user_id=translator.public_id) | sent

    def evaluating(self):
        """The release has pairs in each of its sets."""
        release = self.project.releases.get(public_id=self.arguments["public_id"])
        files = [f"labeled_final/{split}.tsv" for split in ("train", "dev", "test")]
        release.manifest = {"files": {path: {"rows": 1} for path in files}}
        release.save()
        return EVALUATION

    def bringing(self):
        """The release has files and a test set; a label for each of its pairs is sent."""
        release = with_test_set(self.study)
        release.manifest = None
        release.save()
        publication.publish(release)
        table = (folder_of(release) / "labeled_final/test.tsv").read_text()
        ids = [row.partition("\t")[0] for row in table.splitlines()[1:]]
        lines = "\n".join(["id\tlabel", *(f"{each}\t1" for each in ids)])
        return {"name": "Theirs", "split": "test", "file": ContentFile(lines, "theirs.tsv")}

    def removing_predictions(self):
        self.client.post(self.study.address("bring_predictions"), self.bringing())
        return {"name": "Theirs", "split": "test"}

    def removing_a_pair(self):
        return self.at(pair_id=self.project.qualification_pairs.get().public_id)
