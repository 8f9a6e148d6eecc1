"""Pairs of definitions: which entities, which pairs, and what is counted of the rest."""

from collections import Counter

import pytest

from annotation.pairs.services import intake
from generation import previews, run_figures, selectors
from generation.errors import NoSentences, WrongLanguage
from generation.flashcards import Card
from generation.models import Candidate, Corpus, Method
from generation.nlp import definitions
from generation.nlp.definitions import DefinitionPairer, DefinitionSettings
from generation.services import runs
from generation.services.flashcards import import_flashcards
from support.workers import work_until_idle
from tests.annotation import make
from tests.generation.cards import DEFINITIONS

# Two groups of meaning, and one definition apart from both.
RIVER = [
    "A stream of water that flows to the sea.",
    "Water that flows from mountains into a lake or sea.",
    "The president of a company with many employees.",
    "The chairman of a firm and its workers.",
    "Seven red numbers on an old wooden door.",
]


@pytest.fixture
def corpus(db):
    return Corpus.objects.create(name="Cards")


def imported(corpus, cards, start=1):
    lines = [Card(number, *card) for number, card in enumerate(cards, start)]
    return import_flashcards(lines, corpus=corpus)


def pairer(**settings):
    return DefinitionPairer(DefinitionSettings(**settings))


def names(found):
    return [each.name for each in found]


def test_each_two_definitions_of_a_cluster_are_a_pair_and_every_definition_has_an_outcome():
    found = pairer(clusters_per_definition=0.7).outcomes(RIVER)
    pairs = {(RIVER[n], each.text) for n, one in enumerate(found) for each in one.rewrites}
    assert pairs == {(RIVER[0], RIVER[1]), (RIVER[2], RIVER[3])}
    assert names(found) == ["accepted", "paired", "accepted", "paired", "singleton"]
    alone = pairer(clusters_per_definition=1.0).outcomes(RIVER)
    assert names(alone) == ["singleton"] * 5
    together = pairer(clusters_per_definition=0.01).outcomes(RIVER)
    assert [len(each.rewrites) for each in together] == [4, 3, 2, 1, 0]


def test_near_duplicates_are_dropped_and_counted_by_why():
    texts = ["The old list.", "the old list!", "It is the old list", "It is the old lisp", "list"]
    (first, *rest) = found = pairer(clusters_per_definition=0.01).outcomes(texts)
    assert first.dropped == {"equal": 1, "contained": 2}
    assert [each.text for each in first.rewrites] == ["It is the old lisp"]
    assert rest[1].dropped == {"typos": 1, "contained": 1}
    assert names(found) == ["accepted", "accepted", "near_duplicate", "accepted", "paired"]


@pytest.mark.parametrize("vectors", definitions.VECTORS)
def test_all_vectors_give_the_same_pairs_again_for_the_same_seed(vectors):
    texts = [text for texts in DEFINITIONS.values() for text in texts]
    first, again = (pairer(vectors=vectors, seed=3).outcomes(texts) for _ in range(2))
    assert first == again
    assert Counter(names(first))["accepted"] > 5


def test_an_entity_with_one_definition_or_with_unknown_words_gives_no_pair_and_says_why():
    assert names(pairer().outcomes(["The only one."])) == ["few_definitions"]
    assert names(pairer(min_definitions=1).outcomes(["The only one."])) == ["singleton"]
    strange = [f"xqzw{n}a zzyx{n}b" for n in range(6)]
    assert names(pairer().outcomes(strange)) == ["unknown_words"] * 6
    assert names(pairer().outcomes([*strange[:4], "The one.", "A tree."]))[4:] != ["unknown_words"]
    for vectors in ("ppmi", "tfidf"):
        assert "unknown_words" not in names(pairer(vectors=vectors).outcomes(strange))


