"""Whatever a manager changes in a project is on its record, in the same transaction."""

import copy
import re

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import URLResolver
from django.utils import timezone

from accounts import audit
from accounts.acts import Act
from accounts.models import AuditEntry
from annotation import urls
from annotation.guest_lines import GuestLine
from annotation.models import Consensus, Membership, QualificationAttempt, SentencePair
from annotation.services import guests, interventions, projects, releases, same_person
from generation.models import GenerationRun, Method
from tests.annotation import cast, judged
from tests.annotation.views.pages import form_at, signed_in, undone
from tests.browser.complete_study import complete_study

pytestmark = pytest.mark.django_db
PAIR = "sentence1\tsentence2\tlabel\nAda met Bo in May.\tBo met Ada in May.\t1\n"
# Of people who answer: what they send is rows of their own, and no act of a manager.
ANSWERING = {
    *("judge", "undo_judgment", "skip_judgment", "correct", "undo_correction", "skip_correction"),
    *("welcome", "begin", "qualify", "begin_attempt", "join", "notices"),
}
SHOWING = {"preview", "check_protocol"}  # show what is sent to them
WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE)(?: OR IGNORE)?(?: INTO| FROM)? \"?(\w+)")
# Written with any request, and the record itself.
BESIDES = {"django_session", "django_admin_log", "accounts_auditentry"}


class Visit:
    """The study, and its manager who is about to do something there."""

    def __init__(self, study):
        self.study, self.project = copy.deepcopy(study), study.project
        self.by = self.study.person("manager")
        self.client = signed_in(self.by)
        self.pair = study.arguments["pair_id"]
        self.worker = Membership.objects.get(
            project=self.project, user__public_id=study.arguments["user_id"]
        )


def sending(**sent):
    return lambda visit: sent


def shown(route, **changes):
    return lambda visit: form_at(visit.client, visit.study.address(route), **changes)


def work_step(name, before=lambda member: None):
    def prepare(visit):
        before(visit.worker)
        visit.study.arguments["step"] = name
        return {"reason": "You answer fast."}

    return prepare


def paused(member):
    interventions.pause(member, by=None, reason="Wait.")


def held_out(member):
    interventions.hold_out(member, by=None, reason="Wait.")


def release_step(name, before=lambda draft: None):
    def prepare(visit):
        draft = releases.draft(visit.project, version="2.0", by=None, dev=0, test=0)
        before(draft)
        visit.study.arguments.update(public_id=draft.public_id, step=name)
        return {}

    return prepare


def queued(draft):
    releases.look(draft)
    releases.queue(draft)


def redrafting(visit):
    release_step("")(visit)
    return shown("edit_release", version="4.0")(visit)


def not_kept(visit, **sent):
    judged.decide_otherwise(Consensus.objects.filter(pair__public_id=visit.pair), kept=False)
    return {"number": Consensus.objects.filter(kept=False).count()} | sent


def other_account(visit):
    return {"other": visit.study.person("annotator").public_id}


def separating(visit):
    same_person.mark(visit.worker.user, visit.study.person("annotator"))
    return {}


def putting_back(visit):
    pair = SentencePair.objects.filter(project=visit.project, consensus=None).first()
    SentencePair.objects.filter(pk=pair.pk).update(set_aside_at=timezone.now())
    return {"kind": "pair", "item": pair.public_id}


def granting(visit):
    QualificationAttempt.objects.create(
        membership=visit.worker, number=1, passed=False, finished_at=timezone.now()
    )
    return {}


def removing_a_pair(visit):
    visit.study.arguments["pair_id"] = visit.project.qualification_pairs.get().public_id
    return {}


def removing_a_guest(visit):
    guests.add(visit.project, name="parrot", lines=[GuestLine(1, visit.pair, 1, None)])
    return {"guest": visit.project.guests.get(name="parrot").public_id}


def adding_a_guest(visit):
    lines = f"pair\tlabel\n{visit.pair}\t1\n"
    return {"name": "parrot", "file": SimpleUploadedFile("parrot.tsv", lines.encode())}


def run_of(project):
    corpus = GenerationRun.objects.latest("pk").corpus
    run = GenerationRun.objects.create(
        corpus=corpus, method=Method.WORD_SWAP, settings={}, model_identities={}, seed=0
    )
    projects.adopt(project, run)
    return run


def letting_in(visit):
    other = cast.study()
    projects.add_member(other, visit.by, role=Membership.Role.MANAGER)
    return {"run": run_of(other).pk}


def keeping_out(visit):
    visit.study.arguments["run_id"] = run_of(visit.project).public_id
    return {}


def creating(visit):
    visit.by.is_staff = visit.by.is_superuser = True
    visit.by.save()
    return shown("create_project", name="Towns")(visit)


