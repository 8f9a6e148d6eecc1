"""Flashcards: what becomes of each line, and the groups of entities."""

import pytest
from django.core.management import CommandError, call_command

from generation.flashcards import card, terms_of, twin_key
from generation.models import Corpus, Sentence
from generation.selectors import count_entities_with_few_definitions
from generation.services import flashcards
from generation.services.flashcards import import_flashcards
from tests.generation.cards import CARDS, LONG

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


@pytest.fixture
def corpus():
    return Corpus.objects.create(name="Cards")


def imported(corpus, *cards, **options):
    lines = [
        card(n, {"entity": entity, "definition": text}) for n, (entity, text) in enumerate(cards, 1)
    ]
    return import_flashcards(lines, corpus=corpus, **options)


def groups(corpus):
    return dict(Sentence.objects.filter(corpus=corpus).values_list("entity", "group").distinct())


def test_every_line_of_forty_has_its_outcome(tmp_path, capsys):
    path, terms = tmp_path / "cards.tsv", tmp_path / "terms.txt"
    path.write_text("\n".join(["entity\tdefinition\tid", *CARDS]), "utf-8")
    terms.write_text("stack\nStacks\nqueue\nheap\nvirtual machine(s)\nVirtual Machine\n\n")
    for added, merged in ((29, 2), (0, 31)):
        call_command("import_flashcards", path, corpus="Cards", terms=terms)
        said = capsys.readouterr().out
        assert f"40 read: {added} definitions added, {merged} merged with an equal one" in said
        assert "9 refused" in said
        refused = [line.strip() for line in said.splitlines() if line.strip().startswith("line ")]
        assert sorted(refused) == sorted(
            [
                "line 33: empty",
                "line 34: missing_entity",
                "line 35: too_few_words",
                "line 36: too_many_words",
                "line 37: not_a_term",
                "line 38: shared_definition",
                "line 39: other_script",
                "line 40: bad_entity",
                "line 41: other_number_of_columns",
            ]
        )
        assert "1: The definition has more than 30 words. Shorten it." in said
        assert "2 entities of the corpus have fewer than 5 definitions." in said
    corpus = Corpus.objects.get()
    assert count_entities_with_few_definitions(corpus.pk, 5) == 2  # heap, Stacks
    line = Sentence.objects.get(external_id="s1")
    assert (line.entity, line.group, line.line) == ("stack", "stack", 2)


def test_a_file_without_the_columns_is_refused_as_a_whole(tmp_path):
    path = tmp_path / "cards.csv"
    path.write_text("entity,meaning\nstack,A pile of things.\n")
    with pytest.raises(CommandError, match="must name a column definition; it names"):
        call_command("import_flashcards", path, corpus="Cards")
    assert not Corpus.objects.exists()


def test_swapped_columns_many_refusals_and_another_script_are_said_with_what_to_do(
    tmp_path, capsys
):
    path = tmp_path / "cards.tsv"
    rows = [f"It stores number {n} until it is needed again.\tqueue" for n in range(25)]
    rows += ["Der Fluss steigt im Mai.\tРека течёт быстро"]
    path.write_text("\n".join(["entity\tdefinition", *rows]), "utf-8")
    call_command("import_flashcards", path, corpus="Cards")
    said = capsys.readouterr().out
    assert "If the columns are swapped, rename them in the first line" in said
    assert "  and 6 more lines" in said
    assert "For another language, add --language" in said
    with pytest.raises(CommandError, match=r"nowhere\.tsv: No such file"):
        call_command("import_flashcards", tmp_path / "nowhere.tsv", corpus="Cards")


@pytest.mark.parametrize(
    ("one", "other", "are_twins"),
    [
        ("Virtual machine(s)", "virtual machines", True),
        ("Virtual Machine", "virtual machine", True),
        ("Straße", "STRASSE", True),
        ("process(es)", "Process", True),
        ("C", "C++", False),
        ("C#", "c#", True),
        ("heap", "heap sort", False),
        ("!!", "!", False),
    ],
)
def test_twins_differ_in_case_and_inflection_alone(one, other, are_twins):
    assert (twin_key(one, "en") == twin_key(other, "en")) is are_twins
    assert twin_key("Häuser", "ja") == "häuser"


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_twins_and_entities_that_share_a_definition_form_one_group(corpus, monkeypatch, at_once):
    monkeypatch.setattr(flashcards, "CARDS_PER_TRANSACTION", at_once)
    shared = "It holds things in order."
    report = imported(
        corpus,
        ("list", "It has a first element."),
        ("array", shared),
        ("Lists", "Elements follow each other."),
        ("list", shared),
        ("arrays", "It has numbered places."),
        ("lists", "It can become longer."),
    )
    assert (report.added, report.refused) == (5, {"shared_definition": 1})
    assert groups(corpus) == dict.fromkeys(["list", "array", "Lists", "arrays", "lists"], "array")
    # An entity without a definition of its own yet is remembered, and groups join in turn.
    imported(corpus, ("row", "Elements follow each other."), ("tuple", "It never changes at all."))
    imported(corpus, ("tuple", "It holds things in order."), ("Row", "It goes across a table."))
    imported(corpus, ("tree", "It never changes at all."), ("tree", "It has a root and leaves."))
    assert set(groups(corpus).values()) == {"array"}
    other = Corpus.objects.create(name="Other")
    imported(other, ("row", "It goes across a table."))
    assert groups(other) == {"row": "row"}


def test_a_text_that_is_a_plain_sentence_of_the_corpus_stays_one(corpus):
    Sentence.objects.create(
        corpus=corpus, text="It rains.", digest=flashcards.digest_of("It rains.")
    )
    assert imported(corpus, ("rain", "It rains.")).refused == {"shared_definition": 1}
    assert Sentence.objects.get().entity == ""


def test_terms_are_compared_without_case(corpus):
    terms = terms_of("Stack \n\nQUEUE")
    report = imported(
        corpus, ("stack", "A pile."), ("Queue", "A line."), ("heap", "A tree."), terms=terms
    )
    assert (report.added, report.refused) == (2, {"not_a_term": 1})
    assert LONG.count(" ") == 30
