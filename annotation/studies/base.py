"""What pages show of a study that neither judges nor translates, and the base of the others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.people.selectors.names import Naming
from annotation.projects.charts import Shares
from annotation.projects.selectors import over_time, progress
from annotation.projects.selectors.glance import Glance
from annotation.projects.selectors.over_time import Course, Pace
from annotation.studies.parts import (
    Example,
    Finish,
    Stage,
    Step,
    invite_people,
    list_address,
    number_left,
    part_done,
)
from annotation.templatetags.figures import number
from annotation.work import kinds
from common import languages


@dataclass(frozen=True, slots=True)
class Study:
    """A study at a glance, in words. Each type of study says what differs."""

    glance: Glance

    def facts(self) -> Iterator[str]:
        """Yield the type of study and its languages."""
        yield from map(language_name, self.glance.languages)

    def progress(self) -> tuple[Shares, list[str]]:
        """Return a bar, and its sentence in parts; the first is what counts."""
        first, *_others = self.stages(None)
        return first.share, [f"{first.number} {first.note}"]

    def stages(self, pace: Pace | None) -> list[Stage]:
        """Return the stages in order; the pace, if work has one, says how long the rest takes."""
        return [_stage_of_kind(self.glance, name) for name in self.glance.project.kinds]

    def steps(self) -> list[Step]:
        """Return the steps of a young study; the first that is not done has its buttons."""
        steps = list(self._steps())
        now = next((place for place, step in enumerate(steps) if not step.is_done), None)
        project = self.glance.project.public_id
        return [
            replace(
                step,
                is_now=place == now,
                page=reverse(step.page, args=[project]) if step.page else "",
                other_page=reverse(step.other_page, args=[project]) if step.other_page else "",
            )
            for place, step in enumerate(steps)
        ]

    def _steps(self) -> Iterable[Step]:
        return [invite_people(self.glance, _("The items are ready. Send people a link."))]

    def example(self) -> Example | None:
        """Return an example from our demonstration corpus of what becomes of a sentence."""
        return None

    def finish(self) -> Finish | None:
        """Return what to do once all is answered, if there is something."""
        return None

    def course(self) -> Course | None:
        """Return the course of the first kind of work that has answers."""
        project = self.glance.project
        courses = (over_time.of_answers(project, kind) for kind in project.kinds)
        return next(filter(None, courses), None)

    def panes(self, course: Course | None, naming: Naming) -> dict[str, Any]:
        """Return the context of the panes that only this type of study has."""
        project = self.glance.project
        works = kinds.of_project(project)
        return {
            "answers": [
                (kind, kind.title_in(project), progress.by_answer(project, kind)) for kind in works
            ]
        }


def language_name(tag: str) -> str:
    return languages.name_of(tag).partition(" (")[0]


def _stage_of_kind(glance: Glance, name: str) -> Stage:
    kind, left = kinds.KINDS[name], glance.left.get(name, 0)
    slots = glance.items[name].number * kind.slots_in(glance.project)
    return Stage(
        kind.title_in(glance.project),
        max(0, slots - left),
        _("of %(n)s answers") % {"n": number(slots)},
        part_done(slots - left, slots),
        list_address(glance, "answers", name),
        left=number_left(left),
    )
