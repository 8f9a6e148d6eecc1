"""Releases with the reasons that people gave."""

import json

import pytest

from annotation.models import HiddenReason, Judgment
from annotation.stats.spans import marked
from releases.dataset.verification import verify
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import make
from tests.annotation.pages import client_of, page, release_folder

pytestmark = pytest.mark.django_db
PAIRS = 6


@pytest.fixture
def study():
    """A study whose pairs are all decided; each answer has a text, and words of the source."""
    project = make.study(reasons="required")
    make.pairs(project, PAIRS)
    for _ in range(5):
        member = make.person(project)
        while shown := make.turn(member).shown:
            side = 1 + [text.startswith("Source") for text in shown.sentences].index(True)
            reason = {"reason": f"Why {shown.id}.", "words": [(side, 0, 6)]}
            make.submit(member, item=shown.id, label=1, **reason)
    return project


@pytest.fixture
def build(study, tmp_path):
    """Call it with options: returns the folder of a published release."""

    def build_release(version="1.0", **options):
        release = freeze_version(study, version=version, dev=0, test=0, **options)
        publication.publish(release)
        return folder_of(release)

    with release_folder(tmp_path):
        yield build_release


def lines(folder, name):
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


@pytest.mark.both_engines
def test_words_are_by_the_sentences_of_the_release(build):
    folder = build(reasons=True)
    assert verify(folder) == []
    texts = {row["id"]: row["text"] for row in lines(folder, "sentences.jsonl")}
    pairs = {row["id"]: row for row in lines(folder, "pairs.jsonl")}
    answers = lines(folder, "judgments.jsonl")
    for answer in answers:
        pair = pairs[answer["pair"]]
        sentences = [texts[pair["sentence1"]], texts[pair["sentence2"]]]
        assert marked(answer["words"], sentences) == ["Source"]
        assert answer["reason"] == f"Why {answer['pair']}."
    assert len(answers) == 5 * PAIRS
    assert "`reason` is why a person chose the label" in (folder / "README.md").read_text()


def test_a_release_without_the_option_has_no_reason(build):
    folder = build()
    assert verify(folder) == []
    assert all(
        row.keys().isdisjoint({"reason", "words"}) for row in lines(folder, "judgments.jsonl")
    )
    assert "reason" not in (folder / "README.md").read_text()


def test_a_hidden_reason_is_in_no_new_release_while_earlier_ones_keep_their_bytes(study, build):
    before = build(reasons=True)
    bytes_before = (before / "judgments.jsonl").read_bytes()
    slot = Judgment.objects.filter(project=study).first()
    HiddenReason.objects.create(slot_id=slot.pk)
    after = build("2.0", reasons=True)
    assert len([row for row in lines(after, "judgments.jsonl") if "reason" not in row]) == 1
    publication.publish(study.releases.get(version="1.0"))
    assert (before / "judgments.jsonl").read_bytes() == bytes_before


@pytest.mark.parametrize(
    ("forged", "fault"),
    [
        ({"words": [[1, 0, 999]]}, "has words that are not in the sentences of its pair"),
        ({"words": [[2, 0, 3], [1, 0, 2]]}, "has words that are not in order, or not merged"),
        ({"reason": " "}, "has an empty reason"),
    ],
)
def test_a_forged_reason_is_named_by_file_and_line(build, forged, fault):
    folder = build(reasons=True)
    rows = lines(folder, "judgments.jsonl")
    rows[3] |= forged
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "judgments.jsonl").write_text(text)
    found = [each for each in verify(folder) if fault in each.what]
    assert [(each.path, each.line) for each in found] == [("judgments.jsonl", 4)]


def test_the_form_of_a_draft_shows_ten_reasons_beside_the_option(study):
    shown = client_of(study).get(page("draft_release", study)).text
    assert shown.count("<bdi>Why ") == 10
    assert "Release the reasons" in shown


def test_the_form_of_a_study_without_reasons_has_no_option():
    project = make.study()
    assert "Release the reasons" not in client_of(project).get(page("draft_release", project)).text
