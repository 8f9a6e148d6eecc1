"""Published sets that cannot be read as they are: the error says where, why, and what to do."""

import tarfile
import zipfile
from argparse import ArgumentTypeError

import pytest

from releases.dataset.published.archives import unpacked
from releases.dataset.published.layout import read_layout
from releases.dataset.published.reading import read_set
from releases.dataset.published.settings import Choices, UnusableSet
from releases.dataset.published.stated import splits_by_file
from tests.releases.dataset.published.sets import (
    PAIRS,
    PAWS,
    SCORES,
    SENTENCES,
    VOTES_OF_5,
    csv,
    lines,
    numbered,
    parquet,
)

TRAIN = lines(numbered(), PAWS)
# In one encoding, but for a byte.
BROKEN = TRAIN.replace("Café".encode(), "Café".encode() * 20).replace(b"tower", b"t\xffwer", 1)
CONFIGS = """---
configs:
- {config_name: labeled_final, data_files: train.tsv}
- {config_name: labeled_swap, data_files: test.tsv}
---
"""


def with_column(values, name):
    return lines(
        [(*pair[:2], value) for pair, value in zip(PAIRS, values, strict=False)], (*SENTENCES, name)
    )


DAMAGED = {
    "a line of another width": (
        {"train.tsv": TRAIN.replace(b"Mara paid the miller", b"Mara\tpaid the miller")},
        Choices(),
        "train.tsv, line 3: other number of columns. In all, 1 of 5 lines are refused (other "
        "number of columns 1). Correct them, or leave them out: --accept-refused.",
    ),
    "bytes that are no text": (
        {"train.tsv": BROKEN},
        Choices(),
        "train.tsv, line 5: broken text. In all, 1 of 5 lines are refused (broken text 1). Correct "
        "them, or leave them out: --accept-refused.",
    ),
    "an empty sentence": (
        {"train.tsv": TRAIN.replace(PAIRS[3][1].encode(), b" ")},
        Choices(),
        "train.tsv, line 5: empty. In all, 1 of 5 lines are refused (empty 1). Correct them, or "
        "leave them out: --accept-refused.",
    ),
    "one sentence": (
        {"train.csv": csv([(pair[0], pair[2]) for pair in PAIRS], ("sentence1", "label"))},
        Choices(),
        "train.csv: no column is the sentence2; its columns are sentence1, label. Say which one "
        "is: --columns sentence2=NAME.",
    ),
    "two columns of labels": (
        {"train.csv": csv([(*pair, 1 - pair[2]) for pair in PAIRS], (*PAWS[1:], "gold_label"))},
        Choices(),
        "train.csv: columns label and gold_label may be the label. Say which one is, for "
        "example: --columns label=label.",
    ),
    "names of labels": (
        {"train.tsv": with_column(["entailment", "neutral"] * 3, "label")},
        Choices(),
        "train.tsv: labels are entailment, neutral. Say which mean a paraphrase, for example "
        "--labels entailment=1,neutral=0.",
    ),
    "scores": (
        {"sts.csv": with_column(SCORES, "score")},
        Choices(),
        "sts.csv: labels are numbers from 0 to 5. Say from which on a pair is a paraphrase: "
        "--paraphrase-from 4.",
    ),
    "votes": (
        {"train.tsv": with_column(VOTES_OF_5, "votes of people")},
        Choices(),
        "train.tsv: labels are votes such as (5, 0). Say how many make a paraphrase, and how many "
        "make none: --votes 3,4.",
    ),
    "grades that contradict labels": (
        {
            "train.tsv": lines(
                [(*pair, grade) for pair, grade in zip(PAIRS, (3, 2, 2, 0, 3), strict=True)],
                (*PAWS[1:], "grade"),
            )
        },
        Choices(),
        "train.tsv, line 3: label and grade disagree, where 2 is the lowest grade of a paraphrase. "
        "Correct them, or leave one column out: --columns grade=-.",
    ),
    "a file with other columns": (
        {"train.tsv": TRAIN, "test.tsv": lines(numbered(), ("id", "one", "sentence2", "label"))},
        Choices(),
        "test.tsv: its columns are id, one, sentence2, label; those of the other files are id, "
        "sentence1, sentence2, label. Give all files the same columns, or name fewer files.",
    ),
    "an id twice": (
        {"train.tsv": lines([*numbered(), *numbered(5)], PAWS)},
        Choices(),
        "train.tsv, line 7: its id 5 occurs before. Correct the ids, or leave them out: --columns "
        "id=-.",
    ),
    "a split of no name": (
        {"pairs.tsv": with_column(["train", "dev", "test", "extra", "dev"], "split")},
        Choices(columns={"label": "-"}),
        "pairs.tsv, line 5: the split extra is none of train, dev, test. Correct it, or leave that "
        "column out: --columns split=-.",
    ),
    "a file of two splits": (
        {"train.tsv": TRAIN, "dev_and_test.tsv": TRAIN},
        Choices(),
        "dev_and_test.tsv may be dev and test. Say which it is: --split test=dev_and_test.tsv.",
    ),
    "two files that are no parts of one": (
        {"labeled_final/train.tsv": TRAIN, "labeled_swap/train.tsv": TRAIN},
        Choices(),
        "labeled_final/train.tsv and labeled_swap/train.tsv: the split train would be all of "
        "these. Say which is which: --split train=labeled_final/train.tsv.",
    ),
    "several configs": (
        {"README.md": CONFIGS.encode(), "train.tsv": TRAIN, "test.tsv": TRAIN},
        Choices(),
        "The folder has the configs labeled_final and labeled_swap. Choose one of them: --config.",
    ),
    "a list of JSON that ends early": (
        {"train.json": b'[{"sentence1": "It rains.", "sentence2": "It pours.", "label": 1}, {"s'},
        Choices(),
        "train.json: After object 1, the file is not a JSON list [{…}, {…}]. Correct it there and "
        "upload it again.",
    ),
    "the end of a Parquet file": (
        {"train.parquet": parquet(numbered(), PAWS)[20:]},
        Choices(),
        "train.parquet: This is not a Parquet file, or it is damaged. Write it again.",
    ),
    "rows of another language": (
        {"train.tsv": with_column(["eng"] * 5, "lang")},
        Choices(columns={"label": "-"}, language="en"),
        "train.tsv: no row is in the language en. Correct --language, or leave the column out: "
        "--columns language=-.",
    ),
    "no rows": (
        {"train.tsv": lines([], PAWS)},
        Choices(),
        "train.tsv has no rows. Name files with labelled pairs.",
    ),
    "no objects": (
        {"train.json": b"[]"},
        Choices(),
        "train.json has no rows. Name files with labelled pairs.",
    ),
    "a split without rows": (
        {"train.tsv": TRAIN, "test.tsv": lines([], PAWS)},
        Choices(),
        "test.tsv has no rows. Name files with labelled pairs.",
    ),
    "hidden labels alone": (
        {"test.tsv": with_column([-1] * 5, "label")},
        Choices(),
        "test.tsv: no row has a label. Say which column has: --columns label=NAME.",
    ),
    "a typo in labels": (
        {"train.tsv": with_column([0, 1, 0, "1o", 1], "label")},
        Choices(),
        "train.tsv: labels are 0, 1, 1o. Say which mean a paraphrase, for example --labels "
        "0=0,1=1,1o=0.",
    ),
    "a column twice": (
        {"train.tsv": lines(numbered(), ("sentence1", "sentence2", "sentence3", "sentence2"))},
        Choices(columns={"sentence2": "4"}),
        "train.tsv names the column sentence2 twice. Rename one.",
    ),
    "data files that are no paths": (
        {"README.md": CONFIGS.replace("train.tsv", "5").encode(), "train.tsv": TRAIN},
        Choices(config="labeled_final"),
        "README.md: data_files of config labeled_final are no paths. Correct them, or name the "
        "files: --split train=FILE.",
    ),
    "a pattern that is none": (
        {"README.md": CONFIGS.replace("train.tsv", "a**b").encode(), "train.tsv": TRAIN},
        Choices(config="labeled_final"),
        "README.md: no table of config labeled_final matches a**b. Name the files: --split "
        "train=FILE.",
    ),
    "a split that is drawn and there": (
        {"train.tsv": TRAIN, "dev.tsv": TRAIN},
        Choices(draw={"dev": 0.1}),
        "The set has a split dev. Draw only dev or test, and only if the set lacks that split: "
        "--draw.",
    ),
}


