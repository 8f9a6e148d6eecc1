"""Filters and places in the tables of a study. Every name is from a list."""

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.db.models import QuerySet
from django.http import Http404, QueryDict
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.audited_acts import Act
from accounts.models import AuditEntry, User
from annotation.models import Project, Skip
from annotation.pairs.differences import INTENTS, change_name
from annotation.pairs.differences import KINDS as KINDS_OF_CHANGE
from annotation.pairs.selectors import model_says, pairs
from annotation.pairs.selectors.model_says import ModelSays
from annotation.pairs.selectors.pairs import PairFilters
from annotation.projects.selectors import history
from annotation.runs.method_names import JUDGED_METHODS, METHOD_NAMES
from annotation.runs.selectors.runs import methods_in
from annotation.work.contract import Kind
from annotation.work.kinds import KINDS as KINDS_OF_WORK
from annotation.work.lists import AnswerFilters
from common.keyset import Key
from generation.models import Method

MOST_CHARACTERS, MOST_WORDS = 100, 6
# More than any page lists.
MOST_CHOSEN = 2000
# A primary key, a margin or an estimate; 19 digits may exceed the range of a column.
NUMBER = r"-?\d{1,18}(?:\.\d{1,20})?(?:e-\d{1,3})?"
KEY = rf"^{NUMBER}(_{NUMBER})?$"

METHODS: dict[str, str | Promise] = {
    "": _("any method"),
    **{name: METHOD_NAMES[name] for name in JUDGED_METHODS},
}
KINDS = {"": _("all items"), **{kind.name: kind.items for kind in KINDS_OF_WORK.values()}}
REASONS = {
    "": _("any reason"),
    Skip.Reason.UNCLEAR: _("I can’t tell"),
    Skip.Reason.BROKEN: _("not a valid sentence"),
    Skip.Reason.OFFENSIVE: _("I’d rather not read this"),
    Skip.Reason.OTHER: _("something else"),
}
PEOPLE_VIEWS = {
    "": _("Everyone"),
    "look": _("Needs a look"),
    "flagged": _("Flagged"),
    "paused": _("Paused"),
    "excluded": _("Excluded"),
    "managers": _("Managers"),
}
ANNOTATOR_ORDERS = {
    "name": _("Name"),
    **{kind.answers: capfirst(gettext_lazy(kind.answers)) for kind in KINDS_OF_WORK.values()},
    "seconds": _("Median seconds"),
    "distance": _("Distance from the others"),
    "agreement": _("Agreement with the others"),
    "kappa": _("Kappa with the consensus"),
    "kappa_others": _("Kappa with the others"),
    "known": _("Gold pairs correct"),
    "last_seen": _("Last seen"),
}


class KeyField(forms.RegexField):
    """The position of a page: numbers separated by underscores."""

    def __init__(self) -> None:
        super().__init__(KEY, required=False, widget=forms.HiddenInput)

    def clean(self, value: Any) -> Key | None:
        text = super().clean(value)
        return tuple(map(_number, text.split("_"))) if text else None


class PageForm(forms.Form):
    """The position of a page in a table."""

    # Values of filters that say what holds without them as well.
    usual: ClassVar[Mapping[str, str]] = {}
    after = KeyField()
    before = KeyField()

    def query(self) -> str:
        """Return the filters as a query string, always the same for the same filters."""
        values = {
            name: field.value()
            for name, field in ((field.name, field) for field in self.visible_fields())
            if field.value() not in (None, "", False, self.usual.get(name))
        }
        return urlencode({name: "on" if value is True else value for name, value in values.items()})

    def page_keys(self, columns: int) -> dict[str, Key | None]:
        """Return both keys; a key without a number for each column becomes None."""
        keys = {name: self.cleaned_data[name] for name in ("after", "before")}
        return {
            name: key if key is None or len(key) == columns else None for name, key in keys.items()
        }


def _choice(choices: dict[Any, Any], label: Any) -> forms.ChoiceField:
    return forms.ChoiceField(choices=[*choices.items()], label=label, required=False)


