"""Reasons of answers in judgments.jsonl: what is wrong with one."""

from annotation.stats.spans import MOST_SPANS, fit, merged
from releases.dataset.rows import JudgmentRow


def fault_of_reason(row: JudgmentRow, texts: tuple[str, str], *, are_released: bool) -> str:
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
