"""Labels that imported pairs come with: kept beside people's judgments, under their origin."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from annotation.model_judgments import services as model_judgments
from annotation.models import Project, SentencePair
from annotation.pairs.labelled_lines import LabelFault, ModelJudgmentLine
from generation.readers import PairLine
from generation.records import Refusal

Texts = tuple[str, str]


@dataclass(slots=True)
class ImportedLabels:
    """The labels of a file of pairs, by source and rewrite, each with the number of its line."""

    project: Project
    found: dict[Texts, tuple[int, int]] = field(default_factory=dict)

    def collected(self, lines: Iterable[PairLine | Refusal]) -> Iterator[PairLine | Refusal]:
        """Yield the lines, and collect their labels; refuse labels that cannot be stored."""
        for line in lines:
            fault = self._collect(line) if isinstance(line, PairLine) else None
            yield Refusal(line.line, fault) if fault else line

    def store(self, *, origin: str, note: str) -> tuple[int, int]:
        """Store the labels of pairs that are open, under their origin, as those of a model.

        They count in no consensus and no agreement. Returns how many were added, and how many have
        no pair, such as those of candidates that wait for correction. Raises Refused if a release
        has labels of this origin.
        """
        rows = SentencePair.objects.filter(project=self.project, gold_label=None)
        texts = rows.values_list("public_id", "sentence1__text", "sentence2__text").order_by("pk")
        pairs = {(one, two): key for key, one, two in texts.iterator() if (one, two) in self.found}
        report = model_judgments.add(
            self.project,
            name=origin,
            note=note,
            lines=[
                ModelJudgmentLine(line, pairs[texts], label)
                for texts, (line, label) in self.found.items()
                if texts in pairs
            ],
        )
        return report.added, len(self.found) - len(pairs)

    def _collect(self, line: PairLine) -> LabelFault | None:
        if not line.label:
            return None
        if line.label not in map(str, range(self.project.max_label + 1)):
            return LabelFault.BAD_LABEL
        key, label = (line.sentence1, line.sentence2), int(line.label)
        if self.found.setdefault(key, (line.line, label))[1] != label:
            return LabelFault.OTHER_LABEL
        return None
