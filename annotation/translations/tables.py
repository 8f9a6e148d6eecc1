"""The tables of a translation study, as rows of files."""

from collections.abc import Iterator, Sequence

from django.http import QueryDict

from accounts.models import User
from annotation.people.selectors.names import Naming
from annotation.translations.selectors import figures
from annotation.translations.selectors.figures import Looked, Study
from annotation.translations.selectors.results import Opinion, Result
from common.spreadsheets import Cell

SENTENCES = "id source words state translation final translator validated validator reasons notes"
TRANSLATORS = (
    "translator simulated sentences words given_up validated accepted fixed rejected waiting"
    " errors words_validated word_error_rate rate_low rate_high below all_validated"
)
VALIDATORS = "validator simulated sentences words accepted fixed rejected"


def sentences(naming: Naming, _: QueryDict) -> Iterator[Sequence[Cell]]:
    """Yield a row for each sentence, with the translation that counts and who made it."""
    study = figures.read(naming.project)
    names = _names(naming, {opinion.translator for _r, opinion in study.opinions} | _lookers(study))
    return (_sentence_cells(study, result, names) for result in study.results)


def translators(naming: Naming, _: QueryDict) -> Iterator[Sequence[Cell]]:
    """Yield a row for each translator."""
    study_figures = figures.of_study(figures.read(naming.project))
    names, simulated = _people(naming, {person.user for person in study_figures.translators})
    for person in study_figures.translators:
        rate = person.rate
        yield (
            names[person.user],
            person.user in simulated,
            person.translated.sentences,
            person.translated.words,
            person.given_up.sentences,
            person.looked.number,
            *_count_looks(person.looked),
            person.waiting,
            rate.errors,
            rate.words,
            rate.value,
            *(rate.interval or (None, None)),
            None if rate.value is None else rate.is_below(study_figures.plan.most_error),
            person.is_whole,
        )


def validators(naming: Naming, _: QueryDict) -> Iterator[Sequence[Cell]]:
    """Yield a row for each validator."""
    study_figures = figures.of_study(figures.read(naming.project))
    names, simulated = _people(naming, {person.user for person in study_figures.validators})
    for person in study_figures.validators:
        amount = person.validated
        name, is_simulated = names[person.user], person.user in simulated
        yield (name, is_simulated, amount.sentences, amount.words, *_count_looks(person.looked))


def _sentence_cells(study: Study, result: Result, names: dict[int, str]) -> Sequence[Cell]:
    standing = result.standing
    gave_up = [opinion for opinion in result.opinions if not opinion.is_translation]
    return (
        str(result.public_id),
        result.source,
        study.words[result.item],
        result.state.value,
        standing.text if standing else None,
        standing.final_text if standing else None,
        names.get(standing.translator) if standing else None,
        _action(standing),
        names.get(standing.look.validator or 0) if standing and standing.look else None,
        "; ".join(opinion.action for opinion in gave_up),
        "; ".join(opinion.text for opinion in gave_up if opinion.text),
    )


def _action(opinion: Opinion | None) -> str | None:
    """How a translation was validated: accept, fix, waiting, or None if it is not put up."""
    if opinion is None or opinion.look is None:
        return None
    return opinion.look.action or "waiting"


def _count_looks(looked: Looked) -> tuple[int, int, int]:
    return looked.accepted, looked.fixed, looked.rejected


def _lookers(study: Study) -> set[int]:
    looks = (opinion.look for _result, opinion in study.opinions)
    return {look.validator for look in looks if look is not None and look.validator}


def _names(naming: Naming, keys: set[int]) -> dict[int, str]:
    return _people(naming, keys)[0]


def _people(naming: Naming, keys: set[int]) -> tuple[dict[int, str], set[int]]:
    """Return the names of people, and who of them is simulated."""
    users = User.objects.in_bulk(keys).values()
    names = {user.pk: naming.name(user) for user in users}
    return names, {user.pk for user in users if user.is_simulated}
