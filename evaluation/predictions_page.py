"""The page Predictions: what models say of the same pairs, filtered, page by page."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.pairs.differences import pieces
from annotation.pairs.rows import Chip, Row
from annotation.projects.forms.filters import PageForm
from annotation.projects.views import table_page
from annotation.projects.views.table_page import POSITIONS, Links
from annotation.templatetags.figures import number
from common.spreadsheets import Cell
from evaluation import board, side_by_side
from evaluation.data import Unusable
from evaluation.experiments.changes import read_kinds
from evaluation.experiments.datasets import read_tested
from evaluation.experiments.sets import Dataset
from evaluation.results import Evaluation
from evaluation.selectors import companion_of, evaluation_of, tables_of
from evaluation.shown import SETS, group_name
from evaluation.side_by_side import ALL_WRONG, DIFFER, ONLY_RIGHT, ScoredPair
from releases.dataset.reader import Unreadable
from releases.models import Release
from releases.selectors.releases import folder_of
from releases.views.contents import LABELS
from releases.views.one_release import find_published
from releases.views.release_page import page

TEMPLATE = "evaluation/predictions.html"
SIZE, LEAST = 20, 2
PICKS: Mapping[str, str | Promise] = {
    "": _("all pairs, most wrong first"),
    DIFFER: _("models differ"),
    ALL_WRONG: _("all models are wrong"),
}


@dataclass(frozen=True, eq=False)
class Content:
    """What the page can show of a release: its pairs, and values of pairs by id to filter by."""

    dataset: Dataset
    evaluation: Evaluation
    kinds: Mapping[str, str]
    domains: Mapping[str, str]


class SideBySideForm(PageForm):
    """Filters; what a release does not tell of its pairs is not offered."""

    set = forms.ChoiceField(label=_("Set"), required=False)
    pick = forms.ChoiceField(label=_("Pairs"), required=False)
    kind = forms.ChoiceField(label=_("Kind of change"), required=False)
    domain = forms.ChoiceField(label=_("Domain"), required=False)
    models = forms.MultipleChoiceField(
        label=_("Models"), required=False, widget=forms.CheckboxSelectMultiple
    )
    download = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, query: QueryDict, *, release: Release, content: Content, **options: Any
    ) -> None:
        sets = [name for name in tables_of(release) if _names(content, name)]
        asked = query.get("set")
        split = asked if asked in sets else next(iter(sets), board.TESTED[0])
        values = query.copy()
        if not values.getlist("models"):
            values.setlist("models", side_by_side.usual_models(_names(content, split)))
        super().__init__(values, **options)
        names = list(dict.fromkeys(name for split in sets for name in _names(content, split)))
        only = {
            f"{ONLY_RIGHT}:{name}": _now("only %(model)s is right") % {"model": name}
            for name in names
        }
        kinds = {name: group_name("kind", name) for name in _values(content.kinds)}
        self._offer("set", {name: SETS[name] for name in sets})
        self._offer("pick", {**PICKS, **only})
        self._offer("kind", {"": _("any kind"), **kinds})
        self._offer("domain", {"": _("any domain")} | {n: n for n in _values(content.domains)})
        self._offer("models", {name: name for name in names})
        for name in ("kind", "domain"):
            if len(self._choices(name)) < 3:
                del self.fields[name]

    def _offer(self, name: str, choices: Mapping[str, Any]) -> None:
        field: Any = self.fields[name]
        field.choices = [*choices.items()]
        if name != "models":
            field.widget.attrs["class"] = "input"

    def _choices(self, name: str) -> Sequence[Any]:
        field: Any = self.fields[name]
        return list(field.choices)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        how, _colon, name = values.get("pick", "").partition(":")
        chosen = values.get("models", [])
        if name and name not in chosen:
            chosen = [*chosen, name]
        if how in (DIFFER, ONLY_RIGHT) and len(chosen) < LEAST:
            raise forms.ValidationError(_("Choose two models or more."))
        return values | {"models": chosen}

    def pickers(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name != "models"]


def _names(content: Content, split: str) -> list[str]:
    return [*side_by_side.files_by_model(content.evaluation, split)]


def _values(cells: Mapping[str, str]) -> list[str]:
    return sorted({cell for cell in cells.values() if cell})


@gates.signed_in
@require_safe
def predictions(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Show pairs with the label and score of each model, or send them as a table."""
    member = gates.reader(request, project_id)
    release = find_published(member, public_id)
    if release.state == Release.State.WITHDRAWN:
        return page(request, member, public_id)
    context = table_page.frame(member) | {"release": release}
    try:
        content = _read(release)
        if not any(_names(content, split) for split in board.TESTED):
            return render(request, TEMPLATE, context | {"is_empty": True})
        form = SideBySideForm(request.GET, release=release, content=content, label_suffix="")
        context["form"] = form
        if not form.is_valid():
            return table_page.refuse(request, TEMPLATE, context)
        pairs = _chosen(release, content, form.cleaned_data)
    except (Unusable, Unreadable) as error:
        return render(request, TEMPLATE, context | {"unusable": str(error)})
    if form.cleaned_data["download"]:
        header, rows = _table(pairs)
        return table_page.download(request, release.project, "predictions", header, rows)
    return render(request, TEMPLATE, context | _shown(request, form, pairs, content))


