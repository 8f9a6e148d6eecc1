"""Releases on their pages: from a draft and its preview to files, and to what ends them."""

import io
import shutil
import tarfile
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.text import slugify

from accounts.models import User
from releases.models import Release, ReleasePreview
from releases.selectors.releases import folder_of, name_of
from releases.services import drafts, publication
from releases.services.builds import BUILDS, PREVIEWS
from releases.views import pairs
from support.studies import freeze_version
from tests.annotation import judged, make, pages
from tests.annotation.pages import HTMX, client_of, frozen_release, undone

pytestmark = pytest.mark.django_db
FORM = {"version": "1.0", "dev": "0", "test": "0 %", "unlabeled_dev": "0"}
FORM |= {"paraphrase_share": "", "depth": "1", "seed": "7"}
FORM |= {"authors-TOTAL_FORMS": "1", "authors-INITIAL_FORMS": "0"}


@pytest.fixture(scope="module")
def study(module_db, tmp_path_factory):
    """Three judged pairs."""
    with pages.release_folder(tmp_path_factory.mktemp("releases")):
        study = make.study()
        make.pairs(study, 3)
        judged.all_that_is_open(study, [1] * 5)
        yield study


@pytest.fixture
def draft(study):
    return drafts.create_draft(study, version="1.0", dev=0, test=0, unlabeled_dev=0)


@pytest.fixture(scope="module")
def manager(study):
    return client_of(study)


@pytest.fixture(scope="module")
def researcher(study):
    return client_of(study, "researcher")


def page(name, release, *more):
    return pages.page(name, release.project, release.public_id, *more)


def test_recombining_is_offered_only_with_back_translations(study, manager):
    other = make.study()
    make.candidates(other, [("Ada met Bo.", "Bo met Ada.")])
    assert "Recombined pairs" in manager.get(pages.page("draft_release", study)).text
    form = client_of(other).get(pages.page("draft_release", other)).text
    assert "back translation" not in form
    assert '<input type="hidden" name="depth" value="1"' in form


def test_a_draft_is_made_and_changed_by_a_form_that_shows_its_settings(study, manager):
    draft_page = pages.page("draft_release", study)
    reply = manager.post(draft_page, FORM)
    draft = Release.objects.get(version="1.0")
    assert reply.url == page("release", draft)
    assert (draft.seed, draft.settings["test"]) == (7, 0.0)
    assert draft.created_by is not None
    changes = {"version": "1.5", "depth": "all", "dev": "12.5 %", "test": "40"}
    manager.post(page("edit_release", draft), FORM | changes)
    draft.refresh_from_db()
    assert (draft.version, draft.settings["recombination_reach"]) == ("1.5", None)
    form = manager.get(page("edit_release", draft)).context["form"]
    assert (form["test"].value(), form["depth"].value()) == (40, "all")
    assert 'value="12.5 %"' in str(form["dev"])
    reply = manager.post(draft_page, FORM | {"version": "1.5"})
    assert "already exists" in reply.context["form"].errors["version"][0]


def test_only_a_repeated_version_is_reported_as_one(study, manager, monkeypatch):
    def fail(*_arguments, **_choices):
        raise ValidationError({"seed": ["It is too large."], "created_by": ["Nobody."]})

    monkeypatch.setattr(drafts, "create_draft", fail)
    form = manager.post(pages.page("draft_release", study), FORM).context["form"]
    assert form.errors == {"seed": ["It is too large."], "__all__": ["Nobody."]}


def test_a_draft_that_cannot_be_discarded_stays_on_its_page(manager, draft):
    step = page("release_step", draft, "discard")
    Release.objects.update(state="queued")
    assert manager.post(step).url == page("release", draft)
    Release.objects.update(state="draft")
    assert manager.post(step).url == pages.page("releases", draft.project)


