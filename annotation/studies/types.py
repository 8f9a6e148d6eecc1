"""Which type of study a project is, for its pages: add a type here."""

from annotation.projects.selectors.glance import Glance
from annotation.studies.base import Study
from annotation.studies.judging import Judging
from annotation.studies.published import Published
from annotation.translations.study import Translating


def study_at(glance: Glance) -> Study:
    project = glance.project
    if project.translates:
        return Translating(glance)
    if not project.kinds:
        return Published(glance)
    return Judging(glance) if project.judges else Study(glance)
