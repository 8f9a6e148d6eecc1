"""Labels of imported pairs, stored as model judgments under the name of their origin."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from accounts.models import User
from annotation.model_judgments import services as model_judgments
from annotation.models import JudgingModel, Project, SentencePair
from annotation.pairs.labelled_lines import LabelFault, ModelJudgmentLine
from annotation.stats.labels import BadScheme
from common import bulk
from generation.nlp.text import pair_key
from generation.readers import PairLine
from generation.records import Refusal, Report, in_chunks

PAIRS_AT_ONCE = 5_000


@dataclass(slots=True)
class ImportedLabels:
    """The labels of a file of pairs by the keys of their texts, each with its line number.

    `not_stored` are the reasons for those that `store` did not store, by line number.
    """

    project: Project
    found: dict[UUID, tuple[int, int]] = field(default_factory=dict)
    not_stored: dict[int, str] = field(default_factory=dict)

    def collected(self, lines: Iterable[PairLine | Refusal]) -> Iterator[PairLine | Refusal]:
        """Yield the lines, and collect their labels; refuse labels that cannot be stored."""
        for line in lines:
            fault = self._collect(line) if isinstance(line, PairLine) else None
            yield Refusal(line.line, fault) if fault else line

    def check(self, *, origin: str) -> None:
        """Raises Refused if a release has labels of this origin, so that no more can be added."""
        for model in JudgingModel.objects.filter(project=self.project, name=origin, revision=""):
            model_judgments.check_unused(model)

    def store(self, *, origin: str, note: str, by: User | None = None) -> tuple[int, int, int]:
        """Store the labels of pairs that are open, under their origin, as those of a model.

        They count in no consensus and no agreement. Returns how many were added, how many have no
        pair, such as those of candidates that wait for correction, and how many were refused
        because the pair has another label of this origin. Raises Refused as `check` does.
        """
        pairs: dict[UUID | None, UUID] = {}
        for keys in in_chunks(self.found, PAIRS_AT_ONCE):
            has_key = bulk.among("texts_key", keys)
            rows = SentencePair.objects.filter(has_key, project=self.project, gold_label=None)
            pairs |= dict(rows.values_list("texts_key", "public_id"))
        report = model_judgments.add(
            self.project,
            name=origin,
            note=note,
            by=by,
            follower=self,
            lines=[
                ModelJudgmentLine(line, pairs[key], label)
                for key, (line, label) in self.found.items()
                if key in pairs
            ],
        )
        lines_without_pair = {line for key, (line, _) in self.found.items() if key not in pairs}
        self.not_stored |= dict.fromkeys(lines_without_pair, LabelFault.NO_OPEN_PAIR)
        return report.added, len(lines_without_pair), report.refused.total()

    def refused(self, line: int, reason: str) -> None:
        self.not_stored[line] = reason

    def stored(self, report: Report) -> None:
        pass

    def _collect(self, line: PairLine) -> LabelFault | None:
        if not line.label:
            return None
        try:
            label = self.project.scheme.place(line.label)
        except BadScheme:
            return LabelFault.BAD_LABEL
        directed = self.project.scheme.directed
        key = pair_key(line.sentence1, line.sentence2, directed=directed)
        if self.found.setdefault(key, (line.line, label))[1] != label:
            return LabelFault.OTHER_LABEL
        return None
