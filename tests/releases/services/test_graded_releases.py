"""A release of a graded study of definitions, from its rows to its verified files."""

import pytest

from generation.flashcards import Card
from generation.models import Sentence
from generation.services import flashcards
from releases.dataset.verification import verify
from releases.forms import initial_values
from releases.models import Release
from releases.selectors.releases import folder_of, settings_of
from releases.services import frozen, publication
from support.studies import freeze_version
from tests.annotation import judged, make, pages
from tests.annotation.pages import client_of, page

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
GRADES = [(3, 3, 2), (0, 1, 3), (2, 2, 1), (0, 0, 2)]


@pytest.fixture
def study(tmp_path):
    """Twenty definitions of five entities, each paired with another and graded by three experts."""
    with pages.release_folder(tmp_path):
        project = make.study(protocol="parade")
        judged.pairs(project, GRADES * 5, by=judged.people(project, 3))
        for number, pair in enumerate(project.pairs.order_by("pk")):
            named = dict.fromkeys(("group", "entity"), f"term {number % 5}")
            Sentence.objects.filter(pk=pair.sentence1_id).update(**named)
        yield project


def test_groups_that_an_import_merges_later_stay_apart_in_a_release(study, tmp_path):
    release = freeze_version(study, version="1.0", dev=0.2, test=0.2)
    written = publication.write_files(release, tmp_path / "a")
    corpus = Sentence.objects.filter(group="term 1").first().corpus
    cards = [Card(n, f"term {n}", "What both of them are said to be.") for n in (1, 2)]
    flashcards.import_flashcards(cards, corpus=corpus)
    assert not Sentence.objects.filter(group="term 2").exists()
    assert publication.write_files(release, tmp_path / "b") == written


def test_it_starts_from_the_settings_of_parade(study):
    release = frozen.propose_release(study, version="1.0")
    settings = settings_of(release)
    assert (settings.swap_methods, settings.recombine) == ((), False)
    assert (settings.dev, settings.test) == (0.125, 0.133)
    form = client_of(study).get(page("draft_release", study)).context["form"]
    assert (form["test"].value(), form["depth"].value()) == ("13.3 %", "0")
    assert initial_values(settings, version="1.0")["depth"] == "0"
    assert frozen.propose_release(make.study(), version="1.0").settings["recombine"]


def test_grades_entities_groups_and_shared_words_are_released_and_verified(study):
    release = freeze_version(study, version="1.0", dev=0.2, test=0.2)
    manifest = publication.publish(release)
    assert verify(folder_of(release)) == []
    counts = manifest["counts"]
    assert sum(counts["groups"].values()) == 5
    labelled = [counts["overlap"][name]["pairs"] for name in ("positives", "negatives")]
    assert labelled == [10, 10]
    tallies = dict(study.pairs.values_list("pk", "consensus__tally"))
    for example in release.examples.filter(pair__isnull=False):
        most = [grade for grade, given in enumerate(tallies[example.pair_id]) if given > 1]
        assert [example.grade] == (most or [1])
        assert example.entity.startswith("term")
    shown = client_of(study).get(page("release", study, release.public_id)).content.decode()
    assert 'id="shared"' in shown
    card = (folder_of(release) / "README.md").read_text("utf-8")
    mean = f"{counts['overlap']['positives']['mean']:.4f}"
    assert f"| Paraphrases | 10 | {mean} |" in card
    assert mean in shown.replace(",", ".")


def test_the_page_shows_the_votes_for_each_grade(study):
    release = freeze_version(study, version="1.0", dev=0.2, test=0.2)
    judged.pairs(study, [(0, 0, 0)], by=judged.people(study, 3))  # is in no release
    rows = client_of(study).get(page("release", study, release.public_id)).context["pair_rows"]
    tally_by_text = dict(study.pairs.values_list("sentence2__text", "consensus__tally"))
    assert rows
    for row in rows:
        [tally] = [
            tally_by_text[text]
            for text in ("".join(piece.text for piece in pieces) for pieces in row.sentences)
            if text in tally_by_text
        ]
        assert list(row.tally) == tally
        assert len(row.chips) == (max(tally) == 1)  # the grade of a tie is the median


def test_a_release_that_was_frozen_before_has_none_of_them(study):
    release = frozen.propose_release(study, version="1.0", dev=0.2, test=0.2)
    release.format = "pawsmith-release/1"
    frozen.freeze_draft(release)
    facts = {
        name: fact for name, fact in release.facts.items() if name not in ("groups", "overlap")
    }
    settings = {name: each for name, each in release.settings.items() if name != "columns"}
    Release.objects.filter(pk=release.pk).update(facts=facts, settings=settings)
    release.examples.update(grade=None, entity="")
    release.refresh_from_db()
    manifest = publication.publish(release)
    assert manifest["counts"].keys().isdisjoint({"groups", "overlap"})
    header = (folder_of(release) / "labeled_final/test.tsv").read_text("utf-8").split("\n")[0]
    assert header == "id\tsentence1\tsentence2\tlabel"
    assert verify(folder_of(release)) == []
