"""Pages of pairs that are judged again: the form on a release, and the published labels."""

import uuid
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from annotation.access import gates, readers
from annotation.access.gates import Request
from annotation.models import Project
from annotation.projects.labels import GRADES
from annotation.projects.protocols import PRESETS
from annotation.stats.labels import SAME_OR_DIFFERENT
from annotation.stats.relabelled import MOST_LISTED, Compared, Relabelling
from annotation.templatetags.figures import number
from releases.dataset.rows import SPLITS
from releases.forms import MOST_SEED
from releases.models import Comparison, Release
from releases.selectors.comparisons import TEST, number_of, suggested_name
from releases.selectors.published import is_published_set
from releases.selectors.relabelled import published_labels
from releases.selectors.releases import is_translation, scheme_of
from releases.services import comparisons
from releases.views.one_release import ask, create_study, find

# On the page: more take longer than a browser waits.
MOST_PAIRS = 10_000
# Those without correction.
OFFERED = ("judging", "graded", "empty")
AS_IN_RELEASE = _("As in this release: its scale, criteria, examples and guidelines")
SCALE_ALONE = _("The scale of this release, without guidelines")
TITLES: dict[str, str | Promise] = {
    "split": _("Split"),
    "votes": _("Votes"),
    "entity": _("Entity"),
    "domain": _("Domain"),
}


class Part(NamedTuple):
    """A row of the table."""

    name: str
    compared: Compared


class JudgeAgainForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the new project"),
        max_length=Project._meta.get_field("name").max_length,
    )
    preset = forms.ChoiceField(
        label=_("Guidelines and scale"),
        required=False,
        help_text=_("The number of people and the scale can’t be changed later."),
    )
    splits = forms.MultipleChoiceField(label=_("Splits"), widget=forms.CheckboxSelectMultiple)
    sample = forms.IntegerField(
        label=_("Pairs to judge"),
        required=False,
        help_text=_("Drawn at random from these splits. Empty: all of them."),
        min_value=1,
        max_value=MOST_PAIRS,
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        help_text=_("The same seed draws the same pairs."),
        min_value=0,
        max_value=MOST_SEED,
        initial=0,
    )

    def __init__(self, sent: Mapping[str, Any] | None, release: Release) -> None:
        self.numbers = {split: number_of(release, [split]) for split in SPLITS}
        with_pairs = [split for split in SPLITS if self.numbers[split]]
        preset = _usual_preset(release)
        initial = {
            "name": suggested_name(release, Comparison.Purpose.LABELS),
            "preset": preset,
            "splits": [TEST] if TEST in with_pairs else with_pairs,
        }
        super().__init__(sent, initial=initial, label_suffix="")
        as_in_release = SCALE_ALONE if is_published_set(release) else AS_IN_RELEASE
        presets = [(name, PRESETS[name].title) for name in OFFERED]
        self.fields["preset"].choices = [("", as_in_release), *presets]  # type: ignore[attr-defined]
        self.fields["splits"].choices = [  # type: ignore[attr-defined]
            (split, f"{split} ({number(self.numbers[split])})") for split in with_pairs
        ]

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = self.cleaned_data
        pairs = sum(self.numbers[split] for split in values.get("splits", ()))
        if "sample" in values and values["sample"] is None and pairs > MOST_PAIRS:
            text = _now(
                "These splits have %(pairs)s pairs, and this page takes at most %(most)s. Enter a "
                "number, or use the command create_comparison for all of them."
            )
            numbers = {"pairs": number(pairs), "most": number(MOST_PAIRS)}
            self.add_error("sample", ValidationError(text % numbers))
        return values


def _usual_preset(release: Release) -> str:
    """Return the preset that fits a published set; "" for settings like those of the release."""
    if not is_published_set(release):
        return ""
    presets = {SAME_OR_DIFFERENT: "judging", GRADES: "graded"}
    return presets.get(scheme_of(release), "")


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def judge_again(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    member = gates.manager(request, project_id)
    if not readers.may_create(request.user):
        raise Http404
    release = find(member, public_id)
    if release.state != Release.State.FROZEN or is_translation(release):
        return redirect("release", project_id, public_id)
    form = JudgeAgainForm(request.POST if request.method == "POST" else None, release)
    if form.is_valid():
        study = create_study(comparisons.judge_again, request, release, form)
        if study:
            messages.success(request, _("Project created. Invite the people who are to judge."))
            return redirect("comparison", study.project.public_id)
    return ask(request, member, form, "releases/judge_again", release=release)


def published_labels_page(
    request: Request, study: Comparison, context: Mapping[str, Any]
) -> HttpResponse:
    figures = published_labels(study)
    about = {
        "study": study,
        "figures": figures,
        "parts": list(_parts(figures)),
        "labels": range(len(figures.table)),
    }
    return render(request, "releases/published_labels.html", {**context, **about})


def _parts(figures: Relabelling) -> Iterator[Part]:
    yield Part(_now("All"), figures.all)
    yield Part(_now("Kept pairs"), figures.kept)
    if figures.grades:
        yield Part(_now("On the grade"), figures.grades)
    for division, parts in figures.parts.items():
        for name, compared in islice(parts.items(), MOST_LISTED):
            yield Part(f"{TITLES[division]}: {name}", compared)
