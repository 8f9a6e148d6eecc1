"""The answers in judgments.jsonl: their numbers by pair and label, and what is wrong with one."""

from collections.abc import Iterable, Iterator, Mapping

from annotation.stats.spans import MOST_SPANS, fit, merged
from releases.dataset.cells import one_of_few
from releases.dataset.rows import JudgmentRow
from releases.dataset.settings import ReleaseSettings


def count_answers(
    judgments: Iterable[JudgmentRow],
    tallies: dict[str, tuple[int, ...]],
    later: dict[str, tuple[int, ...]],
    settings: ReleaseSettings,
    texts: Mapping[str, tuple[str, str]],
) -> Iterator[tuple[int, str]]:
    """Count the answers on each judged pair by label; yield line and fault of wrong answers.

    `tallies` has a zero for each label of each judged pair, and is filled; so is `later`, with the
    answers of people who were asked after the first. `texts` are the sentences of each pair.
    """
    nothing = (0,) * settings.scheme.size
    places = {value: place for place, value in enumerate(settings.scheme.values)}
    judges: dict[str, tuple[str, ...]] = {}
    for line, row in enumerate(judgments, start=1):
        tally, judges_of_pair = tallies.get(row.pair), judges.get(row.pair, ())
        place = places.get(row.label)
        if tally is None:
            what = f"{row.annotator} judged {row.pair}, which is no judged pair"
        elif place is None:
            what = f"{row.annotator} gave {row.pair} the label {row.label}"
        elif row.annotator in judges_of_pair:
            what = f"{row.annotator} judged {row.pair} twice"
        elif row.later is False:
            what = f"“later” of {row.annotator} on {row.pair} is false, not left out"
        else:
            tallies[row.pair] = _one_more(tally, place)
            if row.later:
                later[row.pair] = _one_more(later.get(row.pair, nothing), place)
            judges[row.pair] = (*judges_of_pair, row.annotator)
            fault = _fault_of_reason(row, texts[row.pair], are_released=settings.reasons)
            if not fault:
                continue
            what = f"the answer of {row.annotator} to {row.pair} {fault}"
        yield line, what


def _one_more(tally: tuple[int, ...], place: int) -> tuple[int, ...]:
    return one_of_few(*tally[:place], tally[place] + 1, *tally[place + 1 :])


def _fault_of_reason(row: JudgmentRow, texts: tuple[str, str], *, are_released: bool) -> str:
    """Return what is wrong with the reason and the words of an answer; "" if nothing is.

    `texts` are the sentences of its pair, in the order of the tables.
    """
    if (row.reason, row.words) == (None, None):
        return ""
    if not are_released:
        return "has a reason, though the settings release none"
    if row.reason is not None and not row.reason.strip():
        return "has an empty reason"
    if row.words is None:
        return ""
    if not row.words or len(row.words) > MOST_SPANS or not fit(row.words, texts):
        return "has words that are not in the sentences of its pair"
    if merged(row.words) != list(row.words):
        return "has words that are not in order, or not merged"
    return ""
