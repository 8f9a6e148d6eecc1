"""Answers in the layout of LeWiDi 2025, read as its participants read the published sets."""

import json
from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from releases.dataset.files import ANNOTATORS
from releases.dataset.lewidi import export_lewidi
from releases.dataset.published.layout import read_layout
from releases.dataset.published.reading import read_set
from releases.dataset.published.settings import Choices
from releases.dataset.reader import read_release
from releases.dataset.rows import AnnotatorRow
from tests.releases.dataset.label_studies import NLI, OPINIONS, SIMILARITY, LabelStudy
from tests.releases.dataset.studies import study, write
from tests.releases.dataset.test_definitions import definitions, written

KEYS = [
    *("annotation task", "text", "number of annotators", "annotators", "number of annotations"),
    *("annotations", "soft_label", "split", "lang", "other_info"),
]
SPLITS = ("train", "dev", "test")


def of_labels(scheme):
    return lambda folder: LabelStudy(scheme).write(folder)


def of_sides(folder):
    write(folder, study(2, families=60))


def of_grades(folder):
    written(folder, *definitions(20))


SCHEMES = {
    "nli": (of_labels(NLI), [*NLI.outcomes]),
    "opinions": (of_labels(OPINIONS), [str(value) for value in range(-5, 6)]),
    "similarity": (of_labels(SIMILARITY), [*"012345"]),
    "sides": (of_sides, ["0", "1"]),
    "grades": (of_grades, [*"0123"]),
}


@pytest.fixture(scope="module", params=SCHEMES)
def exported(request, tmp_path_factory):
    """A release, what it was exported to, and the names of its labels."""
    build, labels = SCHEMES[request.param]
    place = tmp_path_factory.mktemp(request.param)
    build(place / "release")
    export_lewidi(place / "release", place / "out")
    return place / "release", place / "out", labels


def entries(out, name="Trial_pairs"):
    """All entries by split and id, as the files of the splits have them."""
    return {
        (split, key): entry
        for split in SPLITS
        for key, entry in json.loads((out / f"{name}_{split}.json").read_text()).items()
    }


def test_every_entry_has_the_published_keys_in_their_order_with_their_types(exported):
    _, out, _ = exported
    people = json.loads((out / "Trial_pairs_annotators_meta.json").read_text())
    for (split, _), entry in entries(out).items():
        assert [*entry] == KEYS
        assert (entry["split"], entry["lang"]) == (split, "en")
        named = entry["annotators"].split(",")
        assert named == [*entry["annotations"]]
        assert named == sorted(named, key=lambda name: int(name.removeprefix("Ann")))
        assert {*named} <= people.keys()
        assert entry["number of annotators"] == entry["number of annotations"] == len(named)
        assert all(type(label) is str for label in entry["annotations"].values())
        assert all(type(share) is float for share in entry["soft_label"].values())


def test_a_soft_label_is_the_share_of_every_label(exported):
    _, out, labels = exported
    for entry in entries(out).values():
        counts = Counter(entry["annotations"].values())
        assert [*entry["soft_label"]] == labels
        assert sum(entry["soft_label"].values()) == pytest.approx(1, abs=0.002)
        for label, share in entry["soft_label"].items():
            assert share == round(counts[label] / counts.total(), 3)


def test_all_judged_pairs_of_the_tables_are_in_the_split_of_their_family(exported):
    folder, out, _ = exported
    pairs = read_release(folder).pairs
    judged = {(pair.split, pair.id) for pair in pairs if pair.origin == "judged" and pair.subset}
    assert judged == entries(out).keys()


def test_names_of_sentences_are_their_roles(tmp_path):
    LabelStudy(NLI).write(tmp_path / "release")
    export_lewidi(tmp_path / "release", tmp_path / "out", task="natural language inference")
    entry = next(iter(entries(tmp_path / "out").values()))
    assert [*entry["text"]] == ["Premise", "Hypothesis"]
    assert entry["annotation task"] == "natural language inference"


def test_opinions_are_read_as_the_published_set_par(tmp_path):
    LabelStudy(OPINIONS).write(tmp_path / "release", name="Par")
    options = ("--out", str(tmp_path / "out"), "--keys", "Question1,Question2")
    call_command("export_lewidi", str(tmp_path / "release"), *options)
    choices = Choices(paraphrase_from=1)
    files = [tmp_path / "out" / f"Par_{split}.json" for split in SPLITS]
    read = read_set(read_layout(files, choices), choices, name="Par", version="1")
    assert Counter(pair.split for pair in read.pairs) == {"train": 60, "dev": 20, "test": 20}
    means = {pair.published_id: pair.mean for pair in read.pairs}
    for (_, key), entry in entries(tmp_path / "out", "Par").items():
        answers = [*map(int, entry["annotations"].values())]
        assert means[key] == pytest.approx(sum(answers) / len(answers))


@pytest.mark.parametrize("keys", ["one", "one,two,three", "one,one", "one,"])
def test_other_than_two_keys_are_refused(tmp_path, keys):
    with pytest.raises(CommandError, match="are not two names"):
        call_command("export_lewidi", "release", "--out", str(tmp_path), "--keys", keys)


def test_what_is_no_release_of_judged_pairs_is_refused(tmp_path):
    with pytest.raises(CommandError, match="does not exist"):
        call_command("export_lewidi", str(tmp_path / "none"), "--out", str(tmp_path / "out"))


def test_replies_of_people_are_under_their_names(tmp_path):
    LabelStudy(OPINIONS).write(tmp_path / "release")
    row = AnnotatorRow("annotator-1", {"First language": "German", "Field": None})
    (tmp_path / "release/annotators.jsonl").write_text(ANNOTATORS.lines([row]))
    export_lewidi(tmp_path / "release", tmp_path / "out")
    people = json.loads((tmp_path / "out/Trial_pairs_annotators_meta.json").read_text())
    assert people["Ann2"] == {"First language": "German", "Field": None}
    assert people["Ann1"] == {}


def test_reasons_are_explanations_in_the_order_of_annotators(tmp_path):
    study = LabelStudy(OPINIONS, [[0, 0, 4, 6, 10]], dev=0, test=0, reasons=True)
    first = study.judgments[0]
    study.judgments[0] = first._replace(reason="Both ask about the same jays.")
    study.write(tmp_path / "release")
    export_lewidi(tmp_path / "release", tmp_path / "out")
    [entry] = json.loads((tmp_path / "out/Trial_pairs_train.json").read_text()).values()
    people = sorted(row.annotator for row in study.judgments)
    reasons = ["Both ask about the same jays." if who == first.annotator else "" for who in people]
    assert entry["other_info"] == {"explanations": reasons}