def _words_of(declared: Mapping[str, tuple[Any, Any]]) -> dict[str, Any]:
    """Return the words of choices that are declared with what they mean."""
    return {name: words for name, (words, _meaning) in declared.items()}


def _offer_methods(form: forms.Form, project: Project) -> set[str]:
    """Offer the methods that occur in the project, and the one that a link names."""
    names = {"", form["method"].value(), *methods_in(project)}
    choices = [(name, text) for name, text in METHODS.items() if name in names]
    form.fields["method"].widget.choices = choices
    return names


class PairsForm(PageForm):
    """Filters of the table of pairs."""

    usual = {"order": next(iter(pairs.ORDERS))}
    words = forms.CharField(max_length=MOST_CHARACTERS, required=False, label=_("Words or ID"))
    label = _choice({}, _("Label"))
    method = _choice(METHODS, _("Method"))
    change = _choice({}, pgettext_lazy("in a sentence", "Change"))
    state = _choice(_words_of(pairs.STATES), _("State"))
    correction = _choice(_words_of(pairs.CORRECTIONS), _("Corrected"))
    model = _choice(_words_of(pairs.MODEL_LABELS), _("Annotator model"))
    says = _choice({}, _("Model"))
    hidden = forms.BooleanField(required=False, label=_("Gold"))
    order = _choice(_words_of(pairs.ORDERS), _("Sort"))

    def __init__(self, *args: Any, project: Project, **options: Any) -> None:
        super().__init__(*args, **options)
        self.project = project
        labels = _words_of(pairs.majorities(project.scheme))
        self.fields["label"].choices = [*labels.items()]  # type: ignore[attr-defined]
        names = {"": _("any kind"), **{kind: change_name(kind) for kind in KINDS_OF_CHANGE}}
        unusual = self["change"].value()
        if unusual and unusual not in names and self._has_change(unusual):
            names[unusual] = unusual
        self.fields["change"].choices = [*names.items()]  # type: ignore[attr-defined]
        if self["says"].value():
            self._offer_models()

    def offer_filters(self) -> None:
        """Offer the methods that occur, labels if pairs have any, and models that labelled pairs.

        What chat models were asked for is offered where one was asked, the model of annotators
        where it was fitted or a link names it.
        """
        methods = _offer_methods(self, self.project)
        if Method.PROMPTED not in methods:
            choices = self.fields["change"].choices  # type: ignore[attr-defined]
            shown = [choice for choice in choices if choice[0] not in INTENTS]
            self.fields["change"].widget.choices = shown
        if not self.project.scheme.decides:
            del self.fields["label"]
        if not self["model"].value() and not pairs.has_model_labels(self.project):
            del self.fields["model"]
        if not self["says"].value() and not self._offer_models():
            del self.fields["says"]

    def _offer_models(self) -> bool:
        """Offer what models say of pairs. Returns whether there are any models."""
        options = model_says.options_of(self.project)
        self.fields["says"].choices = [("", _("any")), *options.items()]  # type: ignore[attr-defined]
        return bool(options)

    def _has_change(self, kind: str) -> bool:
        """Return whether pairs have such a kind: those of imported pairs may be any words."""
        return bool(self.project.pairs.filter(candidate__kind=kind).exists())

    def filters(self) -> PairFilters:
        values = self.cleaned_data
        public_id, words = _parse_search(values["words"])
        return PairFilters(
            state=values["state"],
            label=values.get("label", ""),
            correction=values["correction"],
            model=values.get("model", ""),
            says=ModelSays.from_text(values.get("says", "")),
            method=values["method"],
            change=values["change"],
            order=values["order"] or next(iter(pairs.ORDERS)),
            words=words,
            public_id=public_id,
            hidden=values["hidden"],
        )

    def columns(self) -> int:
        return len(pairs.ORDERS[self.filters().order][1])


