"""The figures of a translation study: its progress, its people, and their word error rates."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q

from annotation.models import Membership, Project, Slot, Translation, TranslationPlan, Validation
from annotation.translations.selectors import results
from annotation.translations.selectors.results import Opinion, Result, State
from annotation.translations.stats.word_errors import (
    Errors,
    Rate,
    by_character,
    errors_of_rejected,
    rate,
    word_errors,
)

Action = Validation.Action
# The answers of each kind whose source words people are paid for.
PAID = {Translation.KIND: Q(action=Translation.Action.TRANSLATE), Validation.KIND: Q()}


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of sentences, and of the words of their sources."""

    sentences: int = 0
    words: int = 0

    @classmethod
    def adding(cls, words: Iterable[int]) -> "Amount":
        counts = list(words)
        return cls(len(counts), sum(counts))


@dataclass(frozen=True, slots=True)
class Progress:
    """All sentences by how far they are: each is in one of the last four.

    `done` have a translation that is not waiting for validation.
    """

    all: Amount
    done: Amount
    validating: Amount
    waiting: Amount
    untranslatable: Amount

    @property
    def finished(self) -> int:
        return self.done.sentences + self.untranslatable.sentences


@dataclass(frozen=True, slots=True)
class Looked:
    """Validations of one person's translations, or by one person."""

    accepted: int = 0
    fixed: int = 0
    rejected: int = 0

    @classmethod
    def counting(cls, actions: Sequence[str]) -> "Looked":
        return cls(
            *(actions.count(action) for action in (Action.ACCEPT, Action.FIX, Action.REJECT))
        )

    @property
    def number(self) -> int:
        return self.accepted + self.fixed + self.rejected


@dataclass(frozen=True, slots=True)
class Translator:
    """One person's translations. `waiting` are those put up and not validated."""

    user: int
    translated: Amount
    given_up: Amount
    looked: Looked
    waiting: int
    rate: Rate
    is_widened: bool
    too_few: bool
    too_high: bool

    @property
    def is_whole(self) -> bool:
        """Whether all their translations are validated: every error found is fixed."""
        return self.looked.number == self.translated.sentences


@dataclass(frozen=True, slots=True)
class Validator:
    """One person's validations."""

    user: int
    validated: Amount
    looked: Looked


@dataclass(frozen=True)
class Figures:
    """The figures of a study. `unseen` is the rate for translations that no one validated.

    It leaves out people all of whose translations are validated, and is None without others.
    """

    progress: Progress
    translators: Sequence[Translator]
    validators: Sequence[Validator]
    overall: Rate
    unseen: Rate | None
    plan: TranslationPlan

    @property
    def is_too_high(self) -> bool:
        return self.unseen is not None and is_too_high(self.unseen, self.plan)


@dataclass(frozen=True)
class Study:
    """All answers of a study, read once."""

    plan: TranslationPlan
    results: Sequence[Result]

    @cached_property
    def words(self) -> Mapping[int, int]:
        """The words of each sentence, by item."""
        by_char = by_character(self.plan.source_language)
        return {row.item: words(row.source, by_character=by_char) for row in self.results}

    @cached_property
    def opinions(self) -> Sequence[tuple[Result, Opinion]]:
        return [(result, opinion) for result in self.results for opinion in result.opinions]


def read(project: Project) -> Study:
    """Read a study, in four queries."""
    plan = TranslationPlan.objects.get(project=project)
    return Study(plan, list(results.of_project(project)))


def of_study(study: Study) -> Figures:
    """Return the figures, in one more query."""
    translators, errors = _translators(study)
    partly_validated = [person for person in translators if not person.is_whole]
    unseen = [error for person in partly_validated for error in errors[person.user]]
    return Figures(
        progress=progress(study),
        translators=translators,
        validators=_validators(study),
        overall=rate([error for errors_of_one in errors.values() for error in errors_of_one]),
        unseen=rate(unseen) if partly_validated else None,
        plan=study.plan,
    )


