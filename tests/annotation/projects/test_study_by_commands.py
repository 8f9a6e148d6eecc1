"""A small study by commands alone: answers, reports and releases."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.utils.text import slugify

from accounts.models import User
from annotation.models import Consensus, Intervention, Judgment, Project
from annotation.projects.labels import GRADES
from annotation.projects.protocols import PRESETS
from annotation.quality.services import review
from generation import methods
from generation.models import Candidate, Corpus, GenerationRun, Sentence
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors import releases as published
from releases.services import drafts, publication
from tests.annotation import judged, make
from tests.releases.services.conftest import _place  # noqa: F401

pytestmark = pytest.mark.django_db
State = Release.State
CROWD = {"annotators": 8, "accuracy": 0.95, "seed": 1}


@pytest.fixture(scope="module")
def project(module_db):
    """Six word swaps, back translations of four of their sources, and simulated people's work."""
    project = make.study()
    swaps = [(f"Mara {n} met Tobias {n}.", f"Tobias {n} met Mara {n}.") for n in range(6)]
    make.candidates(project, swaps)
    rewrites = [(source, f"Tobias was met by Mara {n}.") for n, (source, _) in enumerate(swaps)]
    make.candidates(project, rewrites[:4], method="back_translation")
    call_command("simulate_annotators", project=project.name, **CROWD)
    return project


@pytest.fixture
def figures(printed):
    return lambda project, **more: json.loads(
        printed("report", json=True, project=project.name, **more)
    )


def build(project, version="1.0", **options):
    call_command("build_release", project=project.name, release=version, **options)


def test_a_build_says_how_many_pairs_wait_for_answers(db, printed):
    project = make.study()
    make.pairs(project, 3)
    judged.all_that_is_open(project, [1] * 5)
    assert "wait" not in printed("build_release", project=project.name, release="1.0")
    make.pairs(project, 2)
    said = printed("build_release", project=project.name, release="1.1").splitlines()
    assert said[0] == "2 pairs wait for answers and are not in this release."
    again = printed("build_release", project=project.name, release="1.1")
    assert "wait" not in again


def test_simulated_people_give_the_same_answers_for_the_same_seed(project, printed):
    again = make.study()
    for run in project.runs.order_by("id"):
        make.adopt(again, run)
    out = printed("simulate_annotators", project=again.name, **CROWD)
    assert f"6 corrections and {5 * project.pairs.count()} judgments" in out
    tallies = Consensus.objects.order_by("pair").values_list("tally", flat=True)
    first = list(tallies.filter(pair__project=project))
    assert len(first) == project.pairs.count()
    assert list(tallies.filter(pair__project=again)) == first


def test_careless_people_are_simulated_and_a_review_flags_them(db):
    project = make.study(corrected_methods=["imported"])
    make.candidates(project, [(f"Source {n}.", f"Rewrite {n}.") for n in range(15)])
    crowd = ["--project", project.name, "--annotators", "5", "--accuracy", "1", "--seed", "1"]
    for invalid in ("lazy:1", "same", "same:x"):
        with pytest.raises(CommandError, match="KIND:N"):
            call_command("simulate_annotators", *crowd, "--careless", invalid)
    call_command("simulate_annotators", *crowd, "--careless", "same:1")
    flags = review.review_all()
    flagged = Intervention.objects.get(evidence__flag="one_label")
    assert flagged in flags
    assert flagged.membership.user.username.endswith("06")
    assert review.review_all() == []


def test_the_report_has_tables_of_each_corpus_and_imported_pairs_under_their_own_name(figures):
    project = make.study()
    make.candidates(project, [("Ada met Bo.", "Bo met Ada."), ("Cy met Di.", "Di met Cy.")])
    corrector = make.person(project)
    for _ in range(2):
        make.correct_next(corrector)
    make.candidates(project, [("It rained.", "Rain fell.")], method="imported")
    judged.all_that_is_open(project, [1, 1, 1, 1, 0])
    assert set(figures(project)["tables"]) == {"Table 3: word swap", "Table 4: made elsewhere"}
    rivers = Corpus.objects.create(name="Rivers")
    GenerationRun.objects.filter(method="imported").update(corpus=rivers)
    tables = {title: dict(rows) for title, rows in figures(project)["tables"].items()}
    assert tables["Table 4: made elsewhere, Rivers"]["Total # imported pairs"] == "1"
    assert tables["Table 3: word swap, Tests"]["  Total # pairs"] == "2"
    assert len(tables) == 2


@pytest.fixture
def of_two_corpora(db):
    """A pair of the corpus Rivers, and two of Tests, all judged."""
    project = make.study()
    make.candidates(project, [("It rained.", "Rain fell.")], method="imported")
    rivers = Corpus.objects.create(name="Rivers")
    for table in (GenerationRun, Sentence):
        table.objects.update(corpus=rivers)
    sentences = [("Ada met Bo.", "Bo met Ada."), ("Cy met Di.", "Di met Cy.")]
    make.candidates(project, sentences, method="imported")
    judged.all_that_is_open(project, [1, 1, 1, 1, 0])
    return project