def _read(release: Release) -> Content:
    """Raises Unusable and Unreadable."""
    dataset = read_tested(folder_of(release))
    kinds = dataset.columns.get("kind") or read_kinds(
        companion_of(release) / board.KINDS, dataset.dev + dataset.test
    )
    domains = dataset.columns.get("domain", {})
    return Content(dataset, evaluation_of(release), kinds or {}, domains)


def _chosen(release: Release, content: Content, values: Mapping[str, Any]) -> list[ScoredPair]:
    """Return the pairs that the filters leave, the most wrong first. Raises Unusable."""
    split = values["set"] or next(iter(tables_of(release)), board.TESTED[0])
    pairs = side_by_side.read_pairs(
        content.dataset,
        companion_of(release),
        content.evaluation,
        split=split,
        names=values["models"],
    )
    for name, cells in (("kind", content.kinds), ("domain", content.domains)):
        if value := values.get(name):
            pairs = [pair for pair in pairs if cells.get(pair.id) == value]
    how, _colon, model = values["pick"].partition(":")
    if not how or not pairs:
        return side_by_side.most_wrong_first(pairs)
    return side_by_side.pick(pairs, how, model)


def _shown(
    request: Request, form: SideBySideForm, pairs: Sequence[ScoredPair], content: Content
) -> dict[str, Any]:
    keys = form.page_keys(1)
    after, before = (int(key[0]) if key else 0 for key in (keys["after"], keys["before"]))
    start = max(0, before - SIZE if before else after)
    end = start + SIZE
    language = content.dataset.language
    return {
        "pair_rows": [_row(pair, language) for pair in pairs[start:end]],
        "number": len(pairs),
        "links": _links(request.GET, before=start, after=end if end < len(pairs) else 0),
    }


def _links(query: QueryDict, *, before: int, after: int) -> Links:
    """Return links that keep the filters, also several models, and change the position."""
    filters = [
        (name, value)
        for name, values in query.lists()
        for value in values
        if value and name not in (*POSITIONS, "download")
    ]
    return Links(
        first=f"?{urlencode(filters)}" if before else "",
        before=f"?{urlencode([*filters, ('before', before)])}" if before else "",
        after=f"?{urlencode([*filters, ('after', after)])}" if after else "",
        filters=urlencode(filters),
    )


def _row(pair: ScoredPair, language: str) -> Row:
    """Return a pair as lists show it, with a chip for each model: red where it is wrong."""
    return Row(
        item=None,
        sentences=pieces(pair.sentence1, pair.sentence2),
        languages=[language] * 2,
        answer=LABELS[pair.label],
        facts=[fact for fact in (pair.entity, pair.grade) if fact],
        chips=[
            Chip(_answer(pair, model), "green" if pair.is_right(model) else "red")
            for model in pair.scores
        ],
    )


def _answer(pair: ScoredPair, model: str) -> str:
    score = f"{model} {number(pair.scores[model], 2)}"
    return score if pair.is_right(model) else _now("%(score)s, wrong") % {"score": score}


def _table(pairs: Sequence[ScoredPair]) -> tuple[list[str], Iterator[list[Cell]]]:
    names = [*pairs[0].scores] if pairs else []
    header = ["id", "sentence1", "sentence2", "entity", "grade", "label", *names]
    rows: Iterator[list[Cell]] = (
        [
            *(pair.id, pair.sentence1, pair.sentence2, pair.entity, pair.grade, pair.label),
            *pair.scores.values(),
        ]
        for pair in pairs
    )
    return header, rows
