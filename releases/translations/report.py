"""The statistics of a translation study: Table 2 of PAWS-X, and word error rates."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from accounts.models import User
from annotation.models import Project, TranslatedPair
from annotation.translations.selectors import figures, readiness
from annotation.translations.selectors.figures import Looked
from annotation.translations.stats.word_errors import Rate
from common.tables import Row, count, percent
from releases.models import Example
from releases.translations import selectors


@dataclass(frozen=True, slots=True)
class Split:
    name: str
    pairs: int
    translated: int


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    simulated: bool
    sentences: int
    words: int
    given_up: int
    looked: Looked
    rate: Rate


@dataclass(frozen=True, slots=True)
class TranslationReport:
    source_language: str
    language: str
    splits: list[Split]
    progress: figures.Progress
    collapsed: int
    rate: Rate
    translators: list[Person]


def report(project: Project) -> TranslationReport:
    """Return the figures of a translation study, in a fixed number of queries."""
    study = figures.read(project)
    figures_of_study = figures.of_study(study)
    users = User.objects.in_bulk([translator.user for translator in figures_of_study.translators])
    people = [
        Person(
            name=users[translator.user].get_username(),
            simulated=users[translator.user].is_simulated,
            sentences=translator.translated.sentences,
            words=translator.translated.words,
            given_up=translator.given_up.sentences,
            looked=translator.looked,
            rate=translator.rate,
        )
        for translator in figures_of_study.translators
    ]
    return TranslationReport(
        source_language=study.plan.source_language,
        language=study.plan.language,
        splits=_count_splits(project, study),
        progress=figures_of_study.progress,
        collapsed=len(readiness.equal_translations(project, study)),
        rate=figures_of_study.overall,
        translators=sorted(people, key=lambda person: person.name),
    )


def tables(study: TranslationReport) -> Iterator[tuple[str, list[Row]]]:
    yield (
        f"Pairs with both sentences translated into {study.language}",
        [
            ("", "Pairs", "Translated"),
            *((split.name, count(split.pairs), count(split.translated)) for split in study.splits),
        ],
    )
    names = ("all", "done", "validating", "waiting", "untranslatable")
    amounts = ((name, getattr(study.progress, name)) for name in names)
    yield (
        "Sentences",
        [
            ("", "Sentences", "Words"),
            *((name, count(amount.sentences), count(amount.words)) for name, amount in amounts),
            ("pairs with equal translations", count(study.collapsed), ""),
        ],
    )
    yield (
        "Word error rates",
        [
            ("", "Sentences", "Words", "Given up", "Accepted", "Fixed", "Rejected", "Rate"),
            *(_row(translator) for translator in study.translators),
            ("All", *[""] * 6, percent(study.rate.value)),
        ],
    )


def _row(person: Person) -> Row:
    numbers = (person.sentences, person.words, person.given_up)
    looked = (person.looked.accepted, person.looked.fixed, person.looked.rejected)
    name = f"{person.name} (simulated)" if person.simulated else person.name
    return (name, *map(count, (*numbers, *looked)), percent(person.rate.value))


def _count_splits(project: Project, study: figures.Study) -> list[Split]:
    translated_items = {result.item for result in study.results if result.standing}
    pairs = TranslatedPair.objects.filter(project=project)
    rows = list(pairs.values_list("public_id", "item1", "item2"))
    source = selectors.source_of_project(project)
    examples = Example.objects.filter(
        release=source.release if source else None, split__in=selectors.SPLITS
    )
    split_of = dict(examples.values_list("public_id", "split"))
    pairs_of_split = Counter(split_of.get(key, "") for key, _one, _other in rows)
    translated_of_split = Counter(
        split_of.get(key, "") for key, text1, text2 in rows if {text1, text2} <= translated_items
    )
    return [
        Split(name, pairs_of_split[name], translated_of_split[name])
        for name in sorted(pairs_of_split)
    ]
