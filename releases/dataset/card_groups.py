"""What the card says of the replies of annotators, and of the groups that they form."""

from collections.abc import Mapping
from typing import Any

from annotation.stats.agreement import Estimate
from annotation.stats.agreement_tables import by_group
from annotation.stats.by_group import FEWEST_ANSWERS, Group
from common.tables import as_markdown, count
from releases.dataset.settings import ReleaseSettings

REPLIES = (
    "`annotators.jsonl` has what {people} annotators replied to questions about themselves: those "
    "who agreed to its publication."
)
SUPPRESSED = (
    "Choices of fewer than {least} of them are merged into “other”. {withheld} of them have only "
    "nulls, because fewer than {least} people share their combination of replies."
)
ONE_PERSON = "A row may describe one person."
TABLE = (
    "Groups of at least {least} of these people with {fewest} answers: alpha among them, how often "
    "they agree with the majority of all others, and the shares of their answers."
)


def annotator_groups(settings: ReleaseSettings, counts: Mapping[str, Any]) -> str:
    """Return the section about annotators.jsonl; empty without the file."""
    if not (replies := counts.get("replies")):
        return ""
    least = settings.least_in_group or 1
    numbers = {name: count(replies[name]) for name in ("people", "withheld")}
    about = REPLIES.format(**numbers)
    about += " " + (SUPPRESSED.format(least=least, **numbers) if least > 1 else ONE_PERSON)
    if not replies["groups"]:
        return about
    groups = list(map(_group, replies["groups"]))
    table = as_markdown(by_group(groups, settings.scheme.outcomes))
    return "\n\n".join((about, TABLE.format(least=least, fewest=FEWEST_ANSWERS), table))


def _group(counts: Mapping[str, Any]) -> Group:
    question, choice = (counts[name].replace("|", r"\|") for name in ("question", "choice"))
    return Group(
        question,
        choice,
        counts["people"],
        counts["answers"],
        Estimate(counts["alpha"]),
        Estimate(counts["agreement_with_others"]),
        tuple(counts["outcomes"]),
    )