def test_the_report_has_a_column_for_each_corpus(of_two_corpora, figures):
    rows = figures(of_two_corpora)["tables"]["Table 4: made elsewhere"]
    assert rows[:2] == [
        ["", "Rivers", "Tests", "All"], ["Total # imported pairs", "1", "2", "3"],
    ]  # fmt: skip


def test_a_release_counts_its_corpora(of_two_corpora, tmp_path):
    folder = tmp_path / "release"
    build(of_two_corpora, output=folder)
    assert verify(folder) == []
    card = (folder / "README.md").read_text()
    for part in ("| `imported` | Rivers | Tests | All |", "| Total # imported pairs | 1 | 2 | 3 |"):
        assert part in card
    manifest = json.loads((folder / "manifest.json").read_text())
    final = manifest["counts"]["subsets_by_corpus"]["Rivers"]["labeled_final"]
    assert sum(split["pairs"] for split in final.values()) == 1
    manifest["counts"]["corpora"]["Rivers"]["imported"]["votes"] = []
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert ["corpora is " in str(difference) for difference in verify(folder)] == [True]


def test_the_report_counts_what_the_rows_say(project, printed, figures):
    tables = figures(project)["tables"]
    assert dict(tables["Table 3: word swap"])["# Raw pairs"] == "6"
    table_4 = dict(tables["Table 4: back translation"])
    assert table_4["Total # back translation pairs"] == "4"
    assert {person["simulated"] for person in figures(project)["annotators"]} == {True}
    Candidate.objects.update(kind="word order")
    text = printed("report", project=project.name)
    for part in ("by method", "back translation: word order", "(simulated)"):
        assert part in text
    assert "  ordinal" not in text
    graded = make.study(protocol="parade")
    assert figures(graded)["annotators"] == []
    judged.pairs(graded, [[3, 3, 2], [0, 0, 1], [1, 1, 1]], by=judged.people(graded, 3))
    assert "  ordinal" in printed("report", project=graded.name)


def test_a_paper_gets_the_tables_without_people(project, tmp_path):
    path = tmp_path / "tables.tex"
    call_command("report", project=project.name, latex=path)
    text = path.read_text()
    assert "\\caption{Word swap, as in Table 3 of PAWS}\n\\label{tab:table-3-word-swap}" in text
    assert "\\# Raw pairs & 6 \\\\\n" in text
    assert "\\caption{Agreement by method}" in text
    people = User.objects.filter(is_simulated=True).values_list("username", flat=True)
    assert not [name for name in people if name in text]


def test_a_release_says_in_a_paper_when_people_judged_sentences_of_a_corpus(project, tmp_path):
    build(project, version="7.0", output=tmp_path / "release")
    text = (tmp_path / "release" / "paper.tex").read_text()
    assert "come from \\texttt{Tests} (6 sentences, language \\texttt{en})." in text
    days = Judgment.objects.filter(project=project).values_list("submitted_at__date", flat=True)
    assert f" judgments on {days.distinct().get()} and took" in text


def test_programs_get_numbers_and_intervals(db, figures):
    project = make.study()
    people = judged.people(project, 5)
    judged.pairs(project, [[1] * 5] * 9 + [[0, 0, 0, 1, 1]] * 9, by=people)
    found = figures(project)
    before, after = (found["agreement"]["overall"][when] for when in ("before", "after"))
    assert (before["pairs"], after["pairs"]) == (18, 9)
    assert before["human"]["value"] == pytest.approx(0.8)
    low, high = before["alpha"]["interval"]
    assert low < before["alpha"]["value"] < high


def test_a_release_is_built_again_to_the_same_bytes_and_damage_is_found(project, tmp_path, printed):
    for name in "ab":
        folder = tmp_path / name
        build(project, output=folder)
        assert "is intact" in printed("verify_release", str(folder))
    first, again = ((tmp_path / name / "manifest.json").read_text() for name in "ab")
    assert first == again
    assert json.loads(first)["simulated"] is True
    (tmp_path / "a/low_agreement.tsv").unlink()
    with pytest.raises(CommandError, match="differences"):
        call_command("verify_release", str(tmp_path / "a"))
    with pytest.raises(CommandError, match="exists with its own settings"):
        build(project, output=tmp_path / "c", seed=3)


def test_a_copy_goes_to_a_new_folder_and_the_release_can_be_downloaded(project, tmp_path):
    full, file = tmp_path / "full", tmp_path / "file"
    full.mkdir()
    (full / "x").touch()
    file.touch()
    for output in (full, file, file / "below"):
        with pytest.raises(CommandError, match=r"exists already|Not a directory"):
            build(project, output=output)
        assert not Release.objects.exists()
    with pytest.raises(CommandError, match="4,000 pairs"):
        build(project, output=tmp_path / "copy", dev=4000)
    assert not (tmp_path / "copy").exists()
    build(project, output=tmp_path / "copy")
    release = Release.objects.get()
    assert f"@misc{{{slugify(project.name)}-1.0,\n" in (tmp_path / "copy/README.md").read_text()
    assert published.is_whole(release)
    assert published.archive_entry(release)
    assert verify(tmp_path / "copy") == []