def test_a_frozen_release_without_files_offers_no_download(study, manager):
    release = freeze_version(study, version="0.8")
    publication.publish(release)
    shutil.rmtree(folder_of(release).parent)
    text = manager.get(page("release", release)).text
    assert "The files are missing on the server." in text
    assert page("release_file", release, "pairs.jsonl") not in text
    assert page("release_archive", release) not in text
    for name, *path in (("release_file", "pairs.jsonl"), ("release_archive",)):
        reply = manager.get(page(name, release, *path))
        is_said = "The files are missing on the server." in reply.text
        assert (reply.status_code, is_said) == (404, True), name


def shown_pairs(reply):
    rows = reply.context["pair_rows"]
    texts = (["".join(piece.text for piece in side) for side in row.sentences] for row in rows)
    columns = ([row.answer, [*row.tally], *row.facts, row.languages[0]] for row in rows)
    return [[*sides, *more] for sides, more in zip(texts, columns, strict=True)]


def test_a_draft_shows_what_its_release_will_show(study, manager):
    draft = drafts.create_draft(study, version="1.0", test=2, dev=0, unlabeled_dev=0)
    PREVIEWS.do_next()
    before = manager.get(page("release", draft))
    drafts.queue_draft(draft)
    assert BUILDS.do_next()
    after = manager.get(page("release", draft))
    assert [row[2:] for row in shown_pairs(after)] == [["", [0, 5], "back translation", "en"]] * 2
    assert shown_pairs(before) == shown_pairs(after)
    for name in ("parts", "total", "pairs_title", "methods", "paraphrases"):
        assert before.context[name] == after.context[name], name


def test_a_preview_of_an_older_version_still_shows_its_parts(manager, draft):
    PREVIEWS.do_next()
    content = ReleasePreview.objects.get(release=draft).content
    older = {name: value for name, value in content.items() if name not in ("sample", "judged")}
    ReleasePreview.objects.update(content=older)
    reply = manager.get(page("release", draft))
    assert [part.subset for part in reply.context["parts"]] == ["labeled_final", "unlabeled_final"]
    assert reply.context["pair_rows"] == []


def test_the_page_names_parts_in_plain_words_without_empty_ones(study, manager):
    release = frozen_release(study, "1.1")
    parts = manager.get(page("release", release)).context["parts"]
    assert [(part.name, part.splits, part.pairs) for part in parts] == [
        ("Labelled pairs", [("train", 3)], 3),
        ("Machine-labelled pairs", [("train", 3)], 3),
    ]


def test_pairs_are_browsed_in_pages_by_part_and_label(study, researcher, monkeypatch):
    monkeypatch.setattr(pairs, "SIZE", 2)
    address = page("release_pairs", frozen_release(study, "1.2"))
    labelled = {"subset": "labeled_final", "label": "1"}
    first = researcher.get(address, labelled)
    assert (len(first.context["pair_rows"]), first.context["number"]) == (2, 3)
    rest = researcher.get(address + first.context["links"].after)
    assert (len(rest.context["pair_rows"]), rest.context["links"].after) == (1, "")
    texts = [row[1] for reply in (first, rest) for row in shown_pairs(reply)]
    assert sorted(texts + [row[0] for reply in (first, rest) for row in shown_pairs(reply)]) == (
        sorted(text for pair in study.pairs.all() for text in pair.texts)
    )
    none = researcher.get(address, {"label": "0"})
    assert (none.context["pair_rows"], "No pair matches." in none.text) == ([], True)
    assert researcher.get(address, {"split": "all"}).status_code == 400


def test_a_withdrawn_release_shows_no_pairs(study, manager):
    release = frozen_release(study, "1.3")
    rows = '<ul class="pairs">'
    for name in ("release", "release_pairs"):
        assert rows in manager.get(page(name, release)).text, name
    manager.post(page("withdraw_release", release), {"reason": "Not free."})
    for name in ("release", "release_pairs"):
        reply = manager.get(page(name, release))
        assert (reply.status_code, rows in reply.text) == (410, False), name


