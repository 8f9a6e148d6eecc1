"""Forms of the pages of runs: a new run, and a run of elsewhere."""

from typing import Any

from django import forms
from django.db.models import Q
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from annotation.access import readers
from annotation.models import Project
from annotation.projects.forms.filters import PageForm
from annotation.runs.selectors.accepted import Accepted
from annotation.runs.selectors.candidates import Order
from annotation.runs.selectors.runs import gold_runs
from annotation.runs.services import Rewrites, methods_of, names_for_endpoints, swaps_of
from annotation.templatetags.figures import number, share
from common.bounded_json import MAX_INTEGER
from common.languages import name_of
from generation import methods, selectors
from generation.endpoints.chat import is_name
from generation.forms import SettingsForm
from generation.installed_endpoints import endpoints
from generation.methods.contract import GenerationMethod
from generation.models import Corpus, GenerationRun, Method
from generation.nlp.recalibration import Recalibration
from generation.services import limits

# Estimates that the form shows corrected.
EXAMPLES = (0.7, 0.9)


class CorpusChoice(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A corpus with its language and size."""

    def label_from_instance(self, corpus: Any) -> str:
        text = ngettext(
            "%(name)s (%(language)s, %(n)s sentence)",
            "%(name)s (%(language)s, %(n)s sentences)",
            corpus.sentences,
        )
        language = name_of(corpus.language)
        return text % {"name": corpus.name, "language": language, "n": corpus.sentences}


class CorpusSelect(forms.Select):
    """Offers no corpus whose language the method cannot do."""

    method: GenerationMethod

    def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **options)
        corpus = getattr(value, "instance", None)
        if corpus is not None and not self.method.can_do(corpus.language):
            option["attrs"]["disabled"] = True
        return option


class NewRunForm(SettingsForm):
    """What a run rewrites, and the settings of its method.

    With enough `accepted` corrections of word swaps, they can correct the estimate.
    """

    corpus = CorpusChoice(
        Corpus.objects.none(),
        label=_("Corpus"),
        help_text=_("The sentences that the run works on."),
        empty_label=_("Choose a corpus"),
        widget=CorpusSelect,
    )
    rewrite = forms.ChoiceField(
        choices=Rewrites.choices, initial=Rewrites.SENTENCES, label=_("Rewrites")
    )
    preview = forms.BooleanField(
        required=False,
        initial=True,
        label=format_lazy(_("Preview until {n} candidates"), n=selectors.PREVIEW_CANDIDATES),
        help_text=_("The run then waits until you approve it."),
    )
    correct_estimate = forms.BooleanField(required=False)
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_INTEGER,
        initial=0,
        label=_("Seed"),
        help_text=_("Use the same seed to get the same results again."),
    )

    most_tokens = forms.IntegerField(
        min_value=1,
        required=False,
        label=_("Maximum tokens"),
        help_text=_("Sent and received. The run pauses there, and can go on with a higher limit."),
    )
    most_cost = forms.FloatField(
        min_value=0,
        required=False,
        label=_("Maximum cost"),
        help_text=_("In the currency of the model, if it has a price. Empty: no limit."),
    )

    def __init__(
        self,
        *args: Any,
        project: Project,
        user: User,
        accepted: Accepted | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, endpoints_of=names_for_endpoints(project), **options)
        self.correction = {}
        if accepted and accepted.recalibration:
            self.correction = accepted.settings
            field = self.fields["correct_estimate"]
            field.label = _correction_label(accepted.total.corrections)
            field.help_text = _correction_help(accepted.recalibration)
        else:
            del self.fields["correct_estimate"]
        if names := self.endpoint_models:
            models = map(endpoints().model, names)
            self.fields["most_tokens"].initial = limits.default_tokens(models)
        else:
            del self.fields["most_tokens"], self.fields["most_cost"]
        of_project = Q(pk__in=project.corpora.all()) | Q(pk__in=project.runs.values("corpus"))
        corpora = selectors.annotate_corpora(
            readers.usable_corpora(user).filter(of_project), GenerationRun.objects.none()
        )
        self.fields["corpus"].queryset = corpora  # type: ignore[attr-defined]
        self.fields["corpus"].widget.method = self.method
        if not self.method.takes_pairs:
            del self.fields["rewrite"]
        elif swaps_of(project).exists():
            self.fields["rewrite"].initial = Rewrites.PAIRS
        if self.method is methods.METHODS[Method.DEFINITIONS]:
            self.fields["corpus"].help_text = _("The definitions that the run pairs.")
        if self.method is methods.METHODS[Method.TRANSLATION]:
            label = _("Preview until {n} translations")
            self.fields["preview"].label = format_lazy(label, n=selectors.PREVIEW_CANDIDATES)
        self.corpora = list(corpora)
        if len(self.corpora) == 1:
            self.initial["corpus"] = self.corpora[0].pk

    @property
    def endpoint_models(self) -> list[str]:
        """The models on other servers that can be chosen."""
        fields: list[Any] = [self.fields[field.name] for field in self.method.models if field.role]
        names = [value for field in fields for value, _label in field.choices]
        return [name for name in names if is_name(name)]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings; the correction of the estimate takes precedence where it is ticked."""
        is_corrected = self.cleaned_data.get("correct_estimate")
        return super().settings | (self.correction if is_corrected else {})

    @property
    def limits(self) -> dict[str, Any]:
        """Return the limits; none if no model on another server is chosen."""
        if not self.method.endpoint_models(self.settings):
            return {}
        return {name: self.cleaned_data[name] for name in ("most_tokens", "most_cost")}


def _correction_label(corrections: int) -> str:
    text = _("Correct the estimate by the %(number)s corrections of this project")
    return text % {"number": number(corrections)}


def _correction_help(recalibration: Recalibration) -> str:
    low, high = EXAMPLES
    text = _("An estimate of %(low)s becomes %(low_then)s, one of %(high)s becomes %(high_then)s.")
    return text % {
        "low": share(low, 0),
        "low_then": share(recalibration.corrected(low), 0),
        "high": share(high, 0),
        "high_then": share(recalibration.corrected(high), 0),
    }


class RunForm(forms.Form):
    """A run that the person may see and that the project has not adopted yet."""

    run = forms.ModelChoiceField(
        GenerationRun.objects.none(), label=_("Run"), empty_label=_("Choose")
    )

    def __init__(self, *args: Any, project: Project, user: User, **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        rows = readers.steerable_runs(user).exclude(projects=project).exclude(pk__in=gold_runs())
        rows = rows.exclude(method__in={*methods.METHODS} - {*methods_of(project)})
        runs = rows.select_related("corpus").order_by("-pk")
        self.fields["run"].queryset = runs  # type: ignore[attr-defined]


class CandidatesForm(PageForm):
    """The order and the position of a page of candidates, or of sentences without one."""

    without = forms.BooleanField(required=False)
    order = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, orders: list[Order], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["order"].choices = [(order, order) for order in orders]  # type: ignore[attr-defined]
