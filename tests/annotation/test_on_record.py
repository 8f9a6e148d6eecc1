"""Whatever a manager changes in a project is on its record."""

import copy

import pytest
from django.contrib.messages import get_messages
from django.core.files.base import ContentFile
from django.utils import timezone

from accounts.audited_acts import Act
from accounts.models import AuditEntry
from annotation.model_judgments import services as model_judgments
from annotation.models import QualificationAttempt
from annotation.pairs.labelled_lines import ModelJudgmentLine
from annotation.quality.services import interventions
from tests.annotation import make
from tests.annotation.pages import undone
from tests.annotation.test_page_matrix import PAGES
from tests.annotation.visit import QUESTION, TERM, Visit, published_set
from tests.studies.complete import complete_study
from tests.studies.evaluations import evaluated
from tests.studies.imports import new_file
from tests.studies.releases import upload, with_test_set

pytestmark = pytest.mark.django_db
# Of people who answer: what they send is rows of their own, and no act of a manager.
ANSWERING = {"invited", "welcome", "begin", "qualify", "begin_attempt", "notices"}
ANSWERING |= {
    "about_me",
    "work",
    "undo",
    "skip",
    "note",
    "confirm_replies",
    "shortcuts",
    "take_part",
    "checks",
}
NO_AUTHORS = {"authors-TOTAL_FORMS": 0, "authors-INITIAL_FORMS": 0}
STUDY = {"name": "Towns", **NO_AUTHORS}
UPLOAD = {"repository": "lab/pairs", "visibility": "public", "token": "hf_test"}
COMPARISON = {"name": "Students", "sample": 1, "taught": 0, "people": 3, "seed": 0}
AGAIN = {"name": "Again", "preset": "judging", "splits": ["test"], "seed": 0}
TRANSLATION = {"name": "German", "language": "de", "validated_share": 0.1, "seed": 0}
PLAN = {"plan-validated_share": 0.0, "plan-least_validated": 9, "plan-most_error": 0.05}
SHOWING = {"preview", "check_protocol"}  # show what is sent to them
NAMING = {"save_view", "change_view"}  # names of filters change nothing of a study


@pytest.fixture(scope="module")
def study(module_db):
    """With an attempt that failed, a model, and a pair set aside; its manager may do everything."""
    study, now = complete_study(), timezone.now()
    make.with_glossary(study.project)
    by, pair = study.person("manager"), study.arguments["pair_id"]
    by.is_staff = by.is_superuser = True
    by.save()
    failed = {"membership": study.place("worker"), "passed": False, "finished_at": now}
    QualificationAttempt.objects.create(number=1, **failed)
    model_judgments.add(study.project, name="parrot", lines=[ModelJudgmentLine(1, pair, 1, None)])
    aside = study.project.pairs.filter(consensus=None).first()
    study.project.pairs.filter(pk=aside.pk).update(set_aside_at=now)
    study.arguments["model"] = study.project.judging_models.get(name="parrot").public_id
    study.arguments["aside"] = aside.public_id
    return study