def test_more_pairs_need_no_more_statements(study, manager):
    few, other = frozen_release(study, "1.4"), make.study()
    make.pairs(other, 60)
    judged.all_that_is_open(other, [1] * 5)
    many = frozen_release(other, "1.4")
    elsewhere = client_of(other)
    for name in ("release", "release_pairs"):
        for client, release in ((manager, few), (elsewhere, many)):
            client.get(page(name, release))  # figures of the rail are kept for a while
        statements_for_few = pages.statements(manager, page(name, few))
        assert pages.statements(elsewhere, page(name, many)) == statements_for_few, name
        assert statements_for_few <= 25, name


def test_a_project_without_releases_says_what_is_next(study, manager):
    assert "3 pairs are kept." in manager.get(pages.page("releases", study)).text
    other = make.study()
    text = client_of(other).get(pages.page("releases", other)).text
    assert "No pair is kept yet. A pair is kept when 4 of 5 people agree on it." in text


def test_a_draft_says_how_many_pairs_wait_for_answers(study, manager, draft):
    with undone():
        make.pairs(study, 2)
        assert "2 pairs wait for answers." in manager.get(page("release", draft)).text
    assert "wait for answers." not in manager.get(page("release", draft)).text


def test_a_draft_asks_for_its_preview_until_it_is_there_or_has_failed(manager, researcher, draft):
    asking = f'hx-get="{page("preview_release", draft)}"'
    long_ago = timezone.now() - timedelta(minutes=5)
    for columns, said, is_asking in (
        ({}, "Waiting for a worker.", True),
        ({"asked_at": long_ago}, "Ask the administrator of this installation to start one", True),
        ({"state": "under_way", "step": "reading", "done": 1200}, "1,200 rows", True),
        ({"state": "failed", "attempts": 3, "failure": "MemoryError"}, "MemoryError", False),
    ):
        with undone():
            ReleasePreview.objects.update(**columns)
            text = manager.get(page("release", draft)).text
            assert (said in text, asking in text) == (True, is_asking), columns
            assert ("to start one" in text) == ("asked_at" in columns)
    assert "<html" not in researcher.get(page("preview_release", draft), headers=HTMX).text
    PREVIEWS.do_next()
    reply = researcher.get(page("preview_release", draft), headers=HTMX)
    assert reply.headers["HX-Refresh"] == "true"  # the page knows how to load and cite it
    text = researcher.get(page("release", draft)).text
    for said in ("labeled_final/train.tsv", "Rewrite 0.", "as of ", f'"{name_of(draft)}",'):
        assert said in text
    assert asking not in text
    assert manager.get(page("preview_release", draft)).url == page("release", draft)


def test_a_draft_that_cannot_be_built_has_no_step_that_builds_it(manager, draft):
    building = page("release_step", draft, "build")
    assert building in manager.get(page("release", draft)).text
    gone = {"state": "impossible", "failure": "It has no pairs.", "read_at": timezone.now()}
    ReleasePreview.objects.update(**gone)
    text = manager.get(page("release", draft)).text
    assert building not in text
    assert 'disabled aria-describedby="impossible">Build release' in text


def test_the_page_of_a_draft_says_that_people_are_simulated(study, manager, draft):
    warning = "the judgments are those of simulated people."
    assert warning not in manager.get(page("release", draft)).text
    User.objects.filter(slots__project=study).update(is_simulated=True)
    assert warning in manager.get(page("release", draft)).text


def test_managers_can_ask_for_a_preview_again(manager, researcher, draft):
    assert PREVIEWS.do_next()
    for client in (manager, researcher):
        text = client.get(page("release", draft)).text
        assert ("Preview again" in text) == (client == manager)


