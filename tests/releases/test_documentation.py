"""The documentation of a release: on forms of drafts, in files, and what of it is missing."""

import io
import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from django.utils.translation import override

from annotation.models import Participant, Recruitment
from releases.dataset.documentation import QUESTIONS, Documentation
from releases.dataset.metadata import Metadata
from releases.documentation_forms import DocumentationForm
from releases.models import Release
from releases.selectors.proposals import proposed_documentation
from releases.selectors.releases import folder_of, metadata_of
from releases.services import drafts
from releases.services.builds import BUILDS
from tests.annotation import judged, make, pages
from tests.annotation.pages import client_of
from tests.releases.published import import_trial
from tests.releases.test_pages import FORM

pytestmark = pytest.mark.django_db
FILE = "uses: [To test models]\nlimitations:\n  - Only short sentences\n"
DECLARED = Documentation(uses=("To test models",), limitations=("Only short sentences",))
PAY = "3.50 GBP for the completed work (2 annotators), a median of 42.00 GBP per hour of it."


@pytest.fixture(autouse=True)
def _folder(tmp_path):
    with pages.release_folder(tmp_path / "releases"):
        yield


@pytest.fixture
def study():
    study = make.study()
    make.pairs(study, 3)
    judged.all_that_is_open(study, [1] * 5)
    return study


@pytest.fixture
def recruited(study):
    """Two of the judges came by Prolific, were paid and took five minutes each."""
    link = Recruitment.objects.create(
        project=study, digest="1" * 64, platform="prolific", kinds=["judge"], most_people=9,
        expires_at=timezone.now() + timedelta(days=1), reward="3.50", currency="GBP",
        created_by=make.person(study, role="manager").user,
    )  # fmt: skip
    for member in study.memberships.filter(role="annotator")[:2]:
        with judged.without_triggers():
            study.slots.filter(annotator=member.user).update(seconds=100)
        Participant.objects.create(
            project=study, platform="prolific", participant_id=str(member.pk), membership=member,
            recruitment=link, outcome="completed",
        )  # fmt: skip


def documented(study, version="1.0", declared=DECLARED):
    metadata = Metadata(documentation=declared)
    return drafts.create_draft(study, version=version, metadata=metadata, dev=0, test=0)


def page_of(release, client=None, name="release"):
    client = client or client_of(release.project)
    return client.get(pages.page(name, release.project, release.public_id))


def test_what_the_form_sends_is_declared(study):
    sent = {"documentation-uses": "To test models\r\n\r\n", "documentation-pay": " A\r\nB "}
    client_of(study).post(pages.page("draft_release", study), FORM | sent)
    declared = metadata_of(Release.objects.get()).documentation
    assert declared == Documentation(uses=("To test models",), pay="A\nB")


def test_the_form_shows_what_is_declared(study):
    declared = Documentation(uses=("To test models", "To compare them"), pay="A\nB")
    form = page_of(documented(study, declared=declared), name="edit_release").context
    values = {field.name: field.value() for field in form["documentation"] if field.value()}
    assert values == {"uses": "To test models\nTo compare them", "pay": "A\nB"}


def test_too_many_lines_are_refused_at_their_field(study):
    sent = {"documentation-uses": "\n".join(f"use {number}" for number in range(21))}
    reply = client_of(study).post(pages.page("draft_release", study), FORM | sent)
    assert reply.context["documentation"].errors.keys() == {"uses"}
    assert not Release.objects.exists()


def test_every_question_is_translated(study):
    with override("de"):
        form = DocumentationForm(None, Documentation(), study)
        labels, helps = zip(*((str(f.label), str(f.help_text)) for f in form), strict=True)
    for question in QUESTIONS:
        assert question.title not in labels
        assert not any(text.startswith(question.about) for text in helps)


def test_the_next_draft_carries_on_the_documentation_marked_as_such(study):
    documented(study)
    form = client_of(study).get(pages.page("draft_release", study)).context["documentation"]
    assert form["uses"].value() == "To test models"
    assert form.carried_over_from == "1.0"


def test_a_draft_with_changed_documentation_is_not_marked_as_carried_over(study):
    documented(study)
    same, other = documented(study, "1.1"), documented(study, "1.2", Documentation(pay="None."))
    marks = [page_of(release).context["carried_over_from"] for release in (same, other)]
    assert marks == ["1.0", ""]


def test_recruitment_and_pay_are_proposed_from_the_recruiting_links(study, recruited):
    assert proposed_documentation(study) == {
        "recruitment": "2 annotators came through Prolific.",
        "pay": PAY,
    }


def test_a_proposal_is_shown_without_being_declared(study, recruited):
    draft = documented(study, declared=Documentation())
    assert PAY in page_of(draft, name="edit_release").text
    client_of(study).post(pages.page("edit_release", study, draft.public_id), FORM)
    draft.refresh_from_db()
    assert not metadata_of(draft).documentation


def test_pages_name_what_is_missing(study):
    draft = documented(study)
    missing = [
        "Authors",
        "Home page",
        "Biases",
        "Personal and sensitive information",
        "Social impact",
    ]
    assert page_of(draft).context["undocumented"] == missing
    drafts.queue_draft(draft)
    assert BUILDS.do_next()
    draft.refresh_from_db()
    assert page_of(draft).context["undocumented"] == missing


def build(study, tmp_path, text, **options):
    (tmp_path / "about.yaml").write_text(text)
    said = io.StringIO()
    about = {"documentation": tmp_path / "about.yaml"} | options
    call_command("build_release", project=study.name, release="1.0", **about, stdout=said)
    return said.getvalue()


def test_a_build_takes_the_documentation_from_a_file_and_names_what_is_missing(study, tmp_path):
    said = build(study, tmp_path, FILE, homepage="https://example.org", author=["Doe, Ann"])
    release = Release.objects.get()
    manifest = json.loads((folder_of(release) / "manifest.json").read_text())
    assert manifest["metadata"]["documentation"] == DECLARED.to_dict()
    assert "## Uses\n\n- To test models\n" in (folder_of(release) / "README.md").read_text()
    missing = "Not stated: Biases, Personal and sensitive information, Social impact. Croissant"
    assert said.splitlines()[-1].startswith(missing)


def test_a_build_names_an_unknown_field_of_the_file(study, tmp_path):
    with pytest.raises(CommandError, match=r"about.yaml: unknown: use; the fields are purpose, "):
        build(study, tmp_path, "use: To test models")
    assert not Release.objects.exists()


def test_an_imported_set_has_the_documentation_of_a_file(tmp_path):
    (tmp_path / "about.yaml").write_text(FILE)
    release = import_trial(tmp_path, f"--documentation={tmp_path / 'about.yaml'}")
    assert metadata_of(release).documentation == DECLARED
    assert metadata_of(release).homepage == "https://example.org/trial"
    card = (folder_of(release) / "README.md").read_text()
    assert "**Provenance appendix.** Published at <https://example.org/trial>" in card
