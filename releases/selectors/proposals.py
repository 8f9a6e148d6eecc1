"""What recruiting links tell about recruitment and pay, as texts for a release's documentation.

They are proposals: managers read them, and may take them over.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from statistics import median

from annotation.crowd.report import Line, report
from annotation.models import Platform, Project

WAYS = {
    Platform.PROLIFIC: "through Prolific",
    Platform.MTURK: "through Amazon Mechanical Turk",
    Platform.OTHER: "through another platform or a list of people",
}


def proposed_documentation(project: Project) -> dict[str, str]:
    """Return texts, in English, by fields of Documentation; none without recruited people."""
    if not project.participants.exists():  # the report reads all answers
        return {}
    lines = [line for line in report(project) if line.answers]
    texts = {"recruitment": _recruitment(lines), "pay": " ".join(_pay(lines))}
    return {name: text for name, text in texts.items() if text}


def _recruitment(lines: Sequence[Line]) -> str:
    numbers = Counter(line.participant.platform for line in lines)
    ways = [f"{_people(numbers[way])} came {words}" for way, words in WAYS.items() if numbers[way]]
    return f"{', and '.join(ways)}." if ways else ""


def _pay(lines: Sequence[Line]) -> Iterator[str]:
    """Yield a sentence for each reward that was paid."""
    lines_by_reward = defaultdict[tuple[Decimal, str], list[Line]](list)
    for line in lines:
        if line.reward is not None:
            lines_by_reward[line.reward, line.participant.recruitment.currency].append(line)
    for (reward, currency), paid in sorted(lines_by_reward.items()):
        text = f"{reward} {currency} for the completed work ({_people(len(paid))})"
        hourly = [line.pay_per_hour for line in paid if line.pay_per_hour is not None]
        rate = f", a median of {median(hourly):.2f} {currency} per hour of it" if hourly else ""
        yield f"{text}{rate}."


def _people(number: int) -> str:
    return "1 annotator" if number == 1 else f"{number:,} annotators"
