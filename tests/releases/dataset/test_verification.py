"""Whatever is changed in a release is found: by checksum, or signed anew by a forger."""

import io
import json
import tarfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from releases.dataset.folders import pack
from releases.dataset.formats import RELEASE
from releases.dataset.manifest import as_json, describe_files
from releases.dataset.reader import Unreadable
from releases.dataset.verification import verify
from tests.releases.dataset.studies import FACTS, describe_again

DEV, TRAIN, TEST = (f"labeled_final/{split}.tsv" for split in ("dev", "train", "test"))
SENTENCES, PAIRS, JUDGMENTS = "sentences.jsonl", "pairs.jsonl", "judgments.jsonl"
ADJUDICATIONS, ANNOTATORS = "adjudications.jsonl", "annotators.jsonl"
MODELS, PROMPTS = "model_judgments.jsonl", "prompts.jsonl"


def told(folder):
    return [str(difference) for difference in verify(folder)]


def sign(folder):
    """Bring checksums and sizes in manifest.json up to date."""
    manifest = json.loads((folder / "manifest.json").read_text())
    rows = {path: entry["rows"] for path, entry in manifest["files"].items()}
    manifest["files"] = describe_files(folder, rows)
    (folder / "manifest.json").write_text(as_json(manifest))


@pytest.fixture
def forged(copied):
    """What is told of the release with other contents of some files, signed by the forger."""

    def forge(contents, *, signed=True):
        folder = copied()
        for path, content in contents.items():
            (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
        if signed:
            describe_again(folder)
            sign(folder)
        return told(folder)

    return forge


def test_a_release_as_it_was_written_has_no_difference(release, forged, tmp_path):
    assert told(release) == forged({}) == []
    pack(release, tmp_path / "release.tar.gz", name="study-1.0", created=FACTS.created)
    assert told(tmp_path / "release.tar.gz") == []


@pytest.mark.parametrize("name", ["../outside.txt", "/outside.txt", "study-1.0/link"])
def test_an_archive_that_would_write_outside_its_folder_is_refused(tmp_path, name):
    member = tarfile.TarInfo(name)
    if name.endswith("link"):
        member.type, member.linkname = tarfile.SYMTYPE, "/"
    with tarfile.open(tmp_path / "release.tar.gz", "w:gz") as archive:
        archive.addfile(member, io.BytesIO())
    with pytest.raises(Unreadable, match="not a file or folder inside the archive"):
        verify(tmp_path / "release.tar.gz")


def test_an_archive_of_another_compression_is_refused(tmp_path):
    with tarfile.open(tmp_path / "release.tar.xz", "w:xz") as archive:
        archive.addfile(tarfile.TarInfo("study-1.0/manifest.json"), io.BytesIO())
    with pytest.raises(Unreadable, match=r"is neither a folder nor a \.tar\.gz"):
        verify(tmp_path / "release.tar.xz")


def test_a_changed_byte_and_a_missing_or_further_file_are_found(copied, forged):
    # README.md first: where a file cannot be read, its checksum is told all the same.
    folder, paths = (
        copied(),
        sorted([*RELEASE.required, ADJUDICATIONS, ANNOTATORS, MODELS, PROMPTS]),
    )
    for path in paths:
        content = bytearray((folder / path).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / path).write_bytes(content)
    wrong = "has another checksum or size than in the manifest"
    assert told(folder)[:20] == [f"{path}: {wrong}" for path in paths[:20]]
    folder = copied()
    for path in RELEASE.required:
        (folder / path).unlink()
    assert told(folder)[: len(RELEASE.required)] == [
        f"{path}: is missing" for path in sorted(RELEASE.required)
    ]
    for path in (ADJUDICATIONS, ANNOTATORS, MODELS):
        (folder := copied()).joinpath(path).unlink()
        assert f"{path}: is missing" in told(folder)
    for path in ("notes.txt", "labeled_final/.dev.tsv.swp", "parquet/x.parquet"):
        assert forged({path: ""}, signed=False) == [f"{path}: is no file of a release"]


def test_hashes_of_models_are_compared_with_the_card(forged, release):
    manifest = json.loads((release / "manifest.json").read_text())
    model, *others = manifest["models"]
    for models, what in (
        ([model | {"sha256": "cd" * 32}, *others], "models are not those that README.md lists"),
        ([], "models are not those that README.md lists"),
        ([model | {"sha256": "unknown"}, *others], "'unknown', of a model, is not a SHA-256"),
        ([model | {"seed": 7}, *others], "models is not a list of models with texts as values"),
        (None, "models is not a list of models with texts as values"),
    ):
        changed = as_json(manifest | {"models": models})
        assert f"manifest.json: {what}" in forged({"manifest.json": changed}, signed=False)


def test_a_prompt_that_no_run_names_is_found(forged, release):
    prompts = (release / PROMPTS).read_text().replace("local:small", "local:large")
    what = f"{PROMPTS}: the prompts are not those of the runs in manifest.json, in order"
    assert forged({PROMPTS: prompts}) == [what]


def test_a_manifest_that_is_none_or_says_what_is_not_so_is_found(forged, release, tmp_path):
    for content in ("", "{", "[]", '{"format": "pawsmith-release/1"}', "[" * 9999):
        [found] = forged({"manifest.json": content}, signed=False)
        assert found.startswith("manifest.json: "), content
    assert "line 1, column 2" in forged({"manifest.json": "{"}, signed=False)[0]
    [found] = map(str, verify(tmp_path))
    assert found.startswith("manifest.json: is missing, so this is no release: name the folder")
    manifest = json.loads((release / "manifest.json").read_text())
    settings, files = manifest["settings"], manifest["files"]
    others = {path: entry for path, entry in files.items() if path != "README.md"}
    for change, what in (
        ({"settings": {"dev": 1.5}}, "settings: dev is 1.5, neither"),
        ({"settings": {"dev": "many"}}, "settings: '<' not supported"),
        ({"settings": {"luck": 1}}, "settings: ReleaseSettings.__init__() got an unexpected"),
        ({"settings": settings | {"dev": 100_000}}, "the settings cannot be followed"),
        ({"files": {"README.md": {"bytes": 1}}}, "README.md is not described by sha256, bytes"),
        ({"files": {"README.md": 1}}, "README.md is not described by sha256, bytes"),
        ({"counts": []}, "no counts"),
        ({"seed": 8}, "seed is 8, not 7"),
        ({"simulated": True}, "simulated is True, not False"),
        ({"counts": manifest["counts"] | {"luck": 1}}, "luck is 1, not None"),
        ({"counts": manifest["counts"] | {"recombined": 1}}, "recombined is 1, not "),
        ({"files": files | {DEV: files[DEV] | {"rows": 1}}}, f"{DEV} has 16 rows, not 1"),
        ({"files": files | {MODELS: files[MODELS] | {"rows": 1}}}, f"{MODELS} has 2 rows, not 1"),
        ({"format": "pawsmith-release/0"}, "not of the format pawsmith-release/1"),
    ):
        found = forged({"manifest.json": json.dumps(manifest | change)}, signed=False)
        assert any(each.startswith(f"manifest.json: {what}") for each in found), what
    found = forged({"manifest.json": json.dumps(manifest | {"files": others})}, signed=False)
    assert found == ["README.md: is not in the manifest"]


HEADER = (
    "id, sentence1, sentence2, label, votes0, votes1, soft_label, domain, method, kind, generator, "
    "run, split"
)
NOISY = "unlabeled_final/train.tsv"
# A file, a text in it, what a forger puts for that, and what is told of that line.
FORGED = [
    (TRAIN, ".\t", "!\t", "is not as in pairs.jsonl"),
    ("labeled_swap/train.tsv", ".\t", "!\t", "is not as in pairs.jsonl"),
    ("low_agreement.tsv", "\t3\t2", "\t2\t3", "is not as in pairs.jsonl"),
    (TRAIN, "\tname\t", "\tphrase\t", "is not as in pairs.jsonl"),
    (TRAIN, "\ttagger + trigram\t", "\ttrigram\t", "is not as in pairs.jsonl"),
    (PAIRS, '"domain": "news"', '"domain": "letters"', "is 'letters', not 'news'"),
    (PAIRS, '"kind": "name"', '"kind": null', "is None, not 'name'"),
    (PAIRS, '"run": 4', '"run": 5', "is 5, not 4"),
    (NOISY, "\ttagger + trigram\t", "\ttrigram\t", "is trigram, not tagger + trigram"),
    (SENTENCES, '"run": 4', '"run": 9', "is of run 9, which manifest.json does not have"),
    (DEV, "label", "labels", "the header is not id, sentence1, sentence2, label"),
    (SENTENCES, ": ", ":  ", "not written as the format writes it"),
    (SENTENCES, '"method": null', '"method": 1', "method is 1"),
    (PAIRS, '"kept": true', '"kept": false', "is False, not True"),
    (PAIRS, '"kept": true', '"kept": 1', "kept is 1"),
    (PAIRS, '"kept": true', '"kept": true, "note": ""', "not the fields id, sentence1"),
    (PAIRS, '"via": []', '"via": [1]', "[1] is not a list of ids"),
    (PAIRS, "[5, 0]", "[5.0, 0]", "[5.0, 0] are not whole numbers"),
    (PAIRS, "[5, 0]", "[2, 2, 1]", "votes are 3 numbers, not 2"),
    (JUDGMENTS, '"label": 1', '"label": 2', "the label 2"),
    (PROMPTS, "Rewrite", "Reword", "the SHA-256 of the text is not"),
    (ADJUDICATIONS, '"label": 1', '"label": 2', "has the label 2"),
    (ADJUDICATIONS, '"label": null', '"label": 0.0', "label is 0.0"),
    (MODELS, '"score": 0.75', '"score": 1.25', "has the score 1.25"),
    (MODELS, '"score": 0.75', '"score": -0.1', "has the score -0.1"),
    (MODELS, '"label": 1', '"label": 7', "has the label 7"),
    (MODELS, '"label": 1', '"label": -1', "has the label -1"),
    (MODELS, '"pair": "', '"pair": "x', "is no judged pair, or comes twice"),
]
# What is told of another place.
TOLD_ELSEWHERE = [
    ("unlabeled_final/dev.tsv", ".\t", "!\t", "parquet/unlabeled_final/dev.parquet: does not hold"),
    (SENTENCES, "bears", "birds", ".tsv, line "),
    (PAIRS, 'swap", "split": "train', 'swap", "split": "dev', "there is no dev of labeled"),
    (JUDGMENTS, '"label": 1', '"label": 0', " is (1, 4), not (2, 3)"),
    (JUDGMENTS, "annotator-", "x-", "manifest.json: annotators is 9, not 10"),
    (JUDGMENTS, "false", "true", "manifest.json: simulated_judgments is 0, not 1"),
    (JUDGMENTS, "null", "1.5", "manifest.json: seconds is 4688.41, not 4689.91"),
    ("manifest.json", '"dev": 0.2', '"dev": 0.1', "pairs.jsonl, line 4: split of "),
    ("manifest.json", '"paraphrases": ', '"paraphrases": 1', "manifest.json: subsets is "),
]


def test_a_signed_change_of_a_text_is_found(release, forged, subtests):
    for row in FORGED + TOLD_ELSEWHERE:
        path, old, new, what = row
        with subtests.test(path=path, old=old, new=new):
            text = (release / path).read_text(encoding="utf-8")
            line = text[: text.index(old)].count("\n") + 1
            place = f"{path}, line {line}: " if row in FORGED else ""
            found = forged({path: text.replace(old, new, 1)})
            assert any(each.startswith(place) and what in each for each in found), found


def test_signed_rows_that_are_no_labels_moved_doubled_or_cut_off_are_found(release, forged):
    dev, train, test, pairs, adjudications, models = (
        (release / path).read_text().split("\n")
        for path in (DEV, TRAIN, TEST, PAIRS, ADJUDICATIONS, MODELS)
    )
    *texts, _label, rest = dev[1].split("\t", maxsplit=4)
    for label in ("", "01", "-0", "1.0", "one", "1\t1"):
        found = forged({DEV: "\n".join([dev[0], "\t".join([*texts, label, rest]), *dev[2:]])})
        assert f"{DEV}, line 2: not {HEADER}" in found, label
    header, one, two, *rest = train
    of_test = [*test[:-1], one, ""]
    found = forged({TRAIN: "\n".join([header, two, *rest]), TEST: "\n".join(of_test)})
    key = one.split("\t")[0]
    assert f"{TEST}, line {len(test)}: {key} is not as in pairs.jsonl" in found
    key = two.split("\t")[0]
    assert f"{TRAIN}, line 2: {key} is not as in pairs.jsonl" in found
    for path, lines, what in (
        (TRAIN, [header, two, one, *rest], "line 2: "),
        (TRAIN, [header, one, one, two, *rest], "line 3: "),
        (TRAIN, train[:-1], f"line {len(train) - 1}: the line has no end"),
        (PAIRS, [pairs[1], pairs[0], *pairs[2:]], "the pairs are in another order"),
        (MODELS, [models[0], *models], "line 2: "),
        (ADJUDICATIONS, [adjudications[0], *adjudications], "or comes twice"),
    ):
        found = forged({path: "\n".join(lines)})
        assert any(each.startswith(path) and what in each for each in found), (path, what)
    judged = (pair for pair in map(json.loads, pairs[:-1]) if pair["origin"] == "judged")
    kept = next(pair["id"] for pair in judged if pair["kept"])
    found = forged({ADJUDICATIONS: json.dumps({"pair": kept, "label": 1}) + "\n"})
    assert f"{ADJUDICATIONS}, line 1: {kept} is no judged pair without a label" in found[0]


def test_other_values_columns_encodings_and_line_ends_are_found(release, forged):
    path, rows = "parquet/labeled_final/dev.parquet", f"does not hold the rows of {DEV}, from its"
    table = pq.read_table(release / path)
    labels = [1 - label.as_py() for label in table["label"]]
    for changed, what in (
        (table.set_column(3, "label", pa.array(labels, pa.int64())), f"{rows} line 2 on"),
        (table.slice(0, 15), f"{rows} line 17 on"),
        (table.rename_columns([*"abcdefghijklm"]), f"the columns are not {HEADER}"),
    ):
        pq.write_table(changed, file := pa.BufferOutputStream())
        assert forged({path: file.getvalue().to_pybytes()}) == [f"{path}: {what}"]
    content = (release / DEV).read_bytes()
    for other in (b"\xef\xbb\xbf" + content, content.replace(b"\n", b"\r\n")):
        what = f"the header is not {HEADER}"
        assert forged({DEV: other}) == [f"{DEV}, line 1: {what}"]
