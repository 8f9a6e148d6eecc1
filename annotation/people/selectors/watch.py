"""The people of a project with what speaks against them, those who need a look first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from django.core.cache import cache
from django.utils.translation import gettext as _

from annotation.models import Project, Role
from annotation.people.selectors import annotators, risk
from annotation.people.selectors.annotators import AnnotatorFigures
from annotation.people.selectors.names import Naming
from annotation.people.selectors.risk import Fact, Level, Risk, Sign
from annotation.quality.selectors import interventions
from annotation.stats import reissue

LEVELS = (*Level,)
KEPT_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Watched:
    """A person with their figures and their level; `reason` is one line in words, or empty."""

    figures: AnnotatorFigures
    risk: Risk

    @property
    def reason(self) -> str:
        sentences = [_in_words(fact) for fact in self.risk.facts]
        if sentences and self.risk.agrees_well:
            sentences.append(_("But agrees well with the others."))
        return " ".join(sentences)


def everyone(naming: Naming) -> list[Watched]:
    """Return all people: by level, in each by agreement upwards, those without answers last."""
    return sorted(_assessed(naming.project), key=lambda person: _place(person, naming))


def needing_look(naming: Naming) -> list[Watched]:
    """Return the people who need a look, worst first."""
    return [person for person in everyone(naming) if person.risk.level is Level.LOOK]


def levels(project: Project) -> Mapping[int, Level]:
    """Return the level of each person by primary key of the account, as of some minutes ago.

    The figures of a large study take a second, and the rail asks on every page: they are kept for
    KEPT_SECONDS. Every list of the people renews them, as does the page of a person, to which all
    steps lead back.
    """
    levels_by_person = cache.get(_key(project))
    if levels_by_person is None:
        levels_by_person = _levels(_assessed(project))
    return cast(Mapping[int, Level], levels_by_person)


def numbers(line: AnnotatorFigures) -> risk.Numbers:
    return risk.Numbers(
        agreeing=line.confusion.agreeing,
        compared=line.compared,
        gold_right=line.gold_right,
        gold_given=line.gold_given,
        flags=tuple(flag.evidence for flag in line.flags),
        kappa_is_low=line.level is reissue.Level.LOW,
        is_handled=line.excluded or line.paused_at is not None or line.role == Role.REMOVED,
    )


def _assessed(project: Project) -> list[Watched]:
    """Return all people with their levels, which are kept for `levels`."""
    lines = annotators.figures(project)
    risks = risk.assess_all([numbers(line) for line in lines])
    people = [Watched(line, assessed) for line, assessed in zip(lines, risks, strict=True)]
    cache.set(_key(project), _levels(people), KEPT_SECONDS)
    return people


def _levels(people: Iterable[Watched]) -> dict[int, Level]:
    return {person.figures.user.pk: person.risk.level for person in people}


def _key(project: Project) -> str:
    return f"levels-of-people-{project.public_id}"


def _place(person: Watched, naming: Naming) -> tuple[int, bool, bool, float, str]:
    agreement = person.figures.agreement
    return (
        LEVELS.index(person.risk.level),
        not any(person.figures.answers.values()),
        agreement is None,
        agreement or 0.0,
        naming.order(person.figures.user),
    )


def _in_words(fact: Fact) -> str:
    if fact.sign is Sign.FLAG:
        return interventions.in_words(fact.values)
    if fact.sign is Sign.KAPPA:
        return _("Kappa with the consensus is low.")
    if fact.sign is Sign.GOLD:
        return _("%(right)d of %(given)d gold pairs were answered correctly.") % fact.values
    percent = {name: round(100 * value) for name, value in fact.values.items()}
    if percent["lowest"] == percent["highest"]:
        text = _("Agrees with the others on %(agreement)d %%, everybody else on %(highest)d %%.")
    else:
        text = _(
            "Agrees with the others on %(agreement)d %%, everybody else on %(lowest)d to "
            "%(highest)d %%."
        )
    return text % percent
