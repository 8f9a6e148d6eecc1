"""Hidden pairs whose answer is known, out of a file: they tell who reads and who does not.

They are candidates of runs of their own, in corpora of their own that no project adopts, so that
nothing of them enters a dataset.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from io import BufferedIOBase

from django.db import transaction

from annotation.models import Project, SentencePair
from annotation.services.pairs import FinalText, open_known
from generation import readers
from generation.models import Candidate
from generation.nlp.text import RefusedText, check
from generation.pair_reader import PairLine
from generation.records import (
    Fault,
    Format,
    Refusal,
    RefusedLine,
    decoded,
    numbered_lines,
    record_reader,
)
from generation.services import corpora
from generation.services.elsewhere import FIRST_REFUSALS, PairReport, import_candidates

REQUIRED, OPTIONAL = ("sentence1", "sentence2", "label"), ("language",)
# The shape of a BCP 47 tag, such as de or zh-Hant-TW, as far as a corpus keeps one.
LANGUAGE = re.compile(r"(?=.{2,35}$)[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", re.ASCII)
Key = tuple[str, str]


class KnownFault(StrEnum):
    """Why a line was refused, beside the reasons of generation.records and generation.nlp.text."""

    BAD_LABEL = "label_not_on_the_scale"
    OTHER_LABEL = "other_label_for_this_pair"
    BAD_LANGUAGE = "bad_language"


@dataclass(frozen=True, slots=True)
class KnownLine:
    """A pair and its answer; `language` is a BCP 47 tag, or empty for the project's."""

    line: int
    sentence1: str
    sentence2: str
    label: str
    language: str = ""

    @property
    def key(self) -> Key:
        """The same for the pair read the other way round."""
        return _key(self.sentence1, self.sentence2)


@dataclass(slots=True)
class KnownReport:
    """What became of the lines of a file; `refused` counts them by reason."""

    read: int = 0
    added: int = 0
    duplicates: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    first_refusals: list[Refusal] = field(default_factory=list)

    def refuse(self, line: int, reason: str) -> None:
        """Count a refused line and remember it if it is one of the first."""
        self.refused[str(reason)] += 1
        if len(self.first_refusals) < FIRST_REFUSALS:
            self.first_refusals.append(Refusal(line, str(reason)))


def read(
    stream: BufferedIOBase,
    file_format: Format,
    *,
    max_characters: int = readers.MAX_CHARACTERS,
) -> Iterator[KnownLine | Refusal]:
    """Lines of a TSV or JSON Lines file. Raises UnreadableFile."""
    lines = numbered_lines(stream)
    record_of = record_reader(lines, file_format, required=REQUIRED, optional=OPTIONAL)
    for number, line in lines:
        try:
            text = decoded(line)
            record = record_of(_numbers_as_text(text) if file_format is Format.JSONL else text)
            yield KnownLine(
                line=number,
                sentence1=check(record.get("sentence1", ""), max_characters=max_characters),
                sentence2=check(record.get("sentence2", ""), max_characters=max_characters),
                label=record.get("label", "").strip(),
                language=record.get("language", "").strip(),
            )
        except (RefusedText, RefusedLine) as refused:
            yield Refusal(number, refused.reason)


@transaction.atomic
def add(project: Project, lines: Iterable[KnownLine | Refusal]) -> KnownReport:
    """Make hidden pairs of the lines, each once: a bad line is reported and stops nothing.

    A pair that the project has as a hidden one already is a duplicate, also the other way round;
    with another label it is refused.
    """
    Project.objects.select_for_update().get(pk=project.pk)  # two imports do not add one pair twice
    report, labels = KnownReport(), _labels(project)
    new: dict[str, list[KnownLine]] = {}
    for line in lines:
        report.read += 1
        if isinstance(line, Refusal):
            report.refuse(line.line, line.reason)
        elif fault := _fault(project, line, labels):
            report.refuse(line.line, fault)
        elif line.key in labels:
            report.duplicates += 1
        else:
            labels[line.key] = int(line.label)
            new.setdefault(line.language or _language(project), []).append(line)
    for language, of_language in new.items():
        _open(project, language, of_language, labels, report)
    return report


def _open(
    project: Project,
    language: str,
    lines: list[KnownLine],
    labels: dict[Key, int],
    report: KnownReport,
) -> None:
    corpus = corpora.open_corpus(_corpus_name(project, language), language=language)
    rewrites = [PairLine(each.line, each.sentence1, each.sentence2) for each in lines]
    done = import_candidates(rewrites, corpus=corpus, origin="hidden pairs")
    for refusal in done.first_refusals:
        report.refuse(refusal.line, refusal.reason)
    report.added += len(open_known(project, _finals(done, labels)))


def _finals(done: PairReport, labels: dict[Key, int]) -> list[tuple[FinalText, int]]:
    made = Candidate.objects.filter(run__in=done.runs.values()).select_related("sentence")
    return [
        (FinalText(each, each.text), labels[_key(each.sentence.text, each.text)])
        for each in made.order_by("pk")
    ]


def _fault(project: Project, line: KnownLine, labels: dict[Key, int]) -> str | None:
    if line.label not in map(str, range(project.max_label + 1)):
        return KnownFault.BAD_LABEL
    if line.language and not LANGUAGE.fullmatch(line.language):
        return KnownFault.BAD_LANGUAGE
    if line.sentence1 == line.sentence2:
        return Fault.IDENTICAL
    if labels.get(line.key, int(line.label)) != int(line.label):
        return KnownFault.OTHER_LABEL
    return None


def _labels(project: Project) -> dict[Key, int]:
    """The answers of the hidden pairs that the project has."""
    rows = SentencePair.objects.filter(project=project, known_label__isnull=False)
    found = rows.values_list("sentence1__text", "sentence2__text", "known_label")
    return {_key(one, other): label for one, other, label in found if label is not None}


def _language(project: Project) -> str:
    """That of the corpus of the project's first run."""
    first = project.runs.order_by("pk").values_list("corpus__language", flat=True).first()
    return first or "en"


def _corpus_name(project: Project, language: str) -> str:
    return f"Hidden pairs ({language}) {project.public_id}"


def _key(one: str, other: str) -> Key:
    return (one, other) if one <= other else (other, one)


def _numbers_as_text(line: str) -> str:
    """A label may be written as a number; what is wrong with a line is told by its reader."""
    try:
        return json.dumps(json.loads(line, parse_int=str))
    except (ValueError, RecursionError):
        return line
