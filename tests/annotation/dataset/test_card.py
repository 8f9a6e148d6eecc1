from dataclasses import replace

import pytest
from huggingface_hub import DatasetCard

from annotation.dataset.card import card
from annotation.dataset.manifest import ReleaseFacts
from annotation.dataset.settings import ReleaseSettings
from annotation.stats import measures
from tests.annotation.dataset.studies import FACTS

EMPTY = {"pairs": 0, "paraphrases": 0}
COUNTS = {
    "corrections": {"accept": 39903, "fix": 7387, "reject": 2710},
    "judgments": 10,
    "annotators": 5,
    "seconds": 240.0,
    "votes": {
        "back_translation": [[0, 5, 1]],
        "word_swap": [[5, 0, 1], [4, 1, 1]],
    },
    "agreement": {
        "back_translation": {
            "human_agreement": 1.0,
            "fleiss_kappa": None,
            "krippendorff_alpha": None,
        },
        "word_swap": {
            "human_agreement": 0.9,
            "fleiss_kappa": -0.111111,
            "krippendorff_alpha": 0.0,
        },
    },
    "subsets": {
        "labeled_final": {
            "train": {"pairs": 49401, "paraphrases": 28904},
            "dev": {"pairs": 8000, "paraphrases": 0},
            "test": {"pairs": 8000, "paraphrases": 0},
        },
        "labeled_swap": {"train": EMPTY},
        "unlabeled_final": {"train": EMPTY, "dev": EMPTY},
        "low_agreement": {"train": {"pairs": 3, "paraphrases": 0}},
    },
}


def drawn(facts: ReleaseFacts = FACTS, *, simulated: bool = False) -> str:
    return card(facts, ReleaseSettings(), COUNTS, simulated=simulated)


def test_the_front_matter_points_at_the_tables_that_have_rows() -> None:
    data = DatasetCard(drawn()).data.to_dict()
    assert data["configs"] == [
        {
            "config_name": "labeled_final",
            "data_files": [
                {"split": split, "path": f"parquet/labeled_final/{split}.parquet"}
                for split in ("train", "dev", "test")
            ],
            "default": True,
        },
        {
            "config_name": "low_agreement",
            "data_files": [{"split": "train", "path": "parquet/low_agreement/train.parquet"}],
        },
    ]
    assert (data["language"], data["size_categories"]) == ("en", "10K<n<100K")


@pytest.mark.parametrize(
    ("licence", "key", "name"),
    [
        ("cc-by-sa-4.0", "cc-by-sa-4.0", None),
        ("Terms of the corpus: ask first", "other", "Terms of the corpus: ask first"),
    ],
)
def test_a_licence_without_an_identifier_is_named(licence: str, key: str, name: str | None) -> None:
    data = DatasetCard(drawn(replace(FACTS, licence=licence))).data.to_dict()
    assert (data["license"], data.get("license_name")) == (key, name)


def test_the_tables_of_the_paper_are_in_it() -> None:
    text = drawn()
    assert "| # Raw pairs | 50,000 |" in text
    assert "| labeled_final | 49,401 | 8,000 | 8,000 | 44.2% |" in text
    assert "| Total # back translation pairs | 1 |" in text
    assert "5 annotators gave 10 judgments and took 24.0 seconds for each." in text


def test_agreement_stands_before_and_after_the_filter_with_its_intervals() -> None:
    votes = {"word_swap": [[5, 0, 30], [4, 1, 10], [3, 2, 5], [0, 5, 8]]}
    text = card(FACTS, ReleaseSettings(), COUNTS | {"votes": votes}, simulated=False)
    both = measures.filtered({(5, 0): 30, (4, 1): 10, (3, 2): 5, (0, 5): 8})
    for name, pairs, measured in (
        ("`word_swap`", 53, both.before),
        ("`word_swap`, kept pairs", 48, both.after),
    ):
        low, high = measured.alpha.interval or (0.0, 0.0)
        assert f"| {name} | {pairs} | {measured.human.value:.3f} (" in text
        assert f" | {measured.alpha.value:.3f} ({low:.3f} to {high:.3f}) |" in text


def test_a_measure_that_is_undefined_is_a_dash() -> None:
    assert "| `back_translation` | 1 | 1.000 | - | - |" in drawn()


def test_a_protocol_that_decides_early_says_so() -> None:
    early = card(FACTS, ReleaseSettings(decides_early=True), COUNTS, simulated=False)
    assert "Nobody was asked any more once so many agreed" in early
    assert "Nobody was asked any more" not in drawn()


def test_rounds_experts_and_guests_are_named_where_there_are_any() -> None:
    guests = [{"guest": "Model", "revision": "7", "labels": 1200}]
    counts = COUNTS | {"reopened": 12, "adjudications": 3, "guests": guests}
    text = card(FACTS, ReleaseSettings(), counts, simulated=False)
    assert "12 pairs on which too few agreed were asked of as many other people anew" in text
    assert "An expert looked at 3 pairs" in text
    assert "The model Model 7 labelled 1,200 pairs." in text
    assert "`adjudications.jsonl`" in text
    assert "`guests.jsonl`" in text
    assert "guests" not in drawn()
    assert "adjudications" not in drawn()


def test_what_only_people_know_is_in_it() -> None:
    text = drawn()
    for fact in (FACTS.description, FACTS.guidelines, FACTS.citation, "trigram", FACTS.licence):
        assert fact in text


def test_only_a_trial_says_that_it_is_one() -> None:
    assert "simulated annotators" in drawn(simulated=True)
    assert "simulated" not in drawn()


def test_a_graded_scale_is_explained() -> None:
    graded = ReleaseSettings(max_label=3, paraphrase_from=2)
    text = card(FACTS, graded, COUNTS, simulated=False)
    assert "on a scale from 0 to 3, where 2 and above mean paraphrase" in text
