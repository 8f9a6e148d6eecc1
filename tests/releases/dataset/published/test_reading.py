"""What becomes of the rows of a published set: texts, ids, splits, and what is counted."""

import json

import pytest

from releases.dataset.published.findings import find
from releases.dataset.published.layout import read_layout
from releases.dataset.published.reading import read_set
from releases.dataset.published.settings import Choices, PublishedSettings, UnusableSet
from releases.dataset.writers import write_release
from tests.releases.dataset.published.sets import PAIRS, PAWS, lines, numbered
from tests.releases.dataset.studies import FACTS, SETTINGS, complete_content

HEADER = PAWS[1:]


@pytest.fixture
def read(tmp_path):
    """Call it with the content of files by name: returns the set that is read."""

    def read_files(files, choices=Choices()):  # noqa: B008 a constant
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
        layout = read_layout([tmp_path], choices)
        return read_set(layout, choices, name="Trial", version="1.0")

    return read_files


def test_texts_change_no_more_than_tables_ask_for(read):
    rows = [
        ("  It  rains on\u2028“us”. ", "Cafe\u0301 owners met.", 1),
        ("Caf\xe9 Owners met.", "It rains.", 0),
    ]
    texts = read({"train.tsv": lines(rows, HEADER)})
    assert [(pair.text1, pair.text2) for pair in texts.pairs] == [
        ("It  rains on “us”.", "Caf\xe9 owners met."),
        ("Caf\xe9 Owners met.", "It rains."),
    ]
    assert texts.counts.to_dict()["changed"] == {"breaks_to_spaces": 1, "nfc": 1, "stripped": 1}


def test_ids_depend_on_the_split_so_that_each_split_may_count_from_one(read):
    files = {f"{split}.tsv": lines(numbered(), PAWS) for split in ("train", "test")}
    pairs = read(files).pairs
    assert [pair.published_id for pair in pairs] == [*"12345"] * 2
    assert len({pair.id for pair in pairs}) == len(pairs)
    assert [pair.id for pair in read(files).pairs] == [pair.id for pair in pairs]


def test_rows_of_another_language_are_left_out(read):
    rows = [
        (*pair, language)
        for pair, language in zip(PAIRS, ["en", "de", "en-GB", "", "fr"], strict=True)
    ]
    published = read({"train.tsv": lines(rows, (*HEADER, "lang"))}, Choices(language="en-US"))
    assert [pair.text1 for pair in published.pairs] == [PAIRS[n][0] for n in (0, 2, 3)]
    assert published.counts.left_out == {"other_language": 2}


def test_a_split_whose_labels_are_hidden_is_named(read):
    hidden = [(*pair[:2], -1) for pair in PAIRS]
    published = read({"train.tsv": lines(PAIRS, HEADER), "test.tsv": lines(hidden, HEADER)})
    counts = published.counts.to_dict()
    assert (counts["splits_without_labels"], counts["left_out"]) == (["test"], {"no_label": 5})
    assert {pair.split for pair in published.pairs} == {"train"}


def test_drawn_splits_keep_pairs_that_share_a_sentence_or_an_entity_together(read):
    rows = [
        (
            f"Sentence {n}-{side} is here.",
            f"Sentence {n}-{side + 1} is here.",
            n % 2,
            f"term {n // 2}",
        )
        for n in range(60)
        for side in range(3)
    ]
    choices = Choices(draw={"dev": 0.2, "test": 30}, seed=4)
    pairs = read({"pairs.tsv": lines(rows, (*HEADER, "term"))}, choices).pairs
    splits = [pair.split for pair in pairs]
    assert (splits.count("dev"), splits.count("test")) == (36, 30)
    splits_by_entity = {}
    for pair in pairs:
        splits_by_entity.setdefault(pair.entity, set()).add(pair.split)
    assert {len(splits) for splits in splits_by_entity.values()} == {1}
    assert read({}, choices).pairs == pairs
    other_seed = Choices(draw=choices.draw, seed=5)
    assert read({}, other_seed).pairs != pairs


def test_a_table_alone_needs_no_split(read):
    published = read({"dev_and_test.tsv": lines(PAIRS, HEADER)}, Choices(draw={"test": 0.4}))
    assert [pair.split for pair in published.pairs] == ["train"] * 3 + ["test"] * 2


def test_our_own_release_is_read_by_the_configs_of_its_card(tmp_path):
    write_release(tmp_path / "release", complete_content(), facts=FACTS, settings=SETTINGS)
    choices = Choices(config="labeled_final")
    files = read_layout([tmp_path / "release"], choices)
    assert [file.split for file in files] == ["train", "dev", "test"]
    assert {file.path.parent.name for file in files} == {"labeled_final"}
    with pytest.raises(UnusableSet, match="has the configs labeled_final"):
        read_layout([tmp_path / "release"], Choices())


def test_settings_come_back_from_the_manifest_as_they_were(read):
    settings = read({"train.tsv": lines(numbered(), PAWS)}, Choices(language="en")).settings
    stored = json.loads(json.dumps(settings.to_dict()))
    assert PublishedSettings.from_dict(stored) == settings
    assert (stored["files"][0]["rows"], stored["columns"]["label"]) == (5, "label")


def test_findings_count_equal_repeated_contradicting_pairs_and_shared_sentences(read):
    train = [
        ("It rains.", "It rains.", 1),
        ("Bo ran.", "Ada ran.", 0),
        ("ada ran .", "Bo  ran.", 0),
        ("Ada ran.", "Bo ran.", 1),
    ]
    test = [("Bo ran.", "Ada ran.", 0), ("It pours.", "It rains.", 0)]
    published = read({"train.tsv": lines(train, HEADER), "test.tsv": lines(test, HEADER)})
    assert find(published.pairs).to_dict() == {
        "equal": {"train": 1},
        "repeated": {"train": 1, "test": 1},
        "contradicting": {"train": 1},
        "shared": {"train, test": 3},
    }