INVITATION = {"role": "annotator", "kinds": ["judge"], "most_people": 1, "days": 7}
RECRUITMENT = {"platform": "prolific", "kinds": ["judge"], "most_people": 20, "days": 7}
RECRUITMENT |= {"completion_code": "C1ABCDEF"}
SENTENCES = {"sentence1": "Ada met Bo in May.", "sentence2": "Bo met Ada in May.", "label": 1}
# What is sent to each page, after the study has been brought to where it can be done.
ACTS = [
    ("create_project", Act.PROJECT_MADE, lambda v: v.form("create_project", name="Towns")),
    ("project_settings", Act.PROJECT_CHANGED, lambda v: v.form("project_settings") | STUDY),
    ("work_settings", Act.PROJECT_CHANGED, lambda v: v.form("work_settings", lease_minutes=7)),
    ("quality_settings", Act.PROJECT_CHANGED, lambda v: v.form("quality_settings", gold_every=9)),
    (
        "protocol_settings",
        Act.PROJECT_CHANGED,
        lambda v: v.emptying() and v.form("protocol_settings", seed=9),
    ),
    ("joining_settings", Act.PROJECT_CHANGED, lambda v: v.form("joining_settings", attempts=7)),
    ("open_project", Act.PROJECT_CHANGED, lambda v: {"confirmed": "on"}),
    ("duplicate_project", Act.PROJECT_MADE, lambda v: {"name": "Towns again"}),
    ("transfer_project", Act.PROJECT_TRANSFERRED, lambda v: {"to": v.place("researcher").pk}),
    ("archive_project", Act.PROJECT_ARCHIVED, lambda v: {}),
    ("restore_project", Act.PROJECT_RESTORED, Visit.archiving),
    ("delete_project", Act.PROJECT_DELETED, Visit.emptying),
    ("remove_member", Act.MEMBER_REMOVED, lambda v: {}),
    ("password_link", Act.PASSWORD_LINK_MADE, lambda v: {}),
    ("add_run", Act.RUN_ADDED, Visit.letting_in),
    ("remove_run", Act.RUN_REMOVED, lambda v: v.at(run_id=v.run_of(v.project).public_id)),
    ("upload", Act.FILE_UPLOADED, lambda v: {"kind": "sentences", "text": "It rains in May."}),
    ("import", Act.IMPORT_STARTED, Visit.starting),
    ("import", Act.CORPUS_CREATED, Visit.starting),
    (
        "import_step",
        Act.IMPORT_ENDED,
        lambda v: v.at(import_id=new_file(v.project).public_id, step="discard"),
    ),
    (
        "change_corpus",
        Act.CORPUS_CHANGED,
        lambda v: v.corpus_of_own(of=True) | {"corpus_name": "Towns", "language": "de"},
    ),
    ("add_corpus", Act.CORPUS_ADDED, Visit.corpus_of_own),
    ("remove_corpus", Act.CORPUS_REMOVED, lambda v: v.corpus_of_own(of=True)),
    ("new_run", Act.RUN_STARTED, Visit.starting_a_run),
    ("steer_run", Act.RUN_STEERED, lambda v: v.of_a_run(action="pause")),
    ("invite", Act.INVITATION_MADE, lambda v: INVITATION),
    ("revoke_invitation", Act.INVITATION_ENDED, lambda v: {}),
    ("recruit_people", Act.RECRUITMENT_MADE, lambda v: RECRUITMENT),
    ("revoke_recruitment", Act.RECRUITMENT_ENDED, lambda v: {}),
    ("person_place", Act.MEMBER_CHANGED, lambda v: {"role": "researcher"}),
    ("grant_attempt", Act.ATTEMPT_GRANTED, lambda v: {}),
    ("let_pass", Act.LET_PASS, lambda v: {}),
    ("same_person", Act.SAME_PERSON, lambda v: {"other": v.annotator.public_id}),
    ("separate", Act.SEPARATED, Visit.separating),
    ("intervene", Act.WARNED, lambda v: v.step("warn")),
    ("intervene", Act.PAUSED, lambda v: v.step("pause")),
    ("intervene", Act.RESUMED, lambda v: v.step("resume", interventions.pause)),
    ("intervene", Act.EXCLUDED, lambda v: v.step("exclude")),
    ("intervene", Act.REINSTATED, lambda v: v.step("reinstate", interventions.exclude)),
    ("add_qualification_pair", Act.QUALIFICATION_ADDED, lambda v: SENTENCES),
    ("add_questions", Act.QUESTION_ADDED, lambda v: {"ready": "age"}),
    ("add_question", Act.QUESTION_ADDED, lambda v: QUESTION),
    ("question", Act.QUESTION_CHANGED, Visit.asking),
    ("question", Act.QUESTION_REMOVED, lambda v: v.asking(remove=1)),
    ("question", Act.QUESTION_RETIRED, lambda v: v.asking(retire=1)),
    ("propose_term", Act.TERM_ADDED, lambda v: TERM),
    ("term", Act.TERM_APPROVED, lambda v: {"approve": 1}),
    ("term", Act.TERM_CHANGED, Visit.approved_term),
    ("term", Act.TERM_REMOVED, lambda v: {"remove": 1}),
    ("upload_terms", Act.TERMS_UPLOADED, lambda v: {"file": ContentFile(b"mill,M\n", "a.csv")}),
    ("remove_qualification_pair", Act.QUALIFICATION_REMOVED, Visit.removing_a_pair),
    (
        "remove_model_judgments",
        Act.MODEL_JUDGMENTS_REMOVED,
        lambda v: {"model": v.arguments["model"]},
    ),
    ("fit_model", Act.MODEL_FITTED, lambda v: {}),
    ("ask_model", Act.MODEL_ASKED, lambda v: v.form("ask_model", model="local:small")),
    ("steer_model_task", Act.MODEL_TASK_STEERED, lambda v: v.at(step="cancel")),
    ("give_priority", Act.PRIORITY_GIVEN, lambda v: {"level": 1}),
    ("put_back", Act.PUT_BACK, lambda v: {"item": v.arguments["aside"]}),
    ("reopen_pairs", Act.REOPENED, Visit.not_kept),
    ("hide_reason", Act.REASON_HIDDEN, Visit.explained),
    ("decide_pairs", Act.DECIDED_WITH_VOTES, Visit.unvoted),
    ("reissue", Act.REISSUED, Visit.reissuing),
    (
        "release_reserved",
        Act.RESERVED_RELEASED,
        lambda v: v.reissuing(carried_out=True, every="on"),
    ),
    ("put_back", Act.PUT_BACK, lambda v: {"chosen": v.arguments["aside"]}),
    ("change_pairs", Act.PRIORITY_GIVEN, lambda v: v.chosen(act="first")),
    ("change_pairs", Act.PAIR_EXCLUDED, lambda v: v.chosen(act="exclude", reason="private")),
    ("intervene_many", Act.PAUSED, lambda v: v.chosen(step="pause", reason="Wait.")),
    ("adjudicate", Act.ADJUDICATED, lambda v: v.not_kept(label="1")),
    ("exclude_pair", Act.PAIR_EXCLUDED, lambda v: {"reason": "private"}),
    ("include_pair", Act.PAIR_INCLUDED, Visit.excluding),
    (
        "draft_release",
        Act.RELEASE_DRAFTED,
        lambda v: v.form("draft_release", version="3.0", **NO_AUTHORS),
    ),
    (
        "edit_release",
        Act.RELEASE_CHANGED,
        lambda v: v.of_draft("") or v.form("edit_release", version="4.0", **NO_AUTHORS),
    ),
    ("release_step", Act.RELEASE_DISCARDED, lambda v: v.of_draft("discard")),
    ("release_step", Act.RELEASE_QUEUED, lambda v: v.of_draft("build")),
    ("release_step", Act.RELEASE_TAKEN_BACK, lambda v: v.of_draft("take-back")),
    ("create_set", Act.RELEASE_DRAFTED, lambda v: published_set()),
    (
        "create_version",
        Act.RELEASE_DRAFTED,
        lambda v: v.of_published_set() or published_set(version="1.1"),
    ),
    (
        "read_again",
        Act.RELEASE_CHANGED,
        lambda v: v.of_published_set() or published_set(),
    ),
    ("withdraw_release", Act.RELEASE_WITHDRAWN, lambda v: {"reason": "It was not free."}),
    ("upload_release", Act.UPLOAD_REQUESTED, lambda v: UPLOAD),
    (
        "compare_release",
        Act.PROJECT_MADE,
        lambda v: with_test_set(v.study) and COMPARISON,
    ),
    (
        "judge_again",
        Act.PROJECT_MADE,
        lambda v: with_test_set(v.study) and AGAIN,
    ),
    (
        "translate_release",
        Act.PROJECT_MADE,
        lambda v: with_test_set(v.study) and TRANSLATION,
    ),
    ("change_plan", Act.PLAN_CHANGED, lambda v: v.translating(**PLAN)),
    ("top_up", Act.VALIDATION_TOPPED_UP, Visit.translating),
    ("widen", Act.TRANSLATOR_WIDENED, Visit.translating),
    ("deliver", Act.TRANSLATIONS_DELIVERED, lambda v: v.translating(done=True)),
    ("cancel_upload", Act.UPLOAD_CANCELLED, lambda v: upload(v.study, state="waiting") or {}),
    ("request_evaluation", Act.EVALUATION_REQUESTED, Visit.evaluating),
    (
        "cancel_evaluation",
        Act.EVALUATION_CANCELLED,
        lambda v: evaluated(v.study, "waiting") or {"experiment": "plain"},
    ),
    ("bring_predictions", Act.PREDICTIONS_UPLOADED, Visit.bringing),
    ("remove_predictions", Act.PREDICTIONS_REMOVED, Visit.removing_predictions),
    ("comment_pair", Act.COMMENTED, lambda v: {"text": "Look at the date."}),
    ("answer_comment", Act.COMMENTED, lambda v: {"text": "Yes.", "step": "reply"}),
    ("answer_comment", Act.COMMENTS_CLOSED, lambda v: {"step": "close"}),
    ("answer_comment", Act.COMMENTS_REOPENED, Visit.closing),
    ("forget_names", Act.NAMES_FORGOTTEN, lambda v: {"sure": "on"}),
]


