"""The form by which a manager asks a model behind an endpoint to judge pairs."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.model_judgments import asking, tasks
from annotation.model_judgments.asking import Interview
from annotation.models import ModelTask, Project
from annotation.runs.services import names_for_endpoints
from common.bounded_json import MAX_INTEGER
from generation import installed_endpoints
from generation.endpoints.chat import Model
from generation.services.limits import DEFAULT_TOKENS, MOST_COST

LOGPROBS = "logprobs"


class AskForm(forms.Form):
    """A model, the pairs, the question and the limits."""

    model = forms.ChoiceField(label=_("Model"))
    scope = forms.ChoiceField(
        choices=ModelTask.Scope.choices, initial=ModelTask.Scope.ALL, label=_("Pairs")
    )
    draw = forms.IntegerField(
        min_value=1,
        max_value=MAX_INTEGER,
        required=False,
        label=_("Number of pairs"),
        help_text=_("Drawn at random. Empty: all of them."),
    )
    prompt = forms.CharField(
        max_length=asking.MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 14, "dir": "auto"}),
        strip=False,
        label=_("Prompt"),
        help_text=_(
            "{guidelines}, {labels}, {sentence1} and {sentence2} are replaced by the guidelines, "
            "the labels with their criteria, and the two sentences."
        ),
    )
    ask_for = forms.ChoiceField(
        choices=[
            ("samples", _("Several answers; the most frequent one counts")),
            (LOGPROBS, _("The probabilities of the labels, where the model gives them")),
        ],
        initial="samples",
        label=_("Ask for"),
    )
    samples = forms.TypedChoiceField(
        coerce=int,
        choices=[(number, number) for number in range(asking.FEWEST_SAMPLES, 21, 2)],
        initial=4,
        label=_("Answers to each pair"),
        help_text=_(
            "Half of them with the sentences exchanged, as models prefer one place; not where the "
            "order of the sentences has a meaning."
        ),
    )
    temperature = forms.FloatField(
        min_value=0,
        max_value=2,
        initial=1.0,
        label=_("Temperature"),
        help_text=_("Higher values give more varied answers; at 0 all are equal."),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_INTEGER,
        initial=0,
        label=_("Seed"),
        help_text=_("Use the same seed to reuse answers that were paid before."),
    )
    most_tokens = forms.IntegerField(
        min_value=1,
        max_value=MAX_INTEGER,
        initial=DEFAULT_TOKENS,
        label=_("Maximum tokens"),
        help_text=_("Sent and received. The task pauses there, and can go on with a higher limit."),
    )
    most_cost = forms.FloatField(
        min_value=0,
        max_value=MOST_COST,
        required=False,
        label=_("Maximum cost"),
        help_text=_("In the currency of the model, if it has a price. Empty: no limit."),
    )

    def __init__(self, *args: Any, project: Project, **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        self.project = project
        models = installed_endpoints.endpoints().models_for(*names_for_endpoints(project))
        self.models = {model.name: model for model in models}
        self.fields["model"].choices = [  # type: ignore[attr-defined]
            (name, f"{name} · {model.endpoint.note}" if model.endpoint.note else name)
            for name, model in self.models.items()
        ]
        self.fields["model"].initial = next(iter(self.models), None)
        self.fields["prompt"].initial = tasks.default_prompt(project)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not self.errors and (problem := asking.problem_of(self.interview)):
            self.add_error("prompt", _(problem))
        return values

    @property
    def model_asked(self) -> Model:
        return self.models[self.cleaned_data["model"]]

    @property
    def interview(self) -> Interview:
        parameters = {name: self.cleaned_data[name] for name in ("samples", "temperature", "seed")}
        parameters["by_logprobs"] = self.cleaned_data["ask_for"] == LOGPROBS
        prompt = self.cleaned_data["prompt"].replace("\r\n", "\n")
        return tasks.interview_of(self.project, prompt=prompt, **parameters)
