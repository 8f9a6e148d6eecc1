"""What an import would refuse, or find there already, because of what is stored; it stores nothing.

Each kind asks the service that imports its lines, so that both say the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.errors import Refused
from annotation.imports.reasons import ID_FAULTS
from annotation.model_judgments import services as model_judgments
from annotation.models import Import
from annotation.pairs.services.imported_labels import ImportedLabels
from annotation.quality.services import gold_pairs, qualification
from generation.flashcards import terms_of
from generation.models import Corpus
from generation.records import Report
from generation.services import flashcards, imported_pairs

# What people enter besides the columns, such as the name of a model, by the name of its field.
Options = Mapping[str, str]


@dataclass(slots=True)
class Foretold:
    """Why lines would be refused, by their numbers, but for ID_FAULTS, about which the page asks.

    `present` is how many would be counted as there already, those that repeat a line included.
    With a `refusal`, nothing at all would be imported.
    """

    reasons: dict[int, str] = field(default_factory=dict)
    present: int = 0
    refusal: str = ""

    def refused(self, line: int, reason: str) -> None:
        if reason not in ID_FAULTS:
            self.reasons[line] = reason

    def stored(self, report: Report) -> None:
        pass


def foretell(
    row: Import, lines: Sequence[Any], corpus: Corpus | None, options: Options
) -> Foretold:
    """Return what an import of the lines would refuse; without a corpus they go to a new one."""
    foretold = Foretold()
    report = Report(follower=foretold)
    try:
        _ask(row, lines, corpus or Corpus(language=options.get("language", "")), options, report)
    except Refused as refused:
        foretold.refusal = str(refused)
    foretold.present = report.duplicates
    return foretold


def _ask(
    row: Import, lines: Sequence[Any], corpus: Corpus, options: Options, report: Report
) -> None:
    match row.kind:
        case Import.Kind.PAIRS:
            labelled = report.readable(ImportedLabels(row.project).collected(lines))
            imported_pairs.foretell(list(labelled), corpus, report)
        case Import.Kind.FLASHCARDS:
            flashcards.foretell(lines, corpus, terms_of(options.get("terms", "")), report)
        case Import.Kind.GOLD_PAIRS:
            gold_pairs.new_lines(row.project, lines, report)
        case Import.Kind.QUALIFICATION:
            new_lines = qualification.new_lines(row.project, lines)
            report.duplicates = len(lines) - len(new_lines)
        case Import.Kind.MODEL_JUDGMENTS:
            name, revision = options.get("name", ""), options.get("revision", "")
            model_judgments.foretell(row.project, name, revision, lines, report)
