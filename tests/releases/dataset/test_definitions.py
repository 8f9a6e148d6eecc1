"""A release of definitions graded by three experts (PARADE 3 and 4): columns, groups and splits."""

import csv
import json
import shutil
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations, product
from random import Random

import pyarrow.parquet as pq
import pytest

from annotation.stats.agreement import human_agreement, krippendorff_alpha, ordinal
from annotation.stats.consensus import Protocol, decide
from annotation.stats.labels import SAME_OR_DIFFERENT, scale
from releases.dataset.columns import columns_of
from releases.dataset.manifest import as_json
from releases.dataset.plan import plan
from releases.dataset.rows import JudgmentRow, PairRow, SentenceRow
from releases.dataset.settings import PARADE, ReleaseSettings
from releases.dataset.shared_words import measure_overlap
from releases.dataset.verification import verify
from releases.dataset.writers import Content, write_release
from tests.releases.dataset.studies import FACTS, WORDS

SIDES = ("sentence1", "sentence2")
GRADED = ReleaseSettings(
    seed=3, judgments_per_pair=3, consensus_min_votes=2, scheme=scale(3, border=2), **PARADE
)
SPLITS = ("train", "dev", "test")
EXPERTS = Protocol(3, 2, scale(3, border=2))


def definitions(entities=60, *, grouped=True):
    """Pairs of definitions: every fifth entity has a twin in the plural, which has its group."""
    random = Random(5)
    sentences, pairs, judgments = [], [], []
    for number in range(entities):
        for entity in [f"term {number}", f"terms {number}"][: 2 if number % 5 == 0 else 1]:
            group = f"term {number}" if grouped else None
            keys = [f"{entity}-{n}" for n in range(4)]
            texts = [" ".join([entity, *random.choices(WORDS, k=6)]) for _ in keys]
            if entity.startswith("terms"):
                texts[0] = sentences[-1].text.upper()  # a twin repeats a definition but for case
            rows = zip(keys, texts, strict=True)
            sentences += (SentenceRow(k, t, k, group=group, entity=entity) for k, t in rows)
            for one, other in combinations(keys[:3], 2):
                grades = [random.choice([0, 1, 1, 2, 3]) for _ in range(3)]
                tally = tuple(map(grades.count, range(4)))
                pairs.append(PairRow(f"{one} {other}", one, other, "imported", tally))
                judgments += (
                    JudgmentRow(pairs[-1].id, f"expert-{n}", grade, None)
                    for n, grade in enumerate(grades)
                )
    return sentences, pairs, judgments


def planned(sentences, pairs):
    settings = replace(GRADED, columns=columns_of(sentences, scheme=GRADED.scheme))
    return plan(sentences, pairs, settings=settings), settings


def written(folder, sentences, pairs, judgments):
    made, settings = planned(sentences, pairs)
    overlap = measure_overlap(made.pairs, FACTS.language)
    facts = replace(FACTS, groups=made.groups, overlap=overlap, grades=made.grades)
    content = Content(made.pairs, sentences, judgments, **made.totals)
    return write_release(folder, content, facts=facts, settings=settings)


