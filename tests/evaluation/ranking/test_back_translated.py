"""Back-translated paraphrases: what is taken, what people make of it, and that forgery is found."""

import json

import pytest
from django.core.management import CommandError

from annotation.models import Project
from evaluation.ranking.files import read_back_translated, read_groups
from generation.methods import model_loaders
from generation.nlp.back_translation import Translation
from releases.dataset.manifest import as_json
from releases.dataset.verification import verify
from tests.annotation import make, translating
from tests.evaluation.ranking.test_files import PAIRS, tell
from tests.releases.dataset.test_verification import sign

FAR = "Near Maria's old home, a swift fox was often hunting some little cat ."
# What comes back of a first sentence: as it was, the pivot, another text, and one far from it.
BACK = {
    PAIRS[0][0]: (PAIRS[0][0], PAIRS[0][1], "A fox chased cats near the house of Maria .", FAR),
    PAIRS[1][0]: ("Soon the young painter met a rich merchant and sold him two large paintings.",),
}
FORWARD, BACKWARD = "Helsinki-NLP/opus-mt-en-de", "Helsinki-NLP/opus-mt-de-en"


class Lookup:
    """The only double: translates by a mark before the sentence, and back by a dictionary."""

    def __init__(self, name):
        self.identity = {"name": name}

    def translate(self, texts, k):
        return [self._translated(text)[:k] for text in texts]

    def _translated(self, text):
        if self.identity["name"] == FORWARD:
            return (Translation(f"> {text}", -1.0),)
        known = BACK.get(text.removeprefix("> "), (text.removeprefix("> "),))
        return tuple(Translation(each, -float(place)) for place, each in enumerate(known))


@pytest.fixture(autouse=True)
def _lookup(monkeypatch):
    monkeypatch.setattr(model_loaders, "load_translator", lambda name, **_machine: Lookup(name))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "pairs.tsv"
    rows = [f"{number}\t{one}\t{other}\t1\n" for number, (one, other) in enumerate(PAIRS)]
    path.write_text("".join(("id\tsentence1\tsentence2\tlabel\n", *rows)))
    return path


@pytest.fixture
def ranking(table, tmp_path):
    tell("make_ranking", table, "--out", tmp_path / "one", "--back-translate")
    return tmp_path / "one"


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


def counts(folder):
    return manifest(folder)["counts"]["back_translated"]


def test_the_round_trip_that_shares_the_fewest_words_with_the_pivot_is_taken(ranking, table):
    assert [(row.pair, row.text) for row in read_back_translated(ranking)] == [
        ("0", FAR),
        ("1", BACK[PAIRS[1][0]][0]),
    ]
    found = counts(ranking)
    assert (found["check"], found["rows"], found["outcomes"]["unchecked"]) == ("unchecked", 2, 2)
    shared = [0, 0]
    for group, row in zip(read_groups(ranking), read_back_translated(ranking), strict=True):
        for place, text in enumerate((group.candidates[0].text, row.text)):
            one, other = set(text.split()), set(group.pivot.split())
            shared[place] += 50 * len(one & other) / len(one | other)
    assert [found["overlap_before"], found["overlap"]] == pytest.approx(shared, abs=1e-4)
    assert manifest(ranking)["forward"] == {"name": FORWARD}
    assert "No person has checked" in (ranking / "README.md").read_text()
    assert verify(ranking, table) == []


def test_so_many_groups_are_drawn_by_the_seed(table, tmp_path):
    drawn = {}
    for seed in range(8):
        out = tmp_path / str(seed)
        tell("make_ranking", table, "--out", out, "--back-translate", "--sample", 1, "--seed", seed)
        assert counts(out)["outcomes"]["not_drawn"] == 1
        assert verify(out, table) == []
        [row] = read_back_translated(out)
        drawn[row.pair] = seed
    assert drawn.keys() == {"0", "1"}


def test_a_sentence_that_comes_back_as_it_was_has_no_row(ranking, table, tmp_path, monkeypatch):
    monkeypatch.setitem(BACK, PAIRS[1][0], (PAIRS[1][0].upper(), PAIRS[1][1]))
    tell("make_ranking", table, "--out", tmp_path / "other", "--back-translate")
    assert counts(tmp_path / "other")["outcomes"]["only_identical"] == 1
    assert [row.pair for row in read_back_translated(tmp_path / "other")] == ["0"]


def test_models_rank_the_back_translated_side(ranking, table, tmp_path):
    def ranked(*options):
        tell("rank", ranking, "--scorers", "jaccard", "--json", tmp_path / "figures.json", *options)
        [figures] = json.loads((tmp_path / "figures.json").read_text())["figures"]
        return figures["groups"]

    assert ranked("--back-translated") == 2
    tell("make_ranking", table, "--out", tmp_path / "plain")
    with pytest.raises(CommandError, match="no back-translated sentence"):
        tell("rank", tmp_path / "plain", "--back-translated")


def test_a_translator_of_another_language_is_refused(table, tmp_path):
    with pytest.raises(CommandError, match="translates from fr"):
        tell(
            *("make_ranking", table, "--out", tmp_path / "out", "--back-translate"),
            *("--forward", "Helsinki-NLP/opus-mt-fr-de"),
        )
    assert not (tmp_path / "out").exists()


