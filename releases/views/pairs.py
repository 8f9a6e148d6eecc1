"""All pairs of a release, page by page in the order of its files."""

import uuid
from typing import Any, cast

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.projects.forms.filters import PageForm
from annotation.projects.labels import outcome_names
from annotation.projects.views import table_page
from annotation.runs.method_names import METHOD_NAMES
from common import keyset
from releases.dataset.plain_names import plain_name
from releases.dataset.rows import SPLITS
from releases.models import Release
from releases.selectors import content
from releases.selectors.published import is_published_set
from releases.selectors.releases import is_translation, settings_of, tables_of
from releases.views import contents
from releases.views.one_release import find
from releases.views.release_page import page

TEMPLATE = "releases/pairs.html"
SIZE = 50
LABELS = {"": _("any label"), "1": _("paraphrases"), "0": _("other pairs")}


class ExamplesForm(PageForm):
    """Filters of the pairs of a release; names are those of columns."""

    subset = forms.ChoiceField(label=_("Part"), required=False)
    split = forms.ChoiceField(
        label=_("Split"),
        required=False,
        choices=[("", _("any split")), *((split, split) for split in SPLITS)],
    )
    label = forms.ChoiceField(label=_("Label"), required=False, choices=[*LABELS.items()])
    method = forms.ChoiceField(
        label=_("Method"),
        required=False,
        choices=[("", _("any method")), *METHOD_NAMES.items()],
    )

    def __init__(self, *arguments: Any, release: Release, **options: Any) -> None:
        super().__init__(*arguments, **options)
        subsets = dict.fromkeys(table.subset for table in tables_of(release))
        subset: Any = self.fields["subset"]
        subset.choices = [
            ("", _("any part")),
            *((name, gettext(plain_name(name).name)) for name in subsets),
        ]
        if is_published_set(release) or is_translation(release):
            return
        scheme, label = settings_of(release).scheme, cast(forms.ChoiceField, self.fields["label"])
        if not scheme.decides:
            del self.fields["label"]
        elif not scheme.is_binary:
            names = zip(map(str, scheme.outcome_values), outcome_names(scheme), strict=True)
            label.choices = [("", LABELS[""]), *names]

    def filters(self) -> dict[str, str]:
        names = ("subset", "split", "label", "method")
        return {name: value for name in names if (value := self.cleaned_data.get(name))}


@gates.signed_in
@require_safe
def release_pairs(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Show the pairs of a frozen release. 410 if it is withdrawn."""
    member = gates.reader(request, project_id)
    release = find(member, public_id)
    if release.state == Release.State.WITHDRAWN:
        return page(request, member, public_id)
    if release.state != Release.State.FROZEN:
        return redirect("release", project_id, public_id)
    form = ExamplesForm(request.GET, release=release, label_suffix="")
    context = table_page.frame(member) | {"release": release, "form": form}
    if not form.is_valid():
        return table_page.refuse(request, TEMPLATE, context)
    filters = form.filters()
    rows = content.examples_in_files(release, filters)
    examples = keyset.page(
        rows.select_related("pair"), columns=["position"], size=SIZE, **form.page_keys(1)
    )
    total = contents.number_of_pairs(release)
    context |= {
        "pair_rows": contents.rows_of(release, examples.rows),
        "number": rows.count() if filters else total,
        "total": total,
        "links": table_page.links(request.GET, examples),
    }
    return render(request, TEMPLATE, context)
