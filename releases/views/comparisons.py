"""Pages of comparison studies: the form on a release, and the results (PARADE, Table 10).

A project that judges pairs again has the same addresses, with the published labels instead.
"""

import uuid
from typing import NamedTuple

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import gates, readers
from annotation.access.gates import Request
from annotation.models import Membership, Project
from annotation.people.selectors.names import Naming, for_reader
from annotation.projects.views import table_page
from annotation.quality.services.qualification import MOST_PAIRS
from annotation.stats.binary import Confusion, Scores
from releases.forms import MOST_SEED
from releases.models import Comparison, Release
from releases.selectors import comparisons as selectors
from releases.selectors import relabelled
from releases.selectors.comparisons import Results
from releases.services import comparisons
from releases.views.judged_again import published_labels_page
from releases.views.one_release import ask, create_study, find

MOST_SAMPLE, MOST_PEOPLE = 10_000, 100


class ComparisonForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name of the new project"),
        max_length=Project._meta.get_field("name").max_length,
    )
    sample = forms.IntegerField(
        label=gettext_lazy("Pairs to judge"),
        help_text=gettext_lazy("Drawn at random from the labelled pairs of the test set."),
        min_value=1,
        max_value=MOST_SAMPLE,
        initial=comparisons.SAMPLE,
    )
    taught = forms.IntegerField(
        label=gettext_lazy("Pairs to learn from"),
        help_text=gettext_lazy(
            "Drawn from the train set. People answer them first, in a qualification set that "
            "everyone passes, and then see the labels. 0 for none."
        ),
        min_value=0,
        max_value=MOST_PAIRS,
        initial=comparisons.TAUGHT,
    )
    people = forms.IntegerField(
        label=gettext_lazy("People who judge each pair"),
        help_text=gettext_lazy("An odd number always has a majority."),
        min_value=1,
        max_value=MOST_PEOPLE,
        initial=comparisons.PEOPLE,
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        help_text=gettext_lazy("The same seed draws the same pairs."),
        min_value=0,
        max_value=MOST_SEED,
        initial=0,
    )


COLUMNS = "who pairs tp fp fn tn accuracy f1 precision recall"


class Line(NamedTuple):
    """A row of the table of results; a mean has no confusion."""

    name: str
    is_simulated: bool
    confusion: Confusion
    scores: Scores


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def compare_release(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    member = gates.manager(request, project_id)
    if not readers.may_create(request.user):
        raise Http404
    release = find(member, public_id)
    if release.state != Release.State.FROZEN:
        return redirect("release", project_id, public_id)
    available = {
        "sample": selectors.number_of(release, [selectors.TEST]),
        "taught": selectors.number_of(release, [selectors.TRAIN]),
    }
    initial = {
        "name": selectors.suggested_name(release),
        "sample": min(comparisons.SAMPLE, available["sample"]),
        "taught": min(comparisons.TAUGHT, available["taught"]),
    }
    sent = request.POST if request.method == "POST" else None
    form = ComparisonForm(sent, initial=initial, label_suffix="")
    if form.is_valid() and (study := create_study(comparisons.create, request, release, form)):
        messages.success(request, _("Project created. Invite the people who are to judge."))
        return redirect("comparison", study.project.public_id)
    about = {"release": release, "available": available}
    return ask(request, member, form, "releases/compare", **about)


@gates.signed_in
@require_safe
def comparison(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show how well people, or labels, compare with a release. 404 for other projects."""
    member = gates.reader(request, project_id)
    study = _study(member.project)
    release = study.release
    memberships = Membership.objects.filter(user=request.user, project=release.project_id)
    context = table_page.frame(member) | {
        "release": release,
        "reads_release": memberships.filter(role__in=["manager", "researcher"]).exists(),
    }
    if study.measures_labels:
        return published_labels_page(request, study, context)
    results = selectors.comparison_results(study)
    context |= {"results": results, "lines": _lines(results, for_reader(member))}
    return render(request, "releases/comparison.html", context)


@gates.signed_in
@require_safe
def comparison_table(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Download the rows of the page with their counts, or the pairs whose labels differ."""
    member = gates.reader(request, project_id)
    study = _study(member.project)
    if study.measures_labels:
        pairs = relabelled.differing_pairs(study)
        return table_page.download(
            request, member.project, "differing pairs", relabelled.COLUMNS, pairs
        )
    lines = _lines(selectors.comparison_results(study), for_reader(member))
    rows = [(line.name, *_counts(line.confusion), *_scores(line.scores)) for line in lines]
    return table_page.download(request, member.project, "comparison", COLUMNS.split(), rows)


def _study(project: Project) -> Comparison:
    study = selectors.comparison_of_project(project)
    if study is None:
        raise Http404
    return study


def _lines(results: Results, naming: Naming) -> list[Line]:
    """Return the row of the majority, and of each person by the name that the reader may see."""
    people = sorted(results.people, key=lambda person: naming.order(person.user))
    majority = Line(_("Majority"), False, results.majority, results.majority.scores)
    return [
        majority,
        *(
            Line(
                naming.name(person.user),
                person.user.is_simulated,
                person.confusion,
                person.confusion.scores,
            )
            for person in people
        ),
    ]


def _counts(counts: Confusion) -> tuple[int, ...]:
    return counts.pairs, counts.tp, counts.fp, counts.fn, counts.tn


def _scores(scores: Scores) -> tuple[float | None, ...]:
    return scores.accuracy, scores.f1, scores.precision, scores.recall
