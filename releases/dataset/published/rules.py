"""The rule by which the pairs of a published set are paraphrases or not."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from releases.dataset.published.settings import Choices, UnusableSet
from releases.dataset.published.values import (
    ANNOTATIONS,
    FORMS,
    HIDDEN,
    MISSING,
    NAMES,
    NUMBERS,
    Cells,
    Dropped,
    Values,
    form_of,
    read_annotations,
    read_score,
    read_side,
    read_votes,
)

# How names of paraphrases begin, in usual sets.
LIKELY = ("entail", "paraphras", "equivalent", "duplicate", "same")
# Names of labels that an error lists, and the share of labels that may have no form.
MOST_LISTED, MOST_ODD = 10, 0.01


@dataclass(frozen=True, slots=True)
class Rule:
    """What makes a pair of a set a paraphrase.

    `role` is the column that decides, in this `form`; `number_form` that of the grades or scores.
    """

    role: str
    form: str
    number_form: str = ""
    names: Mapping[str, int] | None = None
    paraphrase_from: float | None = None
    votes: tuple[int, int] | None = None
    votes_of: int | None = None  # people, if (n, m) means n of m

    def decide(self, cells: Cells) -> Values | Dropped:
        text: str = getattr(cells, self.role)
        if text in MISSING or (self.form == "sides" and text in HIDDEN):
            return Dropped.NO_LABEL
        if self.form == ANNOTATIONS and read_annotations(text, self.names or {}) == []:
            return Dropped.NO_LABEL
        values = self._by_form(text)
        if values is None:
            return Dropped.NO_FORM
        if self.role == "label" and (number := self._number(cells.grade)) is not None:
            values = values._replace(**number)
        if self.role != "votes" and (counts := self._count_answers(cells.votes)) is not None:
            values = values._replace(**counts)
        return values

    def _by_form(self, text: str) -> Values | None:
        if self.form == NAMES:
            label = (self.names or {}).get(text)
            return None if label is None else Values(label)
        if self.form == "votes":
            return self._by_votes(read_votes(text))
        if self.form == "sides":
            side = read_side(text)
            return None if side is None else Values(side)
        by_field = self._count_answers(text) if self.form == ANNOTATIONS else self._number(text)
        if by_field is None or self.paraphrase_from is None:
            return None
        values = Values(None, **by_field)
        number = values.mean if self.form == ANNOTATIONS else values.number
        return values._replace(label=int(number is not None and number >= self.paraphrase_from))

    def _by_votes(self, votes: tuple[int, int] | None) -> Values | None:
        if votes is None or self.votes is None:
            return None
        yes, no = votes if self.votes_of is None else (votes[0], self.votes_of - votes[0])
        label = 1 if yes >= self.votes[0] else 0 if no >= self.votes[1] else None
        return Values(label, votes0=no, votes1=yes)

    def _number(self, text: str) -> dict[str, Any] | None:
        if not self.number_form or (number := FORMS[self.number_form](text)) is None:
            return None
        return {"grade" if self.number_form == "grades" else "score": number}

    def _count_answers(self, text: str) -> dict[str, Any] | None:
        answers = read_annotations(text, self.names or {}) if text else None
        if not answers:
            return None
        are_sides = {*answers} <= {0, 1}
        if not are_sides and self.paraphrase_from is None:
            return None
        least = 1 if self.paraphrase_from is None else self.paraphrase_from
        yes = sum(answer >= least for answer in answers)
        mean = None if are_sides and self.form != ANNOTATIONS else round(fmean(answers), 6)
        return {"mean": mean, "votes0": len(answers) - yes, "votes1": yes}


def find_rule(name: str, rows: Mapping[Cells, int], choices: Choices) -> Rule:
    """Return the rule for rows with these cells, each with its number. Raises UnusableSet.

    `name` is the file that errors name.
    """
    labels, grades, votes = (_column(rows, role) for role in Cells._fields)
    form = NAMES if choices.labels and labels else form_of(labels)
    number_form = form_of(grades) if form_of(grades) in (*NUMBERS, "sides") else ""
    number_form = "grades" if number_form == "sides" else number_form
    role = "label"
    if form == NAMES:
        _refuse_other_names(name, labels, choices)
    if form in NUMBERS and number_form:
        raise UnusableSet(
            f"{name}: both the label and the grade are numbers.",
            "columns",
            "Say which one is to be left out: --columns label=- or --columns grade=-.",
        )
    if labels and not form and not number_form:
        _refuse_several_forms(name, labels)
        raise UnusableSet(*_ask_for_names(name, labels))
    if not form and number_form:
        role, form = "grade", number_form
    elif not labels and votes:
        role, form = "votes", ANNOTATIONS
    if not form:
        raise UnusableSet(
            f"{name}: {_why_no_label(labels or grades)}",
            "columns",
            "Say which column has: --columns label=NAME.",
        )
    if form in NUMBERS:
        number_form = form
    rule = Rule(role, form, number_form, choices.labels, choices.paraphrase_from, choices.votes)
    return _complete(name, rule, rows, choices)


def _why_no_label(texts: Mapping[str, int]) -> str:
    """Return the problem of a column without a form: its cells that are no finite numbers."""
    odd = [text for text in texts if read_score(text) is None]
    if not odd:
        return "no row has a label."
    more = f" and {len(odd) - MOST_LISTED:,} more" if len(odd) > MOST_LISTED else ""
    return f"its labels are no numbers: {', '.join(odd[:MOST_LISTED])}{more}."


def _column(rows: Mapping[Cells, int], role: str) -> dict[str, int]:
    """Return the labels of a column with their numbers, without the few that have no form.

    Hidden labels alone are none.
    """
    counts: dict[str, int] = {}
    for cells, number in rows.items():
        if (text := getattr(cells, role)) not in MISSING:
            counts[text] = counts.get(text, 0) + number
    if counts.keys() <= HIDDEN:
        return {}
    odd = {text for text in counts if read_votes(text) is None and not _is_side_or_number(text)}
    if sum(counts[text] for text in odd) <= MOST_ODD * sum(counts.values()):
        return {text: number for text, number in counts.items() if text not in odd}
    return counts


def _is_side_or_number(text: str) -> bool:
    return read_side(text) is not None or read_score(text) is not None


def _complete(name: str, rule: Rule, rows: Mapping[Cells, int], choices: Choices) -> Rule:
    """Return the rule with what the rows say of it. Raises UnusableSet for what it lacks."""
    changes: dict[str, Any] = {}
    if rule.form == "votes":
        if rule.votes is None:
            raise UnusableSet(
                f"{name}: labels are votes such as {next(iter(_column(rows, rule.role)))}.",
                "votes",
                "Say how many make a paraphrase, and how many make none: --votes 3,4.",
            )
        changes["votes_of"] = _total_of_votes([*_column(rows, rule.role)])
    elif rule.form in (*NUMBERS, ANNOTATIONS) and rule.paraphrase_from is None:
        raise UnusableSet(*_ask_for_number(name, rule, [*_column(rows, rule.role)]))
    elif rule.form == "sides" and rule.number_form and rule.paraphrase_from is None:
        changes["paraphrase_from"] = _lowest_number_of_paraphrases(rule, rows)
    _refuse_unused(name, rule, choices)
    return replace(rule, **changes)


def _total_of_votes(texts: Collection[str]) -> int | None:
    """Return m if all are (n, m) with n of m; None if they are n for and m against."""
    votes = [pair for pair in map(read_votes, texts) if pair]
    totals = {second for _first, second in votes}
    is_share = len(totals) == 1 and all(first <= second for first, second in votes)
    return totals.pop() if is_share else None


def _lowest_number_of_paraphrases(rule: Rule, rows: Mapping[Cells, int]) -> float | None:
    values = [value for value in map(rule.decide, rows) if isinstance(value, Values)]
    numbers = [value.number for value in values if value.label == 1 and value.number is not None]
    return min(numbers, default=None)


def _refuse_other_names(name: str, labels: Mapping[str, int], choices: Choices) -> None:
    others = {label: number for label, number in labels.items() if label not in choices.labels}
    if sum(others.values()) > MOST_ODD * sum(labels.values()):
        problem, choice, remedy = _ask_for_names(name, labels)
        raise UnusableSet(problem, choice, f"{remedy} Not stated: {', '.join(others)}.")


def _refuse_several_forms(name: str, labels: Mapping[str, int]) -> None:
    """Raise UnusableSet if each label has a form, and they have no form in common."""
    examples = {form_of([label]): label for label in sorted(labels)}
    if "" not in examples:
        raise UnusableSet(
            f"{name}: labels have several forms: {'; '.join(examples.values())}. Name only files "
            "whose labels have one form."
        )


def _ask_for_names(name: str, labels: Mapping[str, int]) -> tuple[str, str, str]:
    """Return problem, choice and remedy of UnusableSet."""
    names = sorted(labels)[:MOST_LISTED]
    likely = [name for name in names if name.casefold().startswith(LIKELY) or read_side(name) == 1]
    ones = likely or names[:1]
    proposal = ",".join(f"{name}={int(name in ones)}" for name in names)
    more = f" and {len(labels) - MOST_LISTED} more" if len(labels) > MOST_LISTED else ""
    problem = f"{name}: labels are {', '.join(names)}{more}."
    return problem, "labels", f"Say which mean a paraphrase, for example --labels {proposal}."


def _ask_for_number(name: str, rule: Rule, texts: Collection[str]) -> tuple[str, str, str]:
    """Return problem, choice and remedy of UnusableSet. Raises it for what is no number."""
    if rule.form == ANNOTATIONS:
        answers = [read_annotations(text, rule.names or {}) or [] for text in texts]
        numbers = [number for row in answers for number in row]
    else:
        numbers = [number for number in map(read_score, texts) if number is not None]
    if not numbers:
        raise UnusableSet(
            f"{name}: its annotations are no numbers.", "labels", "Name them: --labels NAME=1,..."
        )
    low, high = min(numbers), max(numbers)
    proposal = low + 0.8 * (high - low)
    proposal = round(proposal) if high - low > 1 else round(proposal, 2)
    return (
        f"{name}: labels are numbers from {low:g} to {high:g}.",
        "paraphrase_from",
        f"Say from which on a pair is a paraphrase: --paraphrase-from {proposal:g}.",
    )


def _refuse_unused(name: str, rule: Rule, choices: Choices) -> None:
    """Raise UnusableSet for a choice that changes nothing: it was meant for other labels."""
    if choices.votes and rule.form != "votes":
        problem = f"{name}: labels are {rule.form} and no votes."
        raise UnusableSet(problem, "votes", "Leave out --votes.")
    has_numbers = bool(rule.number_form) or rule.form == ANNOTATIONS
    if choices.paraphrase_from is not None and not has_numbers:
        problem = f"{name}: labels are {rule.form} and no numbers."
        raise UnusableSet(problem, "paraphrase_from", "Leave out --paraphrase-from.")