def test_what_a_manager_does_is_on_record(study, settings, tmp_path, subtests):
    endpoints_file = tmp_path / "endpoints.toml"
    endpoints_file.write_text('[local]\naddress = "http://127.0.0.1:1/v1"\n[local.models.small]\n')
    for route, act, prepare in ACTS:
        settings.RELEASES_DIR = tmp_path / route
        settings.ENDPOINTS_FILE = str(endpoints_file)
        with subtests.test(route, act=act), undone():
            visit = Visit(copy.deepcopy(study))
            sent, before = prepare(visit), AuditEntry.objects.count()
            reply = visit.client.post(visit.study.address(route), sent)
            entries = AuditEntry.objects.all()[: AuditEntry.objects.count() - before]
            said = [str(each) for each in get_messages(reply.wsgi_request)]
            assert act in [entry.act for entry in entries], (reply.status_code, said)
            assert {entry.by for entry in entries} == {visit.by}


@pytest.mark.parametrize(
    "route", ["table", "report_latex", "history_file", "recruiting_report", "refused_lines"]
)
def test_whoever_downloads_a_table_is_on_record(study, route):
    with undone():
        visit = Visit(copy.deepcopy(study))
        assert visit.client.get(visit.study.address(route)).status_code == 200
        entry = AuditEntry.objects.order_by("pk").last()
        assert (entry.act, entry.by) == (Act.TABLE_EXPORTED, visit.by)


def test_whatever_takes_a_post_is_tried_or_is_no_act_of_a_manager():
    posts = {name.split()[0] for name, rule in PAGES.items() if rule.post != 405}
    assert posts == {route for route, _, _ in ACTS} | ANSWERING | SHOWING | NAMING
