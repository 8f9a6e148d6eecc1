"""Shares of paraphrases among kept pairs, by method (PAWS Tables 3 and 4)."""

from dataclasses import dataclass

from annotation.projects.selectors.funnel import Funnel
from annotation.stats.intervals import wilson
from annotation.stats.report import Identification


@dataclass(frozen=True, slots=True)
class Balance:
    """Paraphrases among the kept pairs of one method; `interval` is Wilson's."""

    method: str
    name: str
    paraphrases: int
    pairs: int

    @property
    def share(self) -> float:
        return self.paraphrases / self.pairs

    @property
    def interval(self) -> tuple[float, float] | None:
        return wilson(self.paraphrases, self.pairs)


def of_kept(funnels: list[Funnel]) -> list[Balance]:
    """Return the balance of kept pairs, as in a release; skip methods without any."""
    found = [(each, each.kept) for each in funnels]
    return [_balance(funnel, kept) for funnel, kept in found if kept.total]


def _balance(funnel: Funnel, kept: Identification) -> Balance:
    return Balance(funnel.method, funnel.name, kept.paraphrase, kept.total)
