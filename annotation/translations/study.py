"""What pages show of a study that translates a release."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import Translation, Validation
from annotation.people.selectors.names import Naming
from annotation.projects import charts
from annotation.projects.charts import Shares
from annotation.projects.selectors import latest
from annotation.projects.selectors.over_time import Course, Pace
from annotation.projects.views import results
from annotation.studies.base import Study, language_name
from annotation.studies.parts import (
    Example,
    Finish,
    Stage,
    Step,
    invite_people,
    list_address,
    number_left,
    part_done,
    time_left,
    unmarked,
)
from annotation.templatetags.figures import number
from annotation.translations.selectors import figures as translated

# A sentence of operations/demonstration: a test holds it against its file.
TRANSLATED = (
    "Her rating rose from 2,180 in January to 2,310 in December.",
    "Ihre Wertungszahl stieg von 2.180 im Januar auf 2.310 im Dezember.",
)


@dataclass(frozen=True, slots=True)
class Translating(Study):
    """A study whose people translate the sentences of a release, and validate the translations."""

    def facts(self) -> Iterator[str]:
        plan = self.glance.project.translation_plan
        yield _("Translation")
        yield f"{language_name(plan.source_language)} → {language_name(plan.language)}"

    def example(self) -> Example:
        return Example(
            gettext_lazy("Source and translation"),
            unmarked(TRANSLATED),
            ("en", "de"),
            gettext_lazy("Another person accepts, fixes or rejects the translation."),
            gettext_lazy("in the dataset, with the label of its source"),
        )

    def finish(self) -> Finish:
        if self.glance.project.translation_plan.delivered_at is None:
            return Finish(_("All is translated."), _("Deliver"), "deliver")
        text = _("The translations are delivered: draft a release.")
        return Finish(text, _("Draft a release"), "draft_release")

    def stages(self, pace: Pace | None) -> list[Stage]:
        return list(self._stages(pace))

    def progress(self) -> tuple[Shares, list[str]]:
        glance = self.glance
        whole, done = glance.items[Translation.KIND].number, glance.translated
        left = glance.left.get(Translation.KIND, 0)
        parts = [_("%(done)s of %(all)s translated") % {"done": number(done), "all": number(whole)}]
        if left:
            parts.append(_("%(n)s left") % {"n": number(left)})
        lost = max(0, whole - done - left)
        return charts.shares({"done": done, "lost": lost}, whole or 1), parts

    def _stages(self, pace: Pace | None) -> Iterator[Stage]:
        glance = self.glance
        sentences, actions = glance.items[Translation.KIND].number, glance.actions
        pairs = glance.source_pairs
        yield Stage(
            _("Source pairs"),
            pairs or None,
            _("of a release"),
            part_done(pairs, pairs),
            list_address(glance, "source_pairs"),
        )
        to_translate = list_address(glance, "answers", Translation.KIND)
        yield Stage(_("Sentences"), sentences, "", part_done(sentences, sentences), to_translate)
        translated, left = glance.translated, glance.left.get(Translation.KIND, 0)
        lost = max(0, sentences - translated - left)
        note = time_left(pace) if left and pace and pace.forecast else ""
        if lost and not note:
            note = _("%(n)s untranslatable") % {"n": number(lost)}
        yield Stage(
            _("Translated"),
            translated,
            note,
            charts.shares({"done": translated, "lost": lost}, sentences or 1),
            to_translate,
            left=number_left(left),
        )
        validated = sum(
            actions.get(f"{Validation.KIND} {name}", 0) for name in Validation.Action.values
        )
        left = glance.left.get(Validation.KIND, 0)
        yield Stage(
            _("Validated"),
            validated,
            "" if left else _("nothing waits"),
            part_done(validated, validated + left),
            list_address(glance, "answers", Validation.KIND),
            left=number_left(left),
        )
        plan = getattr(glance.project, "translation_plan", None)
        delivered = sentences if plan is not None and plan.delivered_at else 0
        yield Stage(
            _("Delivered"),
            delivered,
            "" if delivered else _("when all are done"),
            part_done(delivered, sentences),
            list_address(glance, "releases"),
        )

    def _steps(self) -> Iterator[Step]:
        glance = self.glance
        sentences = glance.items[Translation.KIND].number
        text = ngettext("%(n)s sentence to translate.", "%(n)s sentences to translate.", sentences)
        chosen = text % {"n": number(sentences)}
        yield Step(_("Choose a release to translate"), chosen, is_done=True)
        yield Step(
            _("Write the term list"),
            _("Terms that must be translated the same everywhere. You can add some at any time."),
            glance.terms > 0,
            gettext_lazy("Term list"),
            "glossary",
        )
        people = _(
            "At least three native speakers: the two sentences of a pair go to different people, "
            "and no one validates what they translated."
        )
        yield invite_people(glance, people)
        yield Step(
            _("Open the project"),
            _("Work begins as soon as it is open."),
            glance.project.is_open,
            gettext_lazy("Open the project"),
            "project_actions",
        )

    def panes(self, course: Course | None, naming: Naming) -> dict[str, Any]:
        project, sentences = self.glance.project, self.glance.items[Translation.KIND].number
        study = translated.read(project)
        return {
            "plan": study.plan,
            "languages": [study.plan.source_language, study.plan.language],
            "errors": translated.of_study(study),
            "course": results.translations(course, sentences) if course else None,
            "looked": results.looked(study),
            "latest_translations": results.latest_translations(study, latest.translations(project)),
        }
