"""What a study measured that helps to plan one like it: errors and seconds per answer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from annotation.agreement import by_person
from annotation.agreement import selectors as agreement
from annotation.models import Project
from annotation.stats.crowd import fit_votes
from annotation.stats.planning import ERROR, HARD_SHARE, SECONDS, BadPlan
from common.marked import gettext_noop as _

LEAST_ANSWERS = 200


@dataclass(frozen=True, slots=True)
class Figures:
    """The share of wrong answers, the share of hard pairs, and the seconds that an answer takes."""

    error: float = ERROR
    hard_share: float = HARD_SHARE
    seconds: float = SECONDS

    def changed(self, values: Mapping[str, Any]) -> dict[str, float]:
        """Return the figures by name, in their place those of `values` that are not None."""
        return {
            name: figure if values[name] is None else values[name]
            for name, figure in asdict(self).items()
        }


def measured(project: Project) -> Figures:
    """Return the figures of a study; wrong are other labels, not only other outcomes.

    One error rate is fitted to all pairs, so none of them count as hard. Seconds are the median of
    people's median times. Raises BadPlan for fewer than LEAST_ANSWERS answers to decided pairs.
    """
    votes = agreement.votes(project).every
    answers = sum(pairs * sum(tally) for tally, pairs in votes.items())
    if answers < LEAST_ANSWERS:
        message = _(
            "Decided pairs of “%(name)s” have %(answers)s answers. Its error rate can be estimated "
            "from %(least)s answers on."
        )
        raise BadPlan(message, name=project.name, answers=answers, least=LEAST_ANSWERS)
    seconds = by_person.median_seconds(project).values()
    return Figures(
        error=fit_votes(votes, project.scheme.size).error,
        hard_share=0,
        seconds=median(seconds) if seconds else SECONDS,
    )
