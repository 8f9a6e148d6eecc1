"""Whatever is changed in a release is found: by checksum, or signed anew by a forger."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.dataset.archive import pack
from annotation.dataset.croissant import croissant
from annotation.dataset.manifest import as_json, described
from annotation.dataset.verification import FILES, verify
from tests.annotation.dataset.studies import FACTS

DEV, TRAIN = "labeled_final/dev.tsv", "labeled_final/train.tsv"
ADJUDICATIONS, GUESTS = "adjudications.jsonl", "guests.jsonl"


def told(folder):
    return [str(difference) for difference in verify(folder)]


def sign(folder):
    """Bring checksums and sizes in manifest.json and croissant.json up to date."""
    manifest = json.loads((folder / "manifest.json").read_text())
    rows = {path: entry["rows"] for path, entry in manifest["files"].items()}
    data = {path: number for path, number in rows.items() if number is not None}
    (folder / "croissant.json").write_text(as_json(croissant(FACTS, described(folder, data))))
    manifest["files"] = described(folder, rows)
    (folder / "manifest.json").write_text(as_json(manifest))


def replaced(folder, path, old, new):
    """Put one text for another in the first line that has it; gives the number of that line."""
    lines = (folder / path).read_text(encoding="utf-8").split("\n")
    number = next(number for number, line in enumerate(lines) if old in line)
    lines[number] = lines[number].replace(old, new, 1)
    (folder / path).write_text("\n".join(lines), encoding="utf-8")
    return number + 1


def rewritten(folder, path, change):
    """Change the parts between line breaks as a list."""
    lines = (folder / path).read_text().split("\n")
    (folder / path).write_text("\n".join(change(*lines)))


def test_a_release_as_it_was_written_has_no_difference(release, copied, tmp_path):
    assert verify(release) == []
    sign(folder := copied())
    assert verify(folder) == []
    pack(release, tmp_path / "release.tar.gz", created=FACTS.created)
    assert verify(tmp_path / "release.tar.gz") == []


def test_a_changed_or_missing_byte_is_found_in_every_file(copied):
    """README.md first: where a file cannot be read, its checksum is told all the same."""
    folder, paths = copied(), sorted([*FILES, ADJUDICATIONS, GUESTS])
    for path in paths:
        content = bytearray((folder / path).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / path).write_bytes(content)
    wrong = "has another checksum or size than in the manifest"
    assert told(folder)[: len(paths) - 1] == [f"{path}: {wrong}" for path in paths[:20]]


def test_a_missing_or_further_file_is_found(copied):
    folder = copied()
    for path in FILES:
        (folder / path).unlink()
    assert told(folder)[: len(FILES)] == [f"{path}: is missing" for path in sorted(FILES)]
    for path in (ADJUDICATIONS, GUESTS):
        (folder := copied()).joinpath(path).unlink()
        assert f"{path}: is missing" in told(folder)
    for path in ("notes.txt", "labeled_final/.dev.tsv.swp", "parquet/x.parquet"):
        (folder := copied()).joinpath(path).write_text("")
        assert told(folder) == [f"{path}: is no file of a release"]


def test_a_manifest_that_is_none_is_found(copied):
    folder = copied()
    for content in ("", "{", "[]", '{"format": "pawsmith-release/1"}', "[" * 9999):
        (folder / "manifest.json").write_text(content)
        assert [difference.path for difference in verify(folder)] == ["manifest.json"], content


def test_a_manifest_that_says_what_is_not_so_is_found(copied, release):
    manifest = json.loads((release / "manifest.json").read_text())
    settings, files = manifest["settings"], manifest["files"]
    others = {path: entry for path, entry in files.items() if path != "README.md"}
    for change, what in (
        ({"settings": {"dev": 1.5}}, "settings: dev is 1.5, neither"),
        ({"settings": {"dev": "many"}}, "settings: '<' not supported"),
        ({"settings": {"luck": 1}}, "settings: no such settings: luck"),
        ({"settings": settings | {"dev": 100_000}}, "the settings cannot be followed"),
        ({"files": {"README.md": {"bytes": 1}}}, "README.md is not described by sha256, bytes"),
        ({"files": {"README.md": 1}}, "README.md is not described by sha256, bytes"),
        ({"counts": []}, "no counts"),
        ({"seed": 8}, "seed is 8, not 7"),
        ({"simulated": True}, "simulated is True, not False"),
        ({"counts": manifest["counts"] | {"luck": 1}}, "luck is 1, not None"),
        ({"counts": manifest["counts"] | {"recombined": 1}}, "recombined is 1, not "),
        ({"files": files | {DEV: files[DEV] | {"rows": 1}}}, f"{DEV} has 16 rows, not 1"),
        ({"files": files | {GUESTS: files[GUESTS] | {"rows": 1}}}, f"{GUESTS} has 2 rows, not 1"),
        ({"format": "pawsmith-release/0"}, "not of the format pawsmith-release/1"),
    ):
        folder = copied()
        (folder / "manifest.json").write_text(json.dumps(manifest | change))
        assert any(each.startswith(f"manifest.json: {what}") for each in told(folder)), what
    (folder / "manifest.json").write_text(json.dumps(manifest | {"files": others}))
    assert told(folder) == ["README.md: is not in the manifest"]
    described = json.loads((folder / "croissant.json").read_text())
    described["distribution"][0]["sha256"] = "00" * 32
    for text, what in (
        (json.dumps(described), "describes other files than the manifest"),
        ("{}", "cannot be read: KeyError('distribution')"),
    ):
        (folder := copied()).joinpath("croissant.json").write_text(text)
        assert f"croissant.json: {what}" in told(folder)


# By path: a text, what a forger puts for it, and what is told of that line.
FORGED = {
    TRAIN: [(".\t", "!\t", "is not as in pairs.jsonl")],
    "labeled_swap/train.tsv": [(".\t", "!\t", "is not as in pairs.jsonl")],
    "low_agreement.tsv": [("\t3\t2", "\t2\t3", "is not as in pairs.jsonl")],
    DEV: [("label", "labels", "the header is not id, sentence1, sentence2, label")],
    "sentences.jsonl": [
        (": ", ":  ", "not written as the format writes it"),
        ('"method": null', '"method": 1', "method is 1"),
    ],
    "pairs.jsonl": [
        ('"kept": true', '"kept": false', "has the label 0, kept False, not 0"),
        ('"kept": true', '"kept": 1', "kept is 1"),
        ('"kept": true', '"kept": true, "note": ""', "not the fields id, sentence1"),
        ('"via": []', '"via": [1]', "via is not a list of ids"),
        ("[5, 0]", "[5.0, 0]", "votes are not two numbers"),
        ("[5, 0]", "[2, 2, 1]", "votes are not two numbers"),
    ],
    "judgments.jsonl": [('"label": 1', '"label": 2', "the label 2")],
    ADJUDICATIONS: [
        ('"label": 1', '"label": 2', "has the label 2"),
        ('"label": null', '"label": 0.0', "label is 0.0"),
    ],
    GUESTS: [
        ('"score": 0.75', '"score": 1.25', "has the score 1.25"),
        ('"score": 0.75', '"score": -0.1', "has the score -0.1"),
        ('"label": 1', '"label": 7', "has the label 7"),
        ('"label": 1', '"label": -1', "has the label -1"),
        ('"pair": "', '"pair": "x', "is no judged pair, or comes twice"),
    ],
}
# What is told of another place.
TOLD_ELSEWHERE = [
    ("unlabeled_final/dev.tsv", ".\t", "!\t", "parquet/unlabeled_final/dev.parquet: does not hold"),
    ("sentences.jsonl", "bears", "birds", ".tsv, line "),
    ("pairs.jsonl", 'swap", "split": "train', 'swap", "split": "dev', "there is no dev of labeled"),
    ("judgments.jsonl", '"label": 1', '"label": 0', "votes (1, 4), and its judgments are (2, 3)"),
    ("judgments.jsonl", "annotator-", "x-", "manifest.json: annotators is 9, not 10"),
    ("judgments.jsonl", "false", "true", "manifest.json: simulated_judgments is 0, not 1"),
    ("judgments.jsonl", "null", "1.5", "manifest.json: seconds is 4688.41, not 4689.91"),
    ("manifest.json", '"dev": 0.2', '"dev": 0.1', "pairs.jsonl, line 4: split of "),
    ("manifest.json", '"paraphrases": ', '"paraphrases": 1', "manifest.json: subsets is "),
]


def test_a_signed_change_of_a_text_is_found(copied, subtests):
    at_the_line = [(path, *each, True) for path, some in FORGED.items() for each in some]
    for path, old, new, what, here in [*at_the_line, *((*row, False) for row in TOLD_ELSEWHERE)]:
        with subtests.test(path=path, old=old, new=new):
            folder = copied()
            line = replaced(folder, path, old, new)
            place = f"{path}, line {line}: " if here else ""
            sign(folder)
            found = told(folder)
            assert any(each.startswith(place) and what in each for each in found), found


def test_a_cell_that_is_no_number_is_found_with_its_line(copied):
    def labelled(header, row, *rest):
        return [header, row[:-1] + label, *rest]

    for label in ("", "01", "-1", "1.0", "one", "1\t1"):
        rewritten(folder := copied(), DEV, labelled)
        sign(folder)
        assert f"{DEV}, line 2: not id, sentence1, sentence2, label" in told(folder), label


def test_signed_rows_that_are_moved_doubled_or_cut_off_are_found(copied):
    folder, test = copied(), "labeled_final/test.tsv"
    header, row, *rest = (folder / TRAIN).read_text().split("\n")
    (folder / TRAIN).write_text("\n".join([header, *rest]))
    rewritten(folder, test, lambda *lines: [*lines[:-1], row, ""])
    sign(folder)
    key, line = row.split("\t")[0], (folder / test).read_text().count("\n")
    assert f"{test}, line {line}: {key} does not belong here" in told(folder)
    assert f"{TRAIN}: {key} is missing" in told(folder)
    for path, change, what in (
        (TRAIN, lambda header, one, two, *rest: [header, two, one, *rest], "in another order, or"),
        (TRAIN, lambda header, one, *rest: [header, one, one, *rest], "or one comes twice"),
        (TRAIN, lambda *lines: lines[:-1], f"line {len(rest) + 1}: the line has no end"),
        (
            "pairs.jsonl",
            lambda one, two, *rest: [two, one, *rest],
            "the pairs are in another order",
        ),
        (GUESTS, lambda one, *rest: [one, one, *rest], "line 2: "),
        (ADJUDICATIONS, lambda one, *rest: [one, one, *rest], "or comes twice"),
    ):
        rewritten(folder := copied(), path, change)
        sign(folder)
        assert any(each.startswith(path) and what in each for each in told(folder)), (path, what)


def test_an_adjudication_of_a_kept_pair_is_found(copied):
    folder = copied()
    pairs = [json.loads(line) for line in (folder / "pairs.jsonl").read_text().splitlines()]
    kept = next(pair["id"] for pair in pairs if pair["kept"] and pair["origin"] == "judged")
    rewritten(folder, ADJUDICATIONS, lambda *_: [json.dumps({"pair": kept, "label": 1}), ""])
    sign(folder)
    assert f"{ADJUDICATIONS}, line 1: {kept} is no judged pair without a label" in told(folder)[0]


def test_other_values_and_columns_in_parquet_are_found(copied):
    path = "parquet/labeled_final/dev.parquet"
    folder = copied()
    table = pq.read_table(folder / path)
    labels = [1 - label.as_py() for label in table["label"]]
    pq.write_table(table.set_column(3, "label", pa.array(labels, pa.int64())), folder / path)
    sign(folder)
    assert told(folder) == [f"{path}: does not hold the rows of {DEV}, from its line 2 on"]
    pq.write_table(table.slice(0, 15), folder / path)
    sign(folder)
    assert told(folder) == [f"{path}: does not hold the rows of {DEV}, from its line 17 on"]
    pq.write_table(table.rename_columns(["id", "sentence1", "sentence2", "x"]), folder / path)
    sign(folder)
    assert told(folder) == [f"{path}: the columns are not id, sentence1, sentence2, label"]


def test_another_encoding_or_line_end_is_found(copied):
    path = copied() / DEV
    for content in (b"\xef\xbb\xbf" + path.read_bytes(), path.read_bytes().replace(b"\n", b"\r\n")):
        path.write_bytes(content)
        sign(path.parents[1])
        assert {difference.path for difference in verify(path.parents[1])} == {DEV}