INVITATION = {"role": "annotator", "may_judge": "on", "most_people": 1, "days": 7}
SENTENCES = {"sentence1": "Ada met Bo in May.", "sentence2": "Bo met Ada in May.", "label": 1}
# What is sent to each page, after the study has been brought to where it can be done.
ACTS = [
    ("create_project", Act.PROJECT_MADE, creating),
    ("project_settings", Act.PROJECT_CHANGED, shown("project_settings", lease_minutes=77)),
    ("open_project", Act.PROJECT_CHANGED, sending()),
    ("let_run_in", Act.RUN_LET_IN, letting_in),
    ("keep_run_out", Act.RUN_KEPT_OUT, keeping_out),
    ("invite", Act.INVITATION_MADE, sending(**INVITATION)),
    ("revoke_invitation", Act.INVITATION_ENDED, sending()),
    ("person", Act.MEMBER_CHANGED, sending(role="researcher")),
    ("grant_attempt", Act.ATTEMPT_GRANTED, granting),
    ("let_pass", Act.LET_PASS, sending()),
    ("same_person", Act.SAME_PERSON, other_account),
    ("separate", Act.SEPARATED, separating),
    ("intervene", Act.WARNED, work_step("warn")),
    ("intervene", Act.PAUSED, work_step("pause")),
    ("intervene", Act.RESUMED, work_step("resume", paused)),
    ("intervene", Act.HELD_OUT, work_step("hold_out")),
    ("intervene", Act.REINSTATED, work_step("reinstate", held_out)),
    ("add_qualification_pair", Act.QUALIFICATION_ADDED, sending(**SENTENCES)),
    ("add_qualification_lines", Act.QUALIFICATION_ADDED, sending(lines=PAIR)),
    ("remove_qualification_pair", Act.QUALIFICATION_REMOVED, removing_a_pair),
    ("add_known_pairs", Act.KNOWN_PAIRS_ADDED, sending(lines=PAIR)),
    ("add_guest", Act.GUEST_ADDED, adding_a_guest),
    ("remove_guest", Act.GUEST_REMOVED, removing_a_guest),
    ("give_priority", Act.PRIORITY_GIVEN, sending(level=1)),
    ("put_back", Act.PUT_BACK, putting_back),
    ("reopen_pairs", Act.REOPENED, not_kept),
    ("adjudicate", Act.ADJUDICATED, lambda visit: not_kept(visit, label="1")),
    ("draft_release", Act.RELEASE_DRAFTED, shown("draft_release", version="3.0")),
    ("edit_release", Act.RELEASE_CHANGED, redrafting),
    ("release_step", Act.RELEASE_DISCARDED, release_step("discard")),
    ("release_step", Act.RELEASE_QUEUED, release_step("build")),
    ("release_step", Act.RELEASE_TAKEN_BACK, release_step("take-back", queued)),
    ("withdraw_release", Act.RELEASE_WITHDRAWN, sending(reason="Two sources were not free.")),
    ("forget_names", Act.NAMES_FORGOTTEN, sending(sure="on")),
]


@pytest.fixture(scope="module")
def study(module_db, tmp_path_factory):
    return complete_study()


@pytest.fixture(autouse=True)
def _release_folder(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path


def tables_written(client, address, sent):
    """The tables in which rows change by a POST, and its reply."""
    tables = set()

    def look(execute, sql, parameters, many, context):
        result = execute(sql, parameters, many, context)
        match = WRITES.match(sql)
        # SQLite counts what is inserted only once all of it is read.
        if match and (match[1] == "INSERT" or context["cursor"].rowcount):
            tables.add(match[2])
        return result

    with connection.execute_wrapper(look):
        reply = client.post(address, sent)
    return tables - BESIDES, reply


def recorded(visit, route, prepare):
    """What a manager has done there, as far as it is on record."""
    sent = prepare(visit)
    before = AuditEntry.objects.count()
    tables, reply = tables_written(visit.client, visit.study.address(route), sent)
    said = [str(each) for each in get_messages(reply.wsgi_request)]
    assert tables, (reply.status_code, said, reply.context and reply.context.get("form"))
    entries = AuditEntry.objects.all()[: AuditEntry.objects.count() - before]
    assert {entry.by for entry in entries} <= {visit.by}
    return [entry.act for entry in entries]


def test_what_a_manager_does_is_on_record(study, subtests):
    for route, act, prepare in ACTS:
        with subtests.test(route, act=act), undone():
            assert act in recorded(Visit(study), route, prepare)


def test_control_without_its_record_an_act_is_noticed(study, monkeypatch):
    monkeypatch.setattr(audit, "record", lambda *_, **__: None)
    assert recorded(Visit(study), "give_priority", sending(level=1)) == []


def names(patterns):
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from names(each.url_patterns)
        else:
            yield each.name


def test_no_other_page_changes_anything(study):
    visit = Visit(study)
    for route in set(names(urls.urlpatterns)) - ANSWERING - {route for route, _, _ in ACTS}:
        tables, reply = tables_written(visit.client, study.address(route), {})
        assert reply.status_code in (404, 405) or route in SHOWING, route
        assert not tables, route