def test_many_definitions_of_one_entity_give_a_bounded_number_of_pairs(monkeypatch):
    monkeypatch.setattr(definitions, "MOST_TOGETHER", 100)
    sizes, k_means = [], definitions.k_means

    def counted(rows, k, **options):
        sizes.append(len(rows))
        return k_means(rows, k, **options)

    monkeypatch.setattr(definitions, "k_means", counted)
    # The same known words, so the same vectors: the worst case.
    texts = [f"the name of the city is q{n}x{n}q" for n in range(500)]
    found = pairer(starts=1, clusters_per_definition=0.01).outcomes(texts)
    assert sizes == [100] * 5
    made = sum(len(each.rewrites) for each in found)
    dropped = sum((Counter(each.dropped) for each in found), Counter())
    assert max(len(each.rewrites) for each in found) <= 20
    assert made + sum(dropped.values()) - dropped["too_many"] <= 20 * 500
    assert dropped["too_many"] > 0


@pytest.mark.both_engines
def test_a_run_pairs_each_entity_as_a_whole_however_batches_are_cut(corpus):
    cards = [(name, text) for name, texts in DEFINITIONS.items() for text in texts]
    # Entities are mixed in the file, as they are in a set that many people wrote.
    imported(corpus, sorted(cards, key=lambda card: card[1]))
    found = set()
    for batch_size in (1, 7, 100):
        run = runs.start(corpus, method=Method.DEFINITIONS, batch_size=batch_size, seed=5)
        work_until_idle(run)
        run.refresh_from_db()
        sizes = list(run.batches.order_by("number").values_list("size", flat=True))
        assert (run.state, sum(sizes), selectors.progress(run).share) == ("done", 29, 1.0)
        made = Candidate.objects.filter(run=run).select_related("sentence")
        texts = {each.text: each.sentence.entity for each in made}
        assert all(text in DEFINITIONS[entity] for text, entity in texts.items())
        found.add(frozenset((each.sentence.text, each.text) for each in made))
        assert selectors.funnel(run)["few_definitions"] == 6
        assert sum(selectors.funnel(run).values()) == 29
    assert len(found) == 1


@pytest.mark.both_engines
def test_a_preview_holds_whole_entities_and_its_reasons_have_words(corpus):
    imported(corpus, [(name, text) for name, texts in DEFINITIONS.items() for text in texts])
    run = runs.start(corpus, method=Method.DEFINITIONS, preview=True)
    work_until_idle(run)
    rows = previews.sentences(run)
    assert len(rows) == 23
    assert {row.sentence.entity for row in rows} == {*DEFINITIONS} - {"heap", "Stacks"}
    assert all(row.candidates or run_figures.in_words(row.reason) != row.reason for row in rows)
    # What is imported later is no part of the run.
    imported(corpus, [("stack", f"The later one in place {n}.") for n in range(9)], 100)
    runs.steer(run, runs.Action.APPROVE)
    work_until_idle(run)
    assert sum(selectors.funnel(run).values()) == 29


@pytest.mark.both_engines
def test_pairs_go_straight_to_judging_in_a_graded_project(corpus):
    imported(corpus, [("river", text) for text in RIVER])
    project = make.study(protocol="parade", corrected_methods=[])
    run = runs.start(corpus, method=Method.DEFINITIONS)
    project.runs.add(run)
    work_until_idle(run)
    assert intake.take_in(project) == project.items.filter(kind="judge").count() > 0
    item = project.items.first()
    assert item.sentence2.group == item.sentence1.group == "river"
    assert item.sentence1.entity == "river"


def test_corpora_that_do_not_fit_are_refused(corpus):
    with pytest.raises(NoSentences, match="has no flashcards"):
        runs.start(corpus, method=Method.DEFINITIONS)
    german = Corpus.objects.create(name="Karten", language="de")
    imported(german, [("Fluss", f"Ein Wasser, das {n} Meter fließt.") for n in range(5)])
    with pytest.raises(WrongLanguage):
        runs.start(german, method=Method.DEFINITIONS)
    run = runs.start(german, method=Method.DEFINITIONS, settings={"vectors": "tfidf"})
    assert run.model_identities == {}
    work_until_idle(run)
    assert sum(selectors.funnel(run).values()) == 5