def words_of(member: Membership, kind: str) -> int | None:
    """Return the source words that one person translated or validated; None in other kinds.

    Equals their figure in `of_study`, and reads their answers alone.
    """
    if kind not in PAID:
        return None
    answers = Slot.objects.filter(project=member.project_id, kind=kind, annotator=member.user_id)
    columns = ("item__sentence1__text", "item__sentence1__corpus__language")
    sources = answers.answered().filter(PAID[kind]).values_list(*columns)
    return sum(
        words(text or "", by_character=by_character(language or "")) for text, language in sources
    )


def progress(study: Study) -> Progress:
    """Return how far the sentences are."""
    counts = defaultdict[str, list[int]](list)
    for result in study.results:
        counts[_state(result)].append(study.words[result.item])
    states = ("done", "validating", "waiting", "untranslatable")
    return Progress(
        Amount.adding(study.words.values()),
        **{name: Amount.adding(counts[name]) for name in states},
    )


def is_too_high(of: Rate, plan: TranslationPlan) -> bool:
    """Whether a rate is known and not below the bound."""
    return of.value is not None and not of.is_below(plan.most_error)


def _state(result: Result) -> str:
    if result.is_being_validated:
        return "validating"
    return "done" if result.state is State.TRANSLATED else result.state.value


def _translators(study: Study) -> tuple[list[Translator], Mapping[int, list[Errors]]]:
    by_user = defaultdict[int, list[tuple[Result, Opinion]]](list)
    errors = dict[int, list[Errors]]()
    for result, opinion in study.opinions:
        by_user[opinion.translator].append((result, opinion))
    widened = set(study.plan.widened.values_list("pk", flat=True))
    people = []
    for user, answers in sorted(by_user.items()):
        errors[user] = _errors(study.plan, [opinion for _result, opinion in answers])
        people.append(_translator(study, user, answers, errors[user], is_widened=user in widened))
    return people, errors


def _translator(
    study: Study,
    user: int,
    answers: Sequence[tuple[Result, Opinion]],
    errors: Sequence[Errors],
    *,
    is_widened: bool,
) -> Translator:
    translated = [(result, opinion) for result, opinion in answers if opinion.is_translation]
    gave_up = [
        study.words[result.item] for result, opinion in answers if not opinion.is_translation
    ]
    looks = [opinion.look for _result, opinion in translated if opinion.look]
    looked = Looked.counting([look.action for look in looks])
    error_rate = rate(errors)
    whole = looked.number == len(translated)
    return Translator(
        user=user,
        translated=Amount.adding(study.words[result.item] for result, _opinion in translated),
        given_up=Amount.adding(gave_up),
        looked=looked,
        waiting=sum(opinion.is_waiting for _result, opinion in translated),
        rate=error_rate,
        is_widened=is_widened,
        too_few=looked.number < min(study.plan.least_validated, len(translated)),
        too_high=not whole and is_too_high(error_rate, study.plan),
    )


def _errors(plan: TranslationPlan, opinions: Iterable[Opinion]) -> list[Errors]:
    """Return the errors of validated translations; all words of a rejected one are wrong."""
    by_char = by_character(plan.language)
    return [
        errors_of_rejected(opinion.text, by_character=by_char)
        if opinion.look.action == Action.REJECT
        else word_errors(opinion.final_text, opinion.text, by_character=by_char)
        for opinion in opinions
        if opinion.look is not None and opinion.look.action
    ]


def _validators(study: Study) -> list[Validator]:
    looks_by_user = defaultdict[int, list[tuple[int, str]]](list)
    for result, opinion in study.opinions:
        look = opinion.look
        if look is not None and look.action and look.validator:
            looks_by_user[look.validator].append((study.words[result.item], look.action))
    return [
        Validator(
            user, Amount.adding(words for words, _a in rows), Looked.counting([a for _w, a in rows])
        )
        for user, rows in sorted(looks_by_user.items())
    ]


def words(text: str, *, by_character: bool) -> int:
    """Count what spaces separate, or the characters of a language that is written without spaces.

    >>> words("Ada's dog (3 years) barked.", by_character=False)
    5
    >>> words("狗叫了。", by_character=True)
    4
    """
    parts = text.split()
    return sum(map(len, parts)) if by_character else len(parts)
