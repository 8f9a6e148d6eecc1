"""The dataset card: front matter for `datasets`, the tables of the paper, and how labels came."""

from dataclasses import replace

from huggingface_hub import DatasetCard

from annotation.stats.agreement import filtered
from annotation.stats.labels import scale
from releases.dataset.card import card
from releases.dataset.settings import ReleaseSettings
from tests.releases.dataset.studies import FACTS, FORMAT_1

EMPTY, DEV = {"pairs": 0, "paraphrases": 0}, {"pairs": 8000, "paraphrases": 0}
COUNTS = {
    "corrections": {"accept": 39903, "fix": 7387, "reject": 2710},
    "judgments": 10,
    "annotators": 5,
    "seconds": 240.0,
    "votes": {"back_translation": [[0, 5, 1]], "word_swap": [[5, 0, 1], [4, 1, 1]]},
    "subsets": {
        "labeled_final": {"train": {"pairs": 49401, "paraphrases": 28904}, "dev": DEV, "test": DEV},
        "labeled_swap": {"train": EMPTY},
        "unlabeled_final": {"train": EMPTY, "dev": EMPTY},
        "low_agreement": {"train": {"pairs": 3, "paraphrases": 0}},
    },
}


def drawn(facts=FACTS, settings=None, *, simulated=False, **counts):
    about = {"simulated": simulated, "release_format": FORMAT_1}
    return card(facts, settings or ReleaseSettings(), COUNTS | counts, **about)


def front_matter(*facts, **counts):
    return DatasetCard(drawn(*facts, **counts)).data.to_dict()


def test_the_front_matter_points_at_the_tables_that_have_rows():
    data = front_matter()
    splits = [
        {"split": split, "path": f"parquet/labeled_final/{split}.parquet"}
        for split in ("train", "dev", "test")
    ]
    low = [{"split": "train", "path": "parquet/low_agreement/train.parquet"}]
    assert data["configs"] == [
        {"config_name": "labeled_final", "data_files": splits, "default": True},
        {"config_name": "low_agreement", "data_files": low},
    ]
    assert (data["language"], data["size_categories"]) == ("en", "10K<n<100K")
    assert (data["license"], data.get("license_name")) == ("cc-by-sa-4.0", None)
    data = front_matter(replace(FACTS, licence="Terms of the corpus: ask first"))
    assert [data["license"], data["license_name"]] == ["other", "Terms of the corpus: ask first"]
    nothing = dict.fromkeys(("train", "dev", "test"), EMPTY)
    for pairs, size in (
        (999, "n<1K"), (1_000, "1K<n<10K"), (10_000, "10K<n<100K"),
        (100_000, "100K<n<1M"), (1_000_000, "1M<n<10M"),
    ):  # fmt: skip
        low = {"train": {"pairs": pairs, "paraphrases": 0}}
        data = front_matter(subsets={"labeled_final": nothing, "low_agreement": low})
        assert data["size_categories"] == size


def test_the_tables_of_the_paper_and_what_only_people_know_are_in_it():
    text = drawn()
    for part in (
        "| # Raw pairs | 50,000 |",
        "| labeled_final | 49,401 | 8,000 | 8,000 | 44.2% |",
        "| labeled_swap | 0 |  |  | - |",
        "| Total # back translation pairs | 1 |",
        "5 people judged each pair independently, as having the same meaning or not.",
        "A pair is kept when at least 4 of them agree.",
        "5 annotators gave 10 judgments and took 24.0 seconds for each.",
        "| `back_translation` | 1 | 1.000 | - | - |",
        *(FACTS.description, FACTS.guidelines, FACTS.citation, FACTS.licence),
        "- name: `trigram`, sha256: `abab",
    ):
        assert part in text
    # Not only what people corrected, but everything that the method generated.
    assert "| # Raw pairs | 60,000 |" in drawn(raw={"word_swap": 60_000, "back_translation": 9})
    assert "gave 0 judgments.\n" in drawn(judgments=0, seconds=0.0)
    assert "Not stated." in drawn(replace(FACTS, licence=""))
    # Agreement is there before and after the filter, with its intervals.
    text = drawn(votes={"word_swap": [[5, 0, 30], [4, 1, 10], [3, 2, 5], [0, 5, 8]]})
    both = filtered({(5, 0): 30, (4, 1): 10, (3, 2): 5, (0, 5): 8})
    names = ("`word_swap` | 53", "`word_swap`, kept pairs | 48")
    for name, measured in zip(names, (both.before, both.after), strict=True):
        low, high = measured.alpha.interval
        assert f"| {name} | {measured.human.value:.3f} (" in text
        assert f" | {measured.alpha.value:.3f} ({low:.3f} to {high:.3f}) |" in text


def test_the_order_of_keys_in_stored_facts_changes_nothing():
    """Postgres stores the keys of JSON in an order of its own."""
    settings = {"seed": "7", "settings": "{}"}
    model = {"method": "word_swap", "part": "scorer", "name": "trigram", "revision": "2"} | settings
    stored = dict(sorted(model.items(), key=lambda item: (len(item[0]), item[0])))
    line = "- method: `word_swap`, part: `scorer`, name: `trigram`, revision: `2`, seed: `7`, "
    assert list(stored) != list(model)
    assert line in drawn(replace(FACTS, models=(model,)))
    assert line in drawn(replace(FACTS, models=(stored,)))


def test_what_only_some_studies_have_is_told_of_them_alone():
    settings = ReleaseSettings(scheme=scale(3, border=2), decides_early=True)
    models = [{"model": "Model", "revision": "7", "labels": 1200}]
    further = {"reopened": 12, "adjudications": 3, "model_judgments": models}
    with_all = drawn(settings=settings, simulated=True, **further)
    for part in (
        "simulated annotators",
        "on a scale from 0 to 3, where 2 and above mean paraphrase",
        "Judging stopped as soon as enough people agreed",
        "12 pairs on which too few people agreed were judged again by other people",
        "An expert adjudicated 3 pairs",
        "The model Model 7 labelled 1,200 pairs.",
        *("`adjudications.jsonl`", "`model_judgments.jsonl`"),
    ):
        assert part in with_all
        assert part not in drawn()
