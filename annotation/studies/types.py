"""Which type of study a project is, for its pages: add a type here."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.projects import charts
from annotation.projects.charts import Shares
from annotation.projects.selectors.glance import Glance
from annotation.projects.selectors.over_time import Pace
from annotation.studies.base import Study
from annotation.studies.judging import Judging
from annotation.studies.parts import Stage, Step
from annotation.translations.study import Translating


@dataclass(frozen=True, slots=True)
class Published(Study):
    """A project without annotators: its releases are versions of the set."""

    def facts(self) -> Iterator[str]:
        yield _("Published elsewhere")

    def progress(self) -> tuple[Shares, list[str]]:
        done = int(bool(self.glance.version))
        return charts.shares({"done": done}, 1), [_("Its pairs are labelled")]

    def stages(self, pace: Pace | None) -> list[Stage]:
        return []

    def _steps(self) -> Iterable[Step]:
        if self.glance.version is None:
            text = _("Its pairs keep the labels and splits of those who published it.")
            page = gettext_lazy("Releases"), "releases"
            yield Step(_("Read the set"), text, False, *page)


def study_at(glance: Glance) -> Study:
    project = glance.project
    if project.translates:
        return Translating(glance)
    if not project.kinds:
        return Published(glance)
    return Judging(glance) if project.judges else Study(glance)
