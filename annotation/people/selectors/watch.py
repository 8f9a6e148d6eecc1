"""The people of a project with what speaks against them, those who need a look first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from django.core.cache import cache
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.models import Intervention, Project, Role
from annotation.people.selectors import annotators, risk
from annotation.people.selectors.annotators import AnnotatorFigures
from annotation.people.selectors.names import Naming
from annotation.people.selectors.risk import Fact, Level, Risk, Sign
from annotation.quality.selectors import interventions
from annotation.stats import reissue
from annotation.stats.labels import Scheme

LEVELS = (*Level,)
KEPT_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Watched:
    """A person with their figures and their level; `reason` is one line in words, or empty."""

    figures: AnnotatorFigures
    risk: Risk

    @property
    def reason(self) -> str:
        scheme = self.figures.membership.project.scheme
        sentences = [_in_words(fact, scheme) for fact in self.risk.facts]
        if sentences and self.risk.agrees_well:
            sentences.append(_("But agrees well with the others."))
        return " ".join(sentences)


@dataclass(frozen=True, slots=True)
class Kept:
    """What the rail and the overview show, for KEPT_SECONDS or until the next flag or step.

    The figures of 250,000 answers take about a second.
    """

    levels: Mapping[int, Level]
    needing_look: Sequence[Watched]


def everyone(naming: Naming) -> list[Watched]:
    """Return all people by level, in each those farthest from the others first.

    Those without answers are last.
    """
    return sorted(_assessed(naming.project), key=lambda person: _place(person, naming))


def needing_look(naming: Naming) -> list[Watched]:
    """Return the people who need a look, worst first, as of some minutes ago (see `Kept`)."""
    people = _kept(naming.project).needing_look
    return sorted(people, key=lambda person: _place(person, naming))


def levels(project: Project) -> Mapping[int, Level]:
    """Return levels by primary key of the account, as of some minutes ago (see `Kept`)."""
    return _kept(project).levels


def number_needing_look(project: Project) -> int:
    """Return how many people need a look, as of some minutes ago (see `Kept`).

    For the rail of every page, which may not wait for figures: while nothing is kept, it counts
    the people with a flag.
    """
    kept: Kept | None = cache.get(_key(project))
    if kept is not None:
        return len(kept.needing_look)
    standings = interventions.of_project(project).values()
    people = {
        flag.membership
        for standing in standings
        for flag in standing.flags
        if not (standing.excluded or flag.membership.paused_at)
        and flag.membership.role != Role.REMOVED
    }
    return len(people)


def numbers(line: AnnotatorFigures) -> risk.Numbers:
    return risk.Numbers(
        agreeing=line.comparison.with_others.agreeing,
        compared=line.compared,
        gold_right=line.gold_right,
        gold_given=line.gold_given,
        flags=tuple({**flag.evidence, "step": flag} for flag in line.flags),
        kappa_is_low=line.level is reissue.Level.LOW,
        is_handled=line.excluded or line.paused_at is not None or line.role == Role.REMOVED,
    )


def _assessed(project: Project) -> list[Watched]:
    """Return all people with their levels; what is `Kept` of them is renewed."""
    key = _key(project)
    lines = annotators.figures(project)
    risks = risk.assess_all([numbers(line) for line in lines])
    people = [Watched(line, assessed) for line, assessed in zip(lines, risks, strict=True)]
    cache.set(key, _to_keep(people), KEPT_SECONDS)
    return people


def _kept(project: Project) -> Kept:
    kept = cache.get(_key(project))
    return _to_keep(_assessed(project)) if kept is None else cast(Kept, kept)


def _to_keep(people: Sequence[Watched]) -> Kept:
    return Kept(
        levels={person.figures.user.pk: person.risk.level for person in people},
        needing_look=[person for person in people if person.risk.level is Level.LOOK],
    )


def _key(project: Project) -> str:
    steps = Intervention.objects.filter(membership__project=project)
    latest = steps.aggregate(latest=Max("pk"))["latest"]
    return f"levels-of-people-{project.public_id}-{latest}"


def _place(person: Watched, naming: Naming) -> tuple[int, bool, bool, float, str]:
    figures = person.figures
    order = figures.agreement
    if naming.project.scheme.compares_by_distance:
        order = None if figures.distance is None else -figures.distance
    return (
        LEVELS.index(person.risk.level),
        not any(person.figures.answers.values()),
        order is None,
        order or 0.0,
        naming.order(person.figures.user),
    )


def _in_words(fact: Fact, scheme: Scheme) -> str:
    if fact.sign is Sign.FLAG:
        return interventions.reason_of(fact.values["step"])
    if fact.sign is Sign.KAPPA:
        return _("Kappa with the consensus is low.")
    if fact.sign is Sign.GOLD:
        return _("%(right)d of %(given)d gold pairs were answered correctly.") % fact.values
    percent = {name: round(100 * value) for name, value in fact.values.items()}
    if scheme.compares_by_distance:
        text = _(
            "On the same side as most others in %(agreement)d %% of pairs, everybody else in at "
            "least %(lowest)d %%."
        )
    elif percent["lowest"] == percent["highest"]:
        text = _("Agrees with the others on %(agreement)d %%, everybody else on %(highest)d %%.")
    else:
        text = _(
            "Agrees with the others on %(agreement)d %%, everybody else on %(lowest)d to "
            "%(highest)d %%."
        )
    return text % percent