def read(folder, split):
    with (folder / "labeled_final" / f"{split}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def stems_by_split(made):
    """The entities of each split, without the plural that tells twins apart."""
    found = defaultdict(set)
    for pair in made.pairs:
        if pair.subset == "labeled_final":
            found[pair.split].add(pair.entity.replace("terms", "term"))
    return found


def across(found):
    return sum(len(found[one] & found[other]) for one, other in combinations(SPLITS, 2))


@pytest.fixture(scope="module")
def pairs():
    return definitions()[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("definitions") / "release"
    written(folder, *definitions())
    return folder


@pytest.fixture(scope="module")
def counts(folder):
    return json.loads((folder / "manifest.json").read_text("utf-8"))["counts"]


def test_no_entity_twin_or_text_is_in_two_splits_and_without_groups_some_are(folder, counts):
    stems = stems_by_split(planned(*definitions()[:2])[0])
    assert across(stems) == 0
    assert counts["groups"] == {split: len(stems[split]) for split in SPLITS}
    texts = {
        split: {row[side] for row in read(folder, split) for side in SIDES} for split in SPLITS
    }
    assert across(texts) == 0
    assert min(map(len, texts.values())) > 0
    control, _ = planned(*definitions(grouped=False)[:2])
    assert across(stems_by_split(control)) >= 1


def test_the_tables_name_the_grade_and_the_entity_and_everything_verifies(folder, pairs):
    assert verify(folder) == []
    tallies = {pair.id: pair.tally for pair in pairs}
    for row in read(folder, "test"):
        answers = [label for label, n in enumerate(tallies[row["id"]]) for _ in range(n)]
        assert row["mean"] == str(round(sum(answers) / 3, 6))
        assert row["id"].startswith(row["entity"])
        most = max(tallies[row["id"]])
        assert most == 1 or tallies[row["id"]][int(row["grade"])] == most
    table = pq.read_table(folder / "parquet/labeled_final/test.parquet")
    assert {"grade", "mean", "entity"} <= {*table.column_names}
    line = json.loads((folder / "sentences.jsonl").read_text("utf-8").splitlines()[4])
    assert (line["group"], line["entity"]) == ("term 0", "terms 0")


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("manifest.json", '"train": ', '"train": 1'),
        ("pairs.jsonl", '"grade": 1', '"grade": 0'),
        ("pairs.jsonl", '"tally": [0, ', '"tally": [1, '),
        ("sentences.jsonl", '"entity": "term 1"', '"entity": "term 2"'),
        ("manifest.json", '"average_precision": 0.', '"average_precision": 0.0'),
    ],
)
def test_a_changed_group_grade_tally_entity_or_overlap_is_found(tmp_path, path, old, new):
    folder = tmp_path / "release"
    written(folder, *definitions(20))
    file = folder / path
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")
    told = [str(each) for each in verify(folder) if "checksum" not in str(each)]
    assert told


def test_the_grade_is_the_most_frequent_one_or_the_median_and_on_the_side_of_the_label():
    for grades in product(range(4), repeat=3):
        found = decide(grades, EXPERTS)
        often = max(set(grades), key=grades.count)
        wanted = sorted(grades)[1] if len({*grades}) == 3 else often
        assert found.grade == wanted
        assert found.label == int(sum(grade >= 2 for grade in grades) >= 2)
        assert int(found.grade >= 2) == found.label
    assert decide([0, 3], Protocol(2, 1, scale(3, border=2))).grade == 0
    assert decide([], EXPERTS).grade is None


def test_releases_of_other_studies_are_as_before():
    assert columns_of([SentenceRow("a", "A.", "a", group="one")], scheme=SAME_OR_DIFFERENT) == ()
    assert "columns" not in ReleaseSettings().to_dict()
    with pytest.raises(ValueError, match="kind"):
        ReleaseSettings(columns=("kind",))


def test_agreement_is_stated_on_both_sides_and_on_grades_and_each_is_recomputed(
    folder, pairs, counts, tmp_path
):
    grades = Counter(pair.tally for pair in pairs)
    sides = Counter((sum(tally[:2]), sum(tally[2:])) for tally in grades.elements())
    for stated, votes in (("agreement", sides), ("agreement_on_grade", grades)):
        found = counts[stated]["imported"]
        assert found["human_agreement"] == pytest.approx(human_agreement(votes), abs=1e-6)
    alpha = krippendorff_alpha(grades, distance=ordinal).value
    assert counts["agreement_on_grade"]["imported"]["ordinal_alpha"] == pytest.approx(alpha, 1e-4)
    card = (folder / "README.md").read_text("utf-8")
    different = sum(pairs for tally, pairs in grades.items() if max(tally) == 1)
    assert f"On {different} pairs, no two people gave the same grade." in card
    assert "**On paraphrase or not**" in card
    assert "Entities in `labeled_final`" in card
    forged = shutil.copytree(folder, tmp_path / "forged")
    manifest = json.loads((forged / "manifest.json").read_text("utf-8"))
    manifest["counts"]["agreement_on_grade"]["imported"]["ordinal_alpha"] = 0.9
    (forged / "manifest.json").write_text(as_json(manifest), encoding="utf-8", newline="\n")
    assert any("agreement_on_grade" in str(each) for each in verify(forged))