class AnswersForm(PageForm):
    """Filters for the answers of a kind of work."""

    words = forms.CharField(max_length=MOST_CHARACTERS, required=False, label=_("Words"))
    state = _choice({}, _("State"))
    method = _choice(METHODS, _("Method"))

    def __init__(self, *args: Any, project: Project, kind: Kind, **options: Any) -> None:
        super().__init__(*args, **options)
        states = {**_words_of(kind.states()), "": _("any")}
        self.fields["state"].choices = [*states.items()]  # type: ignore[attr-defined]
        self.project = project
        if not kind.of_candidates:
            del self.fields["method"]

    def offer_methods(self) -> None:
        if "method" in self.fields:
            _offer_methods(self, self.project)

    def filters(self) -> AnswerFilters:
        values = self.cleaned_data
        method, words = values.get("method", ""), _words(values["words"])
        return AnswerFilters(values["state"], method, words)


class SkipsForm(PageForm):
    """Filters for skipped items."""

    kind = _choice(KINDS, _("Items"))
    reason = _choice(REASONS, _("Reason"))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = {"", *project.kinds}
        self.fields["kind"].choices = [choice for choice in KINDS.items() if choice[0] in names]  # type: ignore[attr-defined]

    def filters(self) -> dict[str, str]:
        return {"kind": self.cleaned_data["kind"], "reason": self.cleaned_data["reason"]}


class PeopleForm(forms.Form):
    """A view of the list of people; with an order, or on demand, it has all their figures."""

    state = _choice(PEOPLE_VIEWS, _("View"))
    figures = _choice({"": "", "all": ""}, _("Figures"))
    order = _choice(ANNOTATOR_ORDERS, _("Order"))
    down = forms.BooleanField(required=False)

    @property
    def shows_all(self) -> bool:
        return bool(self.cleaned_data["figures"] or self.cleaned_data["order"])


class ApartForm(forms.Form):
    """Whether only those answers of a person are listed that the others contradict."""

    apart = forms.BooleanField(required=False)


class HistoryForm(PageForm):
    """Filters by act and by person."""

    act = forms.ChoiceField(
        choices=[("", _("everything")), *Act.choices], label=_("Action"), required=False
    )
    by = forms.TypedChoiceField(label=_("By"), coerce=uuid.UUID, empty_value=None, required=False)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.records = history.of_project(project).select_related("by")
        acts = {
            "",
            self["act"].value(),
            *self.records.order_by().values_list("act", flat=True).distinct(),
        }
        choices = [choice for choice in self.fields["act"].choices if choice[0] in acts]  # type: ignore[attr-defined]
        self.fields["act"].widget.choices = choices
        people = User.objects.filter(pk__in=self.records.values("by")).order_by("username")
        named = [(str(user.public_id), user.username) for user in people]
        self.fields["by"].choices = [("", _("anyone")), *named]  # type: ignore[attr-defined]

    def chosen(self) -> QuerySet[AuditEntry]:
        act, by = self.cleaned_data["act"], self.cleaned_data["by"]
        rows = self.records.filter(act=act) if act else self.records
        return rows.filter(by__public_id=by) if by else rows


class PriorityForm(forms.Form):
    """Whether an item comes before all others, among them, or after them."""

    level = forms.TypedChoiceField(choices=[(1, ""), (0, ""), (-1, "")], coerce=int)


class ItemForm(forms.Form):
    """An item that is set aside or put back."""

    item = forms.UUIDField()


def _parse_search(text: str) -> tuple[uuid.UUID | None, tuple[str, ...]]:
    """Return an id if one was typed, or else a few words."""
    try:
        return uuid.UUID(text.strip()), ()
    except ValueError:
        return None, _words(text)


def _number(text: str) -> float:
    return int(text) if text.lstrip("-").isdecimal() else float(text)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split()[:MOST_WORDS])


def chosen_ids(sent: QueryDict) -> list[uuid.UUID]:
    """Return the public ids of the rows whose boxes are checked. Raises Http404 for others."""
    try:
        keys = dict.fromkeys(uuid.UUID(text) for text in sent.getlist("chosen")[:MOST_CHOSEN])
    except ValueError as error:
        raise Http404 from error
    return list(keys)
