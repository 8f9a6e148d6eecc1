"""The answers of a release as LeWiDi 2025 publishes its sets (Learning with Disagreements, JSON).

https://github.com/Le-Wi-Di/le-wi-di.github.io, LeWiDi_3-2025. Labels are strings: values, as in
Par, or names where labels have no order, as in VariErrNLI. There a person may give several labels
to a pair, with a soft label for each; here everybody gives one.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.stats.labels import Scheme
from releases.dataset.files import ANNOTATORS, JUDGMENTS
from releases.dataset.folders import new_folder, write_text
from releases.dataset.reader import ReadRelease, Unreadable, read_release, read_rows
from releases.dataset.rows import SPLITS, JudgmentRow, ReleasedPair

DECIMALS = 3
# Entries of a set by their id.
Entries = dict[str, dict[str, Any]]


def export_lewidi(
    folder: Path, out: Path, *, task: str = "", keys: Sequence[str] = ()
) -> dict[str, int]:
    """Write the judged pairs of a release to a new folder; return the number in each file.

    `task` is what people did, by default the name of the release, and `keys` are the names of both
    sentences. Pairs of low agreement are in the split of their family; recombined and unjudged ones
    are not answers of people. Raises Unreadable, and FileExistsError if the folder has files.
    """
    release = read_release(folder)
    for difference in release.found:
        raise Unreadable(difference.path, difference.what, difference.line)
    answers = _answers_by_pair(release)
    people = _numbers_of_people(answers.values())
    title = re.sub(r"\W+", "_", release.manifest["name"]).strip("_")
    numbers: dict[str, int] = {}
    with new_folder(out) as root:
        for split in SPLITS:
            entries = {
                pair.id: _entry(
                    release,
                    pair,
                    answers[pair.id],
                    people,
                    task=task or release.manifest["name"],
                    keys=keys or default_keys(release.settings.scheme),
                )
                for pair in release.pairs
                if pair.origin == "judged" and pair.subset and pair.split == split
            }
            if entries:
                numbers[f"{title}_{split}.json"] = len(entries)
                _write(root / f"{title}_{split}.json", entries)
        replies = _replies(release)
        about_people: Entries = {
            _name(number): dict(replies.get(person, {})) for person, number in people.items()
        }
        numbers[f"{title}_annotators_meta.json"] = len(about_people)
        _write(root / f"{title}_annotators_meta.json", about_people)
    return numbers


def default_keys(scheme: Scheme) -> tuple[str, ...]:
    """Return the names of both sentences: their roles, if the study names them."""
    return scheme.captions or ("sentence1", "sentence2")


def label_text(scheme: Scheme, place: int) -> str:
    """Return how a label is written: its value or, of more than two without an order, its name."""
    has_values = scheme.is_binary or scheme.is_ordered
    return str(scheme.value(place)) if has_values else scheme.name_of(place)


def _answers_by_pair(release: ReadRelease) -> Mapping[str, list[JudgmentRow]]:
    answers = defaultdict[str, list[JudgmentRow]](list)
    for row in read_rows(release.folder, JUDGMENTS, version=release.version):
        answers[row.pair].append(row)
    return answers


def _replies(release: ReadRelease) -> dict[str, Mapping[str, str | None]]:
    """Return what people replied to questions about themselves, by pseudonym."""
    if not (release.folder / ANNOTATORS.path).exists():
        return {}
    rows = read_rows(release.folder, ANNOTATORS, version=release.version)
    return {row.annotator: row.replies for row in rows}


def _numbers_of_people(answers: Iterable[Sequence[JudgmentRow]]) -> dict[str, int]:
    """Return the numbers of people, from 1 in the order of their pseudonyms."""
    people = sorted({row.annotator for rows in answers for row in rows})
    return {person: number for number, person in enumerate(people, start=1)}


def _name(number: int) -> str:
    return f"Ann{number}"


def _entry(
    release: ReadRelease,
    pair: ReleasedPair,
    answers: Iterable[JudgmentRow],
    people: Mapping[str, int],
    *,
    task: str,
    keys: Sequence[str],
) -> dict[str, Any]:
    scheme = release.settings.scheme
    answers = sorted(answers, key=lambda row: people[row.annotator])
    labels = {
        _name(people[row.annotator]): label_text(scheme, scheme.values.index(row.label))
        for row in answers
    }
    reasons = [row.reason or "" for row in answers]
    return {
        "annotation task": task,
        "text": dict(zip(keys, (pair.text1, pair.text2), strict=True)),
        "number of annotators": len(labels),
        "annotators": ",".join(labels),
        "number of annotations": len(labels),
        "annotations": labels,
        "soft_label": dict(_shares(scheme, list(labels.values()))),
        "split": pair.split,
        "lang": release.language,
        "other_info": {"explanations": reasons} if any(reasons) else {},
    }


def _shares(scheme: Scheme, labels: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yield every label and its share of the answers."""
    counts = Counter(labels)
    for place in range(scheme.size):
        text = label_text(scheme, place)
        yield text, round(counts[text] / len(labels), DECIMALS)


def _write(path: Path, entries: Mapping[str, Any]) -> None:
    write_text(path, json.dumps(entries, indent=4, ensure_ascii=False) + "\n")