@pytest.mark.parametrize(("files", "choices", "message"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_set_is_refused_with_place_and_remedy(tmp_path, files, choices, message):
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UnusableSet) as refusal:
        read_set(read_layout([tmp_path], choices), choices, name="Trial", version="1.0")
    assert str(refusal.value) == message


def test_refused_lines_are_left_out_if_people_accept_that(tmp_path):
    choices = Choices(accepts_refused=True)
    (tmp_path / "train.tsv").write_bytes(BROKEN)
    read = read_set(read_layout([tmp_path], choices), choices, name="Trial", version="1.0")
    assert [pair.published_id for pair in read.pairs] == ["1", "2", "3", "5"]
    assert read.counts.refused == {"broken_text": 1}


@pytest.mark.parametrize("name", ["../train.tsv", "/train.tsv"])
def test_an_archive_with_a_path_outside_its_folder_is_refused(tmp_path, name):
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as archive:
        archive.writestr(name, TRAIN)
    with (
        pytest.raises(UnusableSet, match="is a link or lies outside"),
        unpacked([tmp_path / "set.zip"]),
    ):
        pass


def test_an_archive_with_a_link_is_refused(tmp_path):
    link = tarfile.TarInfo("set/train.tsv")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    with tarfile.open(tmp_path / "set.tar.gz", "w:gz") as archive:
        archive.addfile(link)
    with (
        pytest.raises(UnusableSet, match="is a link or lies outside"),
        unpacked([tmp_path / "set.tar.gz"]),
    ):
        pass


@pytest.mark.parametrize(
    "pack", [lambda content: content[:-30], lambda content: content[:60] + b"no" + content[62:]]
)
def test_a_damaged_archive_is_refused(tmp_path, pack):
    with zipfile.ZipFile(tmp_path / "set.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("train.tsv", TRAIN * 100)
    (tmp_path / "set.zip").write_bytes(pack((tmp_path / "set.zip").read_bytes()))
    with (
        pytest.raises(UnusableSet, match=r"set.zip: .*Pack it again"),
        unpacked([tmp_path / "set.zip"]),
    ):
        pass


def test_an_archive_without_a_table_is_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "set.zip", "w"):
        pass
    with (
        unpacked([tmp_path / "set.zip"]) as paths,
        pytest.raises(UnusableSet, match=r"^set.zip: no file ends in"),
    ):
        read_layout(paths, Choices())


def test_the_splits_of_a_card_may_be_names(tmp_path):
    names = "{train: train.tsv, validation: [other.tsv]}"
    (tmp_path / "README.md").write_text(CONFIGS.replace("train.tsv", names, 1))
    for name in ("train.tsv", "other.tsv"):
        (tmp_path / name).write_bytes(TRAIN)
    files = read_layout([tmp_path], Choices(config="labeled_final"))
    assert [(file.name, file.split) for file in files] == [
        ("train.tsv", "train"),
        ("other.tsv", "dev"),
    ]


def test_a_file_has_one_split():
    with pytest.raises(ArgumentTypeError, match=r"^a.tsv cannot be dev and test"):
        splits_by_file([("dev", "a.tsv"), ("dev", "b.tsv"), ("test", "a.tsv")])


def test_a_stated_split_has_several_files(tmp_path):
    for name in ("train.tsv", "one.tsv", "other.tsv", "test.tsv"):
        (tmp_path / name).write_bytes(TRAIN)
    stated = {"one.tsv": "dev", "other.tsv": "dev", "test.tsv": None}
    files = read_layout([tmp_path], Choices(files=stated))
    assert [(file.name, file.split) for file in files] == [
        ("train.tsv", "train"),
        ("one.tsv", "dev"),
        ("other.tsv", "dev"),
    ]


def test_the_folder_in_an_archive_is_read_as_a_folder(tmp_path):
    (tmp_path / "set" / "data").mkdir(parents=True)
    (tmp_path / "set" / "data" / "train.tsv").write_bytes(TRAIN)
    with tarfile.open(tmp_path / "set.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "set", "set")
    with unpacked([tmp_path / "set.tar.gz"]) as paths:
        files = read_layout(paths, Choices())
        assert [(file.name, file.split) for file in files] == [("train.tsv", "train")]