def test_a_release_is_withdrawn_with_a_reason_that_takes_the_place_of_its_files(study, manager):
    release, why = frozen_release(study, "3.0"), "Two sentences were not free."
    withdraw = page("withdraw_release", release)
    assert manager.post(withdraw, {"reason": " "}).status_code == 422
    release.refresh_from_db()
    assert release.state == Release.State.FROZEN
    manager.post(withdraw, {"reason": why})
    for name, *path in (("release",), ("release_file", "manifest.json"), ("release_archive",)):
        reply = manager.get(page(name, release, *path))
        assert (reply.status_code, why in reply.text) == (410, True), name
    assert manager.get(withdraw).url == page("release", release)


def test_the_page_tells_how_far_a_release_is_or_why_it_failed(manager, draft):
    Release.objects.update(state="building", step="freezing", done=1200, total=4000)
    text = manager.get(page("release_progress", draft), headers=HTMX).text
    assert "1,200 of 4,000 rows" in text
    Release.objects.update(state="failed", failure="OSError: No space left on device")
    assert "No space left on device" in manager.get(page("release", draft)).text


def test_a_frozen_release_shows_its_files_and_gives_them_out(study, researcher):
    published = frozen_release(study, "0.9")
    text, files = researcher.get(page("release", published)).text, published.manifest["files"]
    for path, entry in files.items():
        assert page("release_file", published, path) in text
        assert entry["sha256"] in text
    reply = researcher.get(page("release_file", published, "pairs.jsonl"))
    assert b"".join(reply) == (folder_of(published) / "pairs.jsonl").read_bytes()
    assert reply.headers["Content-Disposition"].startswith("attachment")
    assert reply.headers["ETag"] == f'"{files["pairs.jsonl"]["sha256"]}"'
    packed = b"".join(researcher.get(page("release_archive", published)))
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        assert f"{slugify(study.name)}-0.9/manifest.json" in tar.getnames()
    for path in ("../0.9/manifest.json", "nothing.tsv"):
        assert researcher.get(page("release_file", published, path)).status_code == 404


DECLARED = {"licence": "cc-by-4.0", "languages": "en, de", "homepage": "https://example.org/pairs"}
DECLARED |= {"authors-TOTAL_FORMS": "3", "authors-0-name": "Lovelace, Ada"}
DECLARED |= {"authors-0-orcid": "0000-0002-1825-0097", "authors-2-name": "The House"}


def test_licence_and_authors_are_entered_once_for_all_versions(study, manager):
    manager.post(pages.page("draft_release", study), FORM | DECLARED)
    draft = Release.objects.get(version="1.0")
    text = manager.get(page("release", draft)).text
    assert "Without a licence" not in text
    assert 'href="https://spdx.org/licenses/CC-BY-4.0"' in text
    drafts.queue_draft(draft)
    assert BUILDS.do_next()
    text = manager.get(page("release", draft)).text
    for said in ("Ada Lovelace", "The House", "(version 1.0) [Data set]", "CITATION.cff"):
        assert said in text
    # The next version starts with them, but with a citation of its own.
    declared = manager.get(pages.page("draft_release", study)).context["declared"]
    assert declared.about["licence"].value() == "CC-BY-4.0"
    assert declared.about["citation"].value() == ""
    assert declared.authors[1]["name"].value() == "The House"


def test_wrong_metadata_is_named_at_its_field_and_nothing_is_lost(study, manager):
    wrong = {"licence": "mine", "authors-0-orcid": "0000-0002-1825-0098", "bibtex": "@misc{a,"}
    wrong |= {"authors-1-affiliation": "Nobody’s"}
    reply = manager.post(pages.page("draft_release", study), FORM | DECLARED | wrong)
    assert reply.status_code == 422
    declared = reply.context["declared"]
    assert declared.about.errors.keys() == {"licence", "bibtex"}
    assert [list(row) for row in declared.authors.errors] == [["orcid"], ["name"], []]
    assert declared.about["homepage"].value() == DECLARED["homepage"]
    assert not Release.objects.filter(version="1.0").exists()