def test_licence_and_authors_are_options(project, tmp_path):
    with pytest.raises(CommandError, match=r"^Mine is no SPDX licence identifier such as CC-BY"):
        build(project, licence="Mine")
    authors = ["Lovelace, Ada; 0000-0002-1825-0097; Institute of Words", "The House"]
    build(project, output=tmp_path / "copy", licence="cc0-1.0", authors=authors, languages=["en"])
    assert verify(tmp_path / "copy") == []
    declared = json.loads((tmp_path / "copy/manifest.json").read_text())["metadata"]
    assert (declared["licence"], declared["languages"]) == ("CC0-1.0", ["en"])
    assert declared["authors"][0]["affiliation"] == "Institute of Words"
    assert "author = {Lovelace, Ada and {The House}}" in declared["bibtex"]


def test_models_of_a_release_are_compared_with_those_here(project, tmp_path, printed):
    GenerationRun.objects.update(
        settings=methods.METHODS["word_swap"].configure({}),
        model_identities={"tagger": {"name": "en_pawsmith_tagger", "sha256": "ab" * 32}},
    )
    build(project, output=tmp_path / "copy")
    assert "is intact" in printed("verify_release", str(tmp_path / "copy"))
    with pytest.raises(CommandError, match="difference"):
        call_command("verify_release", str(tmp_path / "copy"), models=True)


def test_an_archive_that_breaks_off_is_a_message(project, tmp_path):
    build(project)
    archive = published.archive_of(Release.objects.get())
    broken = tmp_path / "broken.tar.gz"
    for size in (0, 5, 500, archive.stat().st_size // 2):
        broken.write_bytes(archive.read_bytes()[:size])
        with pytest.raises(CommandError, match=r"broken\.tar\.gz (is neither|cannot be unpacked)"):
            call_command("verify_release", str(broken))


def test_what_no_worker_holds_is_built_to_its_place(project):
    build(project, "new", dev=0, test=0)
    for state in (State.DRAFT, State.QUEUED, State.FAILED, State.BUILDING):
        drafts.create_draft(project, version=state, dev=0, test=0)
        Release.objects.filter(version=state).update(state=state)
    for version in (State.DRAFT, State.QUEUED, State.FAILED):
        build(project, version)
    with pytest.raises(CommandError, match="worker is building"):
        build(project, State.BUILDING)
    for release in Release.objects.exclude(version=State.BUILDING):
        assert release.state == State.FROZEN
        assert published.is_whole(release)
        assert published.archive_entry(release)


def test_a_withdrawn_version_is_not_built_again(project, tmp_path):
    build(project)
    publication.withdraw(Release.objects.get(version="1.0"), by=None, reason="Not free.")
    with pytest.raises(CommandError, match="Not free"):
        build(project, output=tmp_path / "again")


def test_gold_pairs_are_imported_and_bad_lines_named(db, tmp_path, printed):
    file = tmp_path / "known.tsv"
    file.write_text("sentence1\tsentence2\tlabel\nA b.\tB a.\t0\nC d.\tD c.\t9\n")
    for project, hint in ((make.study(), True), (make.study(gold_every=10), False)):
        out = printed("import_gold_pairs", str(file), project=project.name)
        assert "2 lines read, 1 gold pair added, 0 known already, 1 line refused." in out
        assert "line 3: label not on the scale" in out
        assert ("set in its settings how often" in out) is hint
        assert project.pairs.get().gold_label == 0
    with pytest.raises(CommandError):
        call_command("import_gold_pairs", str(tmp_path / "missing.tsv"), project=project.name)


def test_a_project_can_be_opened_by_its_managers_who_are_all_administrators_unless_named(printed):
    assert "No one can open it yet" in printed("create_project", "Nobody's")
    ada, bo = (User.objects.create_superuser(name) for name in ("ada", "bo"))
    User.objects.create_superuser("closed", is_active=False)
    assert "Managers: ada, bo." in printed("create_project", "Ours")
    assert "Managers: ada." in printed("create_project", "Hers", manager="ada")
    managed = [list(managed_by(each)) for each in (ada, bo)]
    assert managed == [["Hers", "Ours"], ["Ours"]]
    with pytest.raises(CommandError, match="no account"):
        call_command("create_project", "Another", manager="nobody")


def test_a_project_begins_with_a_preset_and_guidelines_of_ones_own_replace_its(printed, tmp_path):
    printed("create_project", "Graded", preset="graded")
    graded = Project.objects.get(name="Graded")
    assert (graded.scheme, graded.corrected_methods) == (GRADES, [])
    assert graded.label_looks == PRESETS["graded"].of_labels["label_looks"]
    assert graded.guidelines == PRESETS["graded"].guidelines
    own = tmp_path / "own.md"
    own.write_text("Read *twice*.")
    printed("create_project", "Own", preset="graded", guidelines=own)
    assert Project.objects.get(name="Own").guidelines == "Read *twice*."
    with pytest.raises(CommandError, match="not allowed with"):
        call_command("create_project", "Both", "--preset=graded", "--protocol=paws")


def managed_by(user):
    managed = user.memberships.filter(role="manager")
    return managed.order_by("project__name").values_list("project__name", flat=True)