def asked(ranking, *answers, name="Check"):
    """A project made of the ranking, whose member gives these answers (action, text) in turn."""
    tell("check_ranking", ranking, "--project", name)
    project = Project.objects.get(name=name)
    person = make.person(project)
    for action, text in answers:
        translating.validate_next(person, action, text)
    return project


@pytest.mark.django_db
@pytest.mark.both_engines
def test_a_fix_by_a_person_reaches_the_file_and_what_they_reject_leaves_it(
    ranking, table, tmp_path
):
    fix = "Maria's fox, which is quick, often hunted a small cat near her old house."
    project = asked(ranking, ("fix", fix), ("reject", ""))
    assert [item.kind for item in project.items.all()] == ["validate"] * 2
    said = tell("check_ranking", ranking, "--project", "Check", "--out", tmp_path / "checked")
    assert "has 1 checked sentence." in said
    [row] = read_back_translated(tmp_path / "checked")
    assert (row.pair, row.text, row.machine, row.check) == ("0", fix, FAR, "fixed")
    found = counts(tmp_path / "checked")
    wanted = {"accepted": 0, "fixed": 1, "rejected": 1, "unchecked": 0}
    assert wanted.items() <= found["outcomes"].items()
    assert found["check"] == "by_people"
    assert "A person compared it" in (tmp_path / "checked" / "README.md").read_text()
    assert verify(tmp_path / "checked", table) == []
    for name in ("groups.jsonl", "back_translated.jsonl"):
        same = (tmp_path / "checked" / name).read_bytes() == (ranking / name).read_bytes()
        assert same == (name == "groups.jsonl")


@pytest.mark.django_db
def test_accepted_sentences_stay_and_a_fix_into_the_pivot_leaves(ranking, table, tmp_path):
    asked(ranking, ("accept", ""), ("fix", PAIRS[1][1]))
    tell("check_ranking", ranking, "--project", "Check", "--out", tmp_path / "checked")
    [row] = read_back_translated(tmp_path / "checked")
    assert (row.pair, row.text, row.check) == ("0", FAR, "accepted")
    assert counts(tmp_path / "checked")["outcomes"]["repeats"] == 1
    assert verify(tmp_path / "checked", table) == []


@pytest.mark.django_db
def test_answers_are_taken_over_once_all_are_given_and_of_their_own_project(
    ranking, table, tmp_path
):
    def refused(*arguments):
        with pytest.raises(CommandError) as refusal:
            tell("check_ranking", *arguments)
        return str(refusal.value)

    asked(ranking, ("accept", ""))
    out = ("--out", tmp_path / "checked")
    assert "1 sentence of the ranking" in refused(ranking, "--project", "Check", *out)
    other = make.study().name
    assert "has not compared 2 sentences" in refused(ranking, "--project", other, *out)
    assert "never changes" in refused(ranking, "--project", "Check", "--out", ranking / "new")
    tell("make_ranking", table, "--out", tmp_path / "plain")
    assert "no back-translated" in refused(tmp_path / "plain", "--project", "New")
    (ranking / "groups.jsonl").write_text("")
    assert "is damaged" in refused(ranking, "--project", "New")
    assert not (tmp_path / "checked").exists()


@pytest.fixture
def forged(ranking, table):
    """What is told of the ranking with a changed first row, or manifest, all checksums right."""

    def forge(row=None, *, outcomes=None, dropped=False):
        path = ranking / "back_translated.jsonl"
        first, *others = (json.loads(line) for line in path.read_text().splitlines())
        rows = [*([] if dropped else [first | (row or {})]), *others]
        lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in rows)
        path.write_text("".join(lines))
        document = manifest(ranking)
        document["counts"]["back_translated"]["outcomes"] |= outcomes or {}
        (ranking / "manifest.json").write_text(as_json(document))
        sign(ranking)
        return [str(each) for each in verify(ranking, table)]

    return forge


@pytest.mark.parametrize(
    ("forgery", "what"),
    [
        ({"row": {"text": "Another text."}}, "is unchecked, but its text says otherwise"),
        ({"row": {"check": "fixed"}}, "is fixed, but its text says otherwise"),
        ({"row": {"check": "accepted"}}, "are not those of back_translated.jsonl"),
        ({"row": {"check": "rejected"}}, "not a row of this file"),
        ({"row": {"pair": "3"}}, "3 has no group"),
        ({"row": {"pair": "1"}}, "1 is not in the order of groups"),
        ({"row": {"text": PAIRS[0][1], "machine": PAIRS[0][1]}}, "two texts of 0 are equal"),
        ({"row": {"text": "Short.", "machine": "Short."}}, "back_translated is"),
        ({"dropped": True}, "are not those of back_translated.jsonl"),
        ({"outcomes": {"rejected": 1}}, "are not those of 2 groups"),
        ({"outcomes": {"unchecked": 1, "not_drawn": 1}}, "are not those of the sample"),
        ({"outcomes": {"unchecked": 1, "accepted": 1}}, "are not those of back_translated.jsonl"),
    ],
)  # fmt: skip
def test_a_forged_sentence_or_count_is_found(forged, forgery, what):
    assert any(what in each for each in forged(**forgery))
