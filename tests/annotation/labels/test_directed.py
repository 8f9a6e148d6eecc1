"""Studies in which the order of the sentences matters."""

from dataclasses import replace

import pytest

from annotation.models import ModelJudgment
from annotation.pairs.labelled_lines import GoldPair
from annotation.pairs.services.imported_labels import ImportedLabels
from annotation.projects.labels import INFERENCE
from annotation.quality.services import gold_pairs, qualification
from annotation.stats.labels import SAME_OR_DIFFERENT
from generation.readers import PairLine
from releases.dataset.placement import order_sides
from releases.dataset.rows import ReleasedPair
from releases.dataset.rules import repeated_texts
from releases.services import frozen
from tests.annotation import make
from tests.annotation.pages import client_of, page

pytestmark = pytest.mark.django_db
THERE = ("Ada owns a dog.", "Ada owns an animal.")
BACK = THERE[::-1]
BOTH_WAYS = [GoldPair(*THERE, label=0), GoldPair(*BACK, label=1)]


@pytest.fixture(params=[True, False], ids=["directed", "undirected"])
def directed(request):
    return request.param


@pytest.fixture
def project(directed):
    return make.study(**({"scheme": INFERENCE, "consensus_min_votes": 3} if directed else {}))


def test_the_same_texts_the_other_way_round_are_another_pair(project, directed):
    make.candidates(project, [THERE, BACK], method="imported")
    assert project.pairs.count() == (2 if directed else 1)


def test_people_see_the_first_sentence_first(project, directed):
    texts = [(f"Premise {number}.", f"Hypothesis {number}.") for number in range(30)]
    make.candidates(project, texts, method="imported")
    assert project.pairs.filter(flipped=True).exists() != directed


def test_the_page_of_a_pair_says_what_judges_are_told_of_its_sentences(project, directed):
    make.pairs(project, 1)
    reply = client_of(project, "researcher").get(
        page("pair", project, project.pairs.get().public_id)
    )
    assert ("Judges see them as “Premise” and “Hypothesis”." in reply.text) is directed


def test_gold_pairs_are_told_apart_by_their_order(project, directed):
    report = gold_pairs.add(project, BOTH_WAYS)
    assert (report.added, report.refused.total()) == ((2, 0) if directed else (1, 1))


def test_a_qualification_pair_may_be_a_pair_of_the_study_turned_round(project, directed):
    make.candidates(project, [THERE], method="imported")
    if directed:
        assert qualification.add(project, [GoldPair(*BACK, label=1)]) == (1, 0)
    else:
        with pytest.raises(Exception, match="already has this pair"):
            qualification.add(project, [GoldPair(*BACK, label=1)])


def test_labels_of_imported_pairs_belong_to_one_order():
    project = make.study(scheme=INFERENCE, consensus_min_votes=3)
    make.candidates(project, [THERE, BACK], method="imported")
    labels = ImportedLabels(project)
    lines = [PairLine(1, *THERE, label="entailment"), PairLine(2, *BACK, label="1")]
    assert list(labels.collected(lines)) == lines
    assert labels.store(origin="SNLI", note="") == (2, 0, 0)
    stored = ModelJudgment.objects.order_by("pair").values_list("label", flat=True)
    assert list(stored) == [0, 1]


def test_released_pairs_keep_their_order():
    pairs = [
        ReleasedPair(id=f"p{number}", sentence1="s", sentence2=f"t{number}", method="imported")
        for number in range(20)
    ]
    placed = order_sides(pairs, rewritten_from={}, seed=7, directed=True)
    assert list(placed) == pairs


def test_nothing_is_composed_from_pairs_with_an_order():
    scheme = replace(SAME_OR_DIFFERENT, directed=True)
    settings = frozen.settings_for(make.study(scheme=scheme))
    assert (settings.recombine, settings.noisy_labels) == (False, {})
    with pytest.raises(ValueError, match="Pairs are composed"):
        replace(settings, recombine=True)


def test_a_turned_pair_repeats_no_released_texts():
    rows = [(1, "p", *THERE, 0), (2, "q", *BACK, 1), (3, "r", *BACK, 1)]
    assert [*repeated_texts(rows, directed=True)] == [(3, "r has the texts of q")]
