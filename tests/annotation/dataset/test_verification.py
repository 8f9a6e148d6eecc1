"""Each kind of tampering is found, also by somebody who brings every checksum up to date."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from annotation.dataset import rules
from annotation.dataset.archive import pack
from annotation.dataset.croissant import croissant
from annotation.dataset.manifest import as_json, described
from annotation.dataset.plan import ReleasePlan, plan
from annotation.dataset.reading import read_release
from annotation.dataset.rows import ReleasedPair
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.verification import FILES, verify
from annotation.dataset.writers import write_release
from tests.annotation.dataset.studies import FACTS, Study, study

SETTINGS = ReleaseSettings(seed=7, dev=0.2, test=0.2)
Change = Callable[[ReleasePlan, Study], ReleasePlan]


def planned(some: Study) -> ReleasePlan:
    return plan(some.sentences, some.pairs, some.candidates, settings=SETTINGS)


def write(folder: Path, made: ReleasePlan, some: Study) -> None:
    write_release(
        folder,
        made,
        sentences=some.sentences,
        judgments=some.judgments,
        facts=FACTS,
        settings=SETTINGS,
    )


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("releases") / "1.0.0"
    some = study(families=150)
    write(folder, planned(some), some)
    return folder


@pytest.fixture
def folder(untouched: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(untouched, tmp_path / "1.0.0"))


def sign(folder: Path) -> None:
    """Bring checksums and sizes in manifest.json and croissant.json up to date."""
    manifest = json.loads((folder / "manifest.json").read_text())
    rows = {path: entry["rows"] for path, entry in manifest["files"].items()}
    data = {path: number for path, number in rows.items() if number is not None}
    (folder / "croissant.json").write_text(as_json(croissant(FACTS, described(folder, data))))
    manifest["files"] = described(folder, rows)
    (folder / "manifest.json").write_text(as_json(manifest))


def test_a_release_as_it_was_written_has_no_difference(untouched: Path) -> None:
    assert verify(untouched) == []


def test_signing_alone_makes_no_difference(folder: Path) -> None:
    sign(folder)
    assert verify(folder) == []


def test_an_archive_is_verified_like_a_folder(untouched: Path, tmp_path: Path) -> None:
    archive = tmp_path / "release.tar.gz"
    pack(untouched, archive, created=FACTS.created)
    assert verify(archive) == []


@pytest.mark.parametrize("path", sorted(FILES))
def test_a_changed_byte_is_found_in_every_file(folder: Path, path: str) -> None:
    content = bytearray((folder / path).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / path).write_bytes(content)
    assert path in {difference.path for difference in verify(folder)}


@pytest.mark.parametrize("path", sorted(FILES))
def test_a_missing_file_is_found(folder: Path, path: str) -> None:
    (folder / path).unlink()
    assert rules.Difference(path, "is missing") in verify(folder)


@pytest.mark.parametrize("path", ["notes.txt", "labeled_final/.dev.tsv.swp", "parquet/x.parquet"])
def test_an_extra_file_is_found(folder: Path, path: str) -> None:
    (folder / path).write_text("")
    assert verify(folder) == [rules.Difference(path, "is no file of a release")]


def edit(folder: Path, path: str, line: int, old: str, new: str) -> None:
    """Change one line of a file and sign the release anew."""
    lines = (folder / path).read_text(encoding="utf-8").split("\n")
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new, 1)
    (folder / path).write_text("\n".join(lines), encoding="utf-8")
    sign(folder)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("labeled_final/train.tsv", ".\t", "!\t"),
        ("labeled_swap/train.tsv", ".\t", "!\t"),
        ("low_agreement.tsv", "\t3\t2", "\t2\t3"),
        ("unlabeled_final/dev.tsv", ".\t", "!\t"),
        ("sentences.jsonl", ".", "!"),
        ("sentences.jsonl", ": ", ":  "),
        ("sentences.jsonl", '"method": null', '"method": 1'),
        ("pairs.jsonl", '"kept": true', '"kept": false'),
        ("pairs.jsonl", '"split": "train"', '"split": "dev"'),
        ("pairs.jsonl", '"split": "train"', '"split": "exam"'),
        ("judgments.jsonl", '"label": 1', '"label": 0'),
        ("judgments.jsonl", '"label": 1', '"label": 2'),
        ("judgments.jsonl", "annotator-", "somebody-"),
        ("judgments.jsonl", '"simulated": false', '"simulated": true'),
        ("manifest.json", '"seed": 7', '"seed": 8'),
        ("manifest.json", '"simulated": false', '"simulated": true'),
        ("manifest.json", '"dev": 0.2', '"dev": 0.1'),
        ("manifest.json", '"recombined": ', '"recombined": 1'),
        ("manifest.json", '"paraphrases": ', '"paraphrases": 1'),
        ("manifest.json", '"format": "pawsmith-release/1"', '"format": "pawsmith-release/0"'),
    ],
)
def test_a_signed_change_of_one_value_is_found(folder: Path, path: str, old: str, new: str) -> None:
    lines = (folder / path).read_text(encoding="utf-8").split("\n")
    edit(folder, path, next(n for n, line in enumerate(lines) if n and old in line), old, new)
    assert verify(folder)


def test_a_signed_second_is_found(folder: Path) -> None:
    lines = (folder / "judgments.jsonl").read_text().split("\n")
    line = next(n for n, line in enumerate(lines) if '"seconds": null' in line)
    edit(folder, "judgments.jsonl", line, '"seconds": null', '"seconds": 1.5')
    assert [difference.path for difference in verify(folder)] == ["manifest.json"]


def test_a_signed_row_moved_between_tables_is_found(folder: Path) -> None:
    train, test = folder / "labeled_final/train.tsv", folder / "labeled_final/test.tsv"
    header, row, *rest = train.read_text().split("\n")
    train.write_text("\n".join([header, *rest]))
    test.write_text(test.read_text() + row + "\n")
    sign(folder)
    key = row.split("\t")[0]
    assert rules.Difference("labeled_final/test.tsv", f"{key} does not belong here") in verify(
        folder
    )
    assert rules.Difference("labeled_final/train.tsv", f"{key} is missing") in verify(folder)


def test_signed_rows_in_another_order_are_found(folder: Path) -> None:
    path = folder / "labeled_final/train.tsv"
    header, one, two, *rest = path.read_text().split("\n")
    path.write_text("\n".join([header, two, one, *rest]))
    sign(folder)
    assert "another order" in str(verify(folder)[0])


def test_a_signed_value_in_parquet_is_found(folder: Path) -> None:
    path = folder / "parquet/labeled_final/dev.parquet"
    table = pq.read_table(path)
    labels = [1 - label.as_py() for label in table["label"]]
    pq.write_table(table.set_column(3, "label", pa.array(labels, pa.int64())), path)
    sign(folder)
    assert [difference.path for difference in verify(folder)] == [
        "parquet/labeled_final/dev.parquet"
    ]


def test_another_encoding_or_line_end_is_found(folder: Path) -> None:
    path = folder / "labeled_final/dev.tsv"
    for content in (b"\xef\xbb\xbf" + path.read_bytes(), path.read_bytes().replace(b"\n", b"\r\n")):
        path.write_bytes(content)
        sign(folder)
        assert [difference.path for difference in verify(folder)] == ["labeled_final/dev.tsv"]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "pawsmith-release/1"}', "[" * 9999])
def test_a_manifest_that_is_none_is_found(folder: Path, content: str) -> None:
    (folder / "manifest.json").write_text(content)
    assert [difference.path for difference in verify(folder)] == ["manifest.json"]


def change_first(
    made: ReleasePlan, which: Callable[[ReleasedPair], bool], **new: object
) -> ReleasePlan:
    """The plan with other values in the first pair of a kind."""
    first = next(pair for pair in made.pairs if which(pair))
    pairs = (replace(pair, **new) if pair is first else pair for pair in made.pairs)  # type: ignore[arg-type]
    return replace(made, pairs=tuple(pairs))


def final(pair: ReleasedPair) -> bool:
    return (pair.origin, pair.subset, pair.split) == ("judged", "labeled_final", "train")


def composed(pair: ReleasedPair) -> bool:
    return (pair.origin, pair.split, pair.label) == ("recombined", "train", 0)


def flipped_label(made: ReleasePlan, some: Study) -> ReleasePlan:
    return change_first(made, lambda pair: final(pair) and pair.label == 1, label=0)


def flipped_recombined_label(made: ReleasePlan, some: Study) -> ReleasePlan:
    return change_first(made, composed, label=1)


def invented_votes(made: ReleasePlan, some: Study) -> ReleasePlan:
    return change_first(made, lambda pair: pair.votes == (0, 5), votes=(1, 4))


def pair_not_kept_in_the_final_set(made: ReleasePlan, some: Study) -> ReleasePlan:
    def low(pair: ReleasedPair) -> bool:
        return pair.subset == "low_agreement"

    return change_first(made, low, kept=True, label=1, subset="labeled_final", split="train")


def moved_pair(made: ReleasePlan, some: Study) -> ReleasePlan:
    return change_first(made, composed, split="test")


def shared_source(made: ReleasePlan, some: Study) -> ReleasePlan:
    """Two pairs of one source, unconnected otherwise, in two splits."""
    first = next(pair for pair in made.pairs if composed(pair))
    relatives = {first.sentence1, first.sentence2}
    sources = {row.id: row.source for row in some.sentences}
    other = next(
        p for p in made.pairs if p.split == "test" and sources[p.sentence1] not in relatives
    )
    some.sentences[:] = [
        replace(row, source=sources[first.sentence1]) if row.id == other.sentence1 else row
        for row in some.sentences
    ]
    return made


def equal_pair_in_test(made: ReleasePlan, some: Study) -> ReleasePlan:
    def equal(pair: ReleasedPair) -> bool:
        return made.texts[pair.sentence1] == made.texts[pair.sentence2] and pair.kept

    return change_first(made, equal, subset="labeled_final", split="test")


def sides_unmasked(made: ReleasePlan, some: Study) -> ReleasePlan:
    parents = {row.id: row.rewritten_from for row in some.sentences}
    pairs = (
        replace(pair, sentence1=pair.sentence2, sentence2=pair.sentence1)
        if parents[pair.sentence1] == pair.sentence2
        else pair
        for pair in made.pairs
    )
    return replace(made, pairs=tuple(pairs))


def via_of_another(made: ReleasePlan, some: Study) -> ReleasePlan:
    other = [pair for pair in made.pairs if composed(pair)][-1]
    return change_first(made, composed, via=other.via)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (flipped_label, rules.labels_follow),
        (flipped_recombined_label, rules.labels_follow),
        (pair_not_kept_in_the_final_set, rules.labels_follow),
        (invented_votes, rules.votes_are_judgments),
        (moved_pair, rules.families_stay_together),
        (shared_source, rules.families_stay_together),
        (equal_pair_in_test, rules.no_equal_sentences_to_test_on),
        (sides_unmasked, rules.sides_are_even),
        (via_of_another, rules.via_connects),
    ],
)
def test_a_release_written_from_a_false_plan_breaks_a_rule(
    tmp_path: Path, change: Change, rule: rules.Rule
) -> None:
    some = study(families=150)
    made = planned(some)
    write(tmp_path / "1.0.0", change(made, some), some)
    assert list(rule(read_release(tmp_path / "1.0.0")))
    assert verify(tmp_path / "1.0.0")


@pytest.mark.parametrize("rule", [*rules.REFERENCES, *rules.RULES])
def test_a_true_release_breaks_no_rule(untouched: Path, rule: rules.Rule) -> None:
    assert list(rule(read_release(untouched))) == []


def turned_pair(made: ReleasePlan, some: Study) -> ReleasePlan:
    first = next(pair for pair in made.pairs if final(pair))
    return change_first(made, final, sentence1=first.sentence2, sentence2=first.sentence1)


def dropped_recombined_pair(made: ReleasePlan, some: Study) -> ReleasePlan:
    first = next(pair for pair in made.pairs if composed(pair))
    return replace(made, pairs=tuple(pair for pair in made.pairs if pair is not first))


def whole_family_moved(made: ReleasePlan, some: Study) -> ReleasePlan:
    splits = {"test": "dev", "dev": "test"}
    pairs = (replace(pair, split=splits.get(pair.split or "", pair.split)) for pair in made.pairs)  # type: ignore[arg-type]
    return replace(made, pairs=tuple(pairs), silver=())


@pytest.mark.parametrize("change", [turned_pair, dropped_recombined_pair, whole_family_moved])
def test_what_breaks_no_rule_but_is_not_what_the_settings_give_is_found(
    tmp_path: Path, change: Change
) -> None:
    some = study(families=150)
    write(tmp_path / "1.0.0", change(planned(some), some), some)
    release = read_release(tmp_path / "1.0.0")
    assert [difference for rule in rules.RULES for difference in rule(release)] == []
    assert verify(tmp_path / "1.0.0")


def test_a_circle_of_rewrites_is_found(tmp_path: Path) -> None:
    some = study(families=20)
    made = planned(some)
    one, other = (row for row in some.sentences[:2])
    some.sentences[0] = replace(one, rewritten_from=other.id)
    write(tmp_path / "1.0.0", made, some)
    assert "does not come from its source" in str(verify(tmp_path / "1.0.0")[0])


def test_a_sentence_that_is_not_there_is_found(tmp_path: Path) -> None:
    some = study(families=20)
    made = planned(some)
    gone = some.sentences.pop()
    write(tmp_path / "1.0.0", made, some)
    assert any(gone.id in difference.what for difference in verify(tmp_path / "1.0.0"))


def test_many_differences_are_cut_short(tmp_path: Path) -> None:
    some = study(families=150)
    made = planned(some)
    some.judgments.clear()
    write(tmp_path / "1.0.0", made, some)
    found = [str(difference) for difference in verify(tmp_path / "1.0.0")]
    assert sum("has votes" in what for what in found) == 20
    assert any(what.startswith("pairs.jsonl: and ") for what in found)
