"""Published sets in the forms that their publishers chose, with sentences of our own."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from releases.dataset.published.settings import Choices

PAIRS = [
    ("The ferry leaves the harbour at noon.", "At noon the ferry leaves the harbour.", 1),
    ("Mara paid the baker before the miller.", "Mara paid the miller before the baker.", 0),
    ('"A small win", he called it twice.', 'He twice called it "a small win".', 1),
    ("The tower is older than the bridge.", "The bridge is older than the tower.", 0),
    ("Café owners met, and the mayor spoke.", "The mayor spoke when café owners met.", 1),
]
READ = {"dtype": str, "keep_default_na": False, "encoding": "utf-8-sig"}
TABS, QUOTED_TABS = READ | {"sep": "\t", "quoting": 3}, READ | {"sep": "\t"}


@dataclass(frozen=True)
class PublishedSet:
    """Its files by name; how pandas reads them, and what pandas calls sentences and label."""

    files: Mapping[str, bytes]
    columns: tuple[Any, Any, Any]
    choices: Choices = field(default_factory=Choices)
    read: Mapping[str, Any] = field(default_factory=dict)
    without_labels: str = ""  # a file that pandas need not read
    labels: tuple[int | None, ...] = tuple(label for *_, label in PAIRS)


def lines(rows, header=(), *, separator="\t", start=""):
    table = [header, *rows] if header else rows
    return (start + "".join(f"{separator.join(map(str, row))}\n" for row in table)).encode()


def csv(rows, header, *, sep=","):
    text = pd.DataFrame(rows, columns=header).to_csv(index=False, sep=sep, lineterminator="\n")
    return text.encode()


def parquet(rows, header):
    file = io.BytesIO()
    pd.DataFrame(rows, columns=header).to_parquet(file, index=False)
    return file.getvalue()


def numbered(start=1):
    return [(number, *pair) for number, pair in enumerate(PAIRS, start)]


SENTENCES = ("sentence1", "sentence2")
PAWS = ("id", *SENTENCES, "label")
GRADES = (3, 1, 2, 0, 3)  # from 2 on a paraphrase
SCORES = (4.8, 1.25, 4.0, 0.0, 5.0)
VOTES_OF_5 = ("(5, 0)", "(1, 4)", "(3, 2)", "(2, 3)", "(4, 1)")
VOTES_OF_6 = ("(6, 6)", "(2, 6)", "(4, 6)", "(3, 6)", "(5, 6)")
NAMES = {1: "entailment", 0: "contradiction"}
ANNOTATIONS = ([5, 3, 4], [-5, 0, 1], [3, 2, 4], [-1, -4, 2], [5, 5, 5])
TAGS = "The/O/DT/B-NP/O ferry/O/NN/I-NP/O leaves/O/VBZ/B-VP/O the/O/DT/B-NP/O harbour/O/NN/I-NP/O"
BYTES = [
    (n, repr(one.encode()), repr(other.encode()), label) for n, one, other, label in numbered()
]

SETS = {
    "PAWS, TSV": PublishedSet(
        {f"{split}.tsv": lines(numbered(), PAWS) for split in ("train", "dev", "test")},
        PAWS[1:],
        read=TABS,
    ),
    "PAWS-X, CSV with a nameless column": PublishedSet(
        {"train.csv": csv(numbered(0), ("", *SENTENCES, "noisy_label"))},
        (*SENTENCES, "noisy_label"),
        read=READ,
    ),
    "PAWS, Parquet in parts": PublishedSet(
        {
            "data/train-00000-of-00002.parquet": parquet(numbered(), PAWS),
            "data/train-00001-of-00002.parquet": parquet(numbered(6), PAWS),
        },
        PAWS[1:],
    ),
    "PAWS-QQP, bytes of Python": PublishedSet(
        {"train.tsv": lines(BYTES, PAWS), "dev_and_test.tsv": lines(BYTES, PAWS)},
        PAWS[1:],
        Choices(files={"dev_and_test.tsv": "test"}),
        read=TABS,
    ),
    "PAWS-X in XTREME, no header": PublishedSet(
        {"dev-de.tsv": lines(PAIRS), "test-de.tsv": lines([pair[:2] for pair in PAIRS])},
        (0, 1, 2),
        read=TABS | {"header": None},
        without_labels="test-de.tsv",
    ),
    "PARADE": PublishedSet(
        {
            f"PARADE_{split}.txt": lines(
                [
                    (grade, label, "ferry", *texts)
                    for grade, (*texts, label) in zip(GRADES, PAIRS, strict=True)
                ],
                ("Four-class labels", "Binary labels", "Entity", "Definition1", "Definition2"),
            )
            for split in ("train", "validation", "test")
        },
        ("Definition1", "Definition2", "Binary labels"),
        read=TABS,
    ),
    "MRPC": PublishedSet(
        {
            f"msr_paraphrase_{split}.txt": lines(
                [(label, n, n + 100, *texts) for n, *texts, label in numbered()],
                ("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String"),
                start="\ufeff",
            )
            for split in ("train", "test")
        },
        ("#1 String", "#2 String", "Quality"),
        read=TABS,
    ),
    "GLUE, hidden labels of test": PublishedSet(
        {
            "train.parquet": parquet(
                [(*pair, n) for n, pair in enumerate(PAIRS)], (*PAWS[1:], "idx")
            ),
            "test.parquet": parquet(
                [(*texts, -1, n) for n, (*texts, _) in enumerate(PAIRS)], (*PAWS[1:], "idx")
            ),
        },
        PAWS[1:],
        without_labels="test.parquet",
    ),
    "QQP, quoted TSV": PublishedSet(
        {
            "quora_duplicate_questions.tsv": csv(
                [
                    (n, n, n + 50, one, f"{other}\nReally?", label)
                    for n, one, other, label in numbered()
                ],
                ("id", "qid1", "qid2", "question1", "question2", "is_duplicate"),
                sep="\t",
            )
        },
        ("question1", "question2", "is_duplicate"),
        Choices(files={"quora_duplicate_questions.tsv": "train"}),
        read=QUOTED_TABS,
    ),
    "QQP, CSV": PublishedSet(
        {
            "questions.csv": csv(
                [(n, n, n + 50, *texts, label) for n, *texts, label in numbered()],
                ("id", "qid1", "qid2", "question1", "question2", "is_duplicate"),
            )
        },
        ("question1", "question2", "is_duplicate"),
        read=READ,
    ),
    "QQP, no header": PublishedSet(
        {"train.tsv": lines([(label, *texts, n + 300) for n, *texts, label in numbered()])},
        (1, 2, 0),
        read=TABS | {"header": None},
    ),
    "Twitter-URL": PublishedSet(
        {
            f"Twitter_URL_Corpus_{split}.txt": lines(
                [
                    (*pair[:2], votes, "https://example.org/a-rather-long-address-of-some-page")
                    for pair, votes in zip(PAIRS, VOTES_OF_6, strict=True)
                ]
            )
            for split in ("train", "test")
        },
        (0, 1, 2),
        Choices(votes=(4, 4)),
        read=TABS | {"header": None},
        labels=(1, 0, 1, None, 1),
    ),
    "PIT-2015": PublishedSet(
        {
            f"{split}.data": lines(
                [
                    (n, "Key", *pair[:2], votes, TAGS, TAGS)
                    for n, (pair, votes) in enumerate(zip(PAIRS, VOTES_OF_5, strict=True), 20)
                ]
            )
            for split in ("train", "dev")
        },
        (2, 3, 4),
        Choices(votes=(3, 4)),
        read=TABS | {"header": None},
        labels=(1, 0, 1, None, 1),
    ),
    "STS-B, no header": PublishedSet(
        {
            "sts-train.csv": lines(
                [
                    ("main-news", "headlines", 2015, n, score, *pair[:2])
                    for n, (pair, score) in enumerate(zip(PAIRS, SCORES, strict=True))
                ]
            )
        },
        (5, 6, 4),
        Choices(columns={"grade": "5", "domain": "1"}, paraphrase_from=4),
        read=TABS | {"header": None},
    ),
    "STS-B, Parquet, 0 to 5": PublishedSet(
        {
            "validation.parquet": parquet(
                [(*pair[:2], score) for pair, score in zip(PAIRS, SCORES, strict=True)], PAWS[1:]
            )
        },
        PAWS[1:],
        Choices(paraphrase_from=4),
    ),
    "STS-B, Parquet, 0 to 1": PublishedSet(
        {
            "test.parquet": parquet(
                [(*pair[:2], score / 5) for pair, score in zip(PAIRS, SCORES, strict=True)],
                (*SENTENCES, "score"),
            )
        },
        (*SENTENCES, "score"),
        Choices(paraphrase_from=0.8),
    ),
}
SICK = lines(
    [
        (n, *texts, score, NAMES[label].upper(), "TRIAL")
        for (n, *texts, label), score in zip(numbered(), SCORES, strict=True)
    ],
    (
        "pair_ID",
        "sentence_A",
        "sentence_B",
        "relatedness_score",
        "entailment_judgment",
        "SemEval_set",
    ),
)
SNLI = [
    {"gold_label": NAMES[label], "sentence1": one, "sentence2": other, "annotator_labels": ["x"]}
    for one, other, label in PAIRS
]
LEWIDI = {
    str(n): {
        "text": {"Question1": one, "Question2": other},
        "number of annotations": 3,
        "annotators": "Ann1,Ann2,Ann3",
        "annotations": {f"Ann{at}": str(answer) for at, answer in enumerate(answers, 1)},
        "soft_label": {"0": 0.5, "1": 0.5},
        "split": "dev",
        "lang": "en",
    }
    for (n, one, other, _), answers in zip(numbered(), ANNOTATIONS, strict=True)
}
SETS |= {
    "SICK, scores decide": PublishedSet(
        {"SICK.txt": SICK},
        ("sentence_A", "sentence_B", "entailment_judgment"),
        Choices(paraphrase_from=4),
        read=TABS,
    ),
    "SICK, names decide": PublishedSet(
        {"SICK.txt": SICK},
        ("sentence_A", "sentence_B", "entailment_judgment"),
        Choices(labels={"ENTAILMENT": 1, "CONTRADICTION": 0}),
        read=TABS,
    ),
    "SNLI": PublishedSet(
        {"snli_1.0_dev.jsonl": "".join(f"{json.dumps(row)}\n" for row in SNLI).encode()},
        (*SENTENCES, "gold_label"),
        Choices(labels={"entailment": 1, "neutral": 0, "contradiction": 0}),
    ),
    "LeWiDi, Par": PublishedSet(
        {"Paraphrase_dev.json": json.dumps(LEWIDI, indent=4).encode()},
        ("text.Question1", "text.Question2", "annotations"),
        Choices(paraphrase_from=2, language="en"),
    ),
}
