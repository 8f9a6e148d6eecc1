"""The generation runs of a project, whose candidates enter it as their batches finish."""

from collections.abc import Collection, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet, TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Intake, Project, TranslationPlan
from annotation.projects import additions
from generation import installed_endpoints, methods
from generation.errors import BadSettings, WrongLanguage, WrongMethod
from generation.methods import model_loaders
from generation.models import Corpus, GenerationRun, Method, Sentence
from generation.services import runs


class Rewrites(TextChoices):
    """What a run of a method that takes pairs rewrites."""

    PAIRS = "pairs", gettext_lazy("both sentences of each word-swap pair")
    SENTENCES = "sentences", gettext_lazy("the imported sentences")


def start(
    project: Project,
    corpora: Collection[Corpus],
    *,
    method: str,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    preview: bool = False,
    rewrite: str = "",
    started_by: User | None = None,
    most_tokens: int | None = None,
    most_cost: float | None = None,
) -> list[GenerationRun]:
    """Start one run over each corpus, adopted by the project: all of them, or none.

    `rewrite` is one of Rewrites; "" for the word swaps of a corpus which the project has adopted,
    if the method takes pairs and there are any, else for the sentences. Limits are those of each
    run. Raises UnknownMethod, WrongMethod, BadSettings, WrongLanguage, MissingModel, BadLimit or
    NoSentences, and Refused if the pairs of the project are complete.
    """
    additions.check_runs(project)
    _check_method(project, method)
    settings = suggested_settings(project) | dict(settings or {})
    _check_language(project, settings)
    _check_run(project, method, settings, corpora)
    with transaction.atomic():
        new_runs = [
            runs.start(
                corpus,
                method=method,
                settings=settings,
                seed=seed,
                started_by=started_by,
                pairs_of=_runs_to_rewrite(project, corpus, method, rewrite),
                preview=preview,
                most_tokens=most_tokens,
                most_cost=most_cost,
            )
            for corpus in corpora
        ]
        for run in new_runs:
            adopt(project, run)
            what = {"method": method, "preview": preview}
            audit.record(Act.RUN_STARTED, by=started_by, on=run, project=project, **what)
    return new_runs


def adopt(project: Project, run: GenerationRun) -> None:
    """Let the candidates of a run enter, and managers use its corpus. Raises Refused."""
    additions.check_runs(project)
    project.runs.add(run)
    project.corpora.add(run.corpus_id)


@transaction.atomic
def add(project: Project, run: GenerationRun, *, by: User) -> None:
    """Add a run to the project, and record it. Raises WrongMethod."""
    _check_method(project, run.method)
    adopt(project, run)
    audit.record(Act.RUN_ADDED, by=by, on=run, project=project)


@transaction.atomic
def remove(project: Project, run: GenerationRun, *, by: User) -> None:
    """Remove a run. Raises ValidationError if any of its candidates are in the project."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if Intake.objects.filter(project=project, batch__run=run).exists():
        raise ValidationError(_("This run has already been added to the project."))
    project.runs.remove(run)
    audit.record(Act.RUN_REMOVED, by=by, on=run, project=project)


def methods_of(project: Project) -> list[str]:
    """Return the methods that a project has a use for: one that translates needs translations."""
    return [name for name in methods.METHODS if Method(name).makes_pairs is not project.translates]


def can_rewrite(project: Project, language: str) -> bool:
    """Return whether some method makes candidates from sentences in a language.

    One that takes pairs does not count: its translators decide.
    """
    endpoints = installed_endpoints.endpoints()
    has_chat_models = bool(endpoints.models_for(*names_for_endpoints(project)))
    rewriting = (
        methods.METHODS[name]
        for name in methods_of(project)
        if name != Method.DEFINITIONS and (has_chat_models or name != Method.PROMPTED)
    )
    return any(method.can_do(language) for method in rewriting if not method.takes_pairs)


def names_for_endpoints(project: Project) -> tuple[str, str]:
    """Return the names by which the operator's file allows endpoints to a project."""
    return str(project.public_id), project.name


def method_of_next_run(project: Project) -> str:
    """Return the method of the newest run; before any run, one that suits the corpora."""
    names = methods_of(project)
    newest = project.runs.filter(method__in=names).order_by("-pk").first()
    if newest is not None:
        return newest.method
    definitions = Sentence.objects.filter(corpus__in=project.corpora.all(), candidate=None)
    if Method.DEFINITIONS in names and definitions.exclude(entity="").exists():
        return Method.DEFINITIONS
    return names[0]


def suggested_settings(project: Project) -> dict[str, str]:
    """Return settings that runs of a project have unless others are given."""
    plan = _plan(project)
    return {"language": plan.language} if plan else {}


def _check_language(project: Project, settings: Mapping[str, Any]) -> None:
    """Refuse translations that a project has no use for: neither into its language nor back."""
    plan = _plan(project)
    if plan and settings["language"] not in (plan.language, plan.source_language):
        text = _("The project %(project)s translates into %(language)s. Set this language.")
        raise WrongLanguage(text % {"project": project, "language": plan.language})


def _plan(project: Project) -> TranslationPlan | None:
    return TranslationPlan.objects.filter(project=project).first() if project.translates else None


def _check_method(project: Project, method: str) -> None:
    if method in methods.METHODS and method not in (names := methods_of(project)):
        text = _("The project %(project)s has no use for %(method)s. Choose one of: %(known)s.")
        raise WrongMethod(text % {"project": project, "method": method, "known": ", ".join(names)})


def _check_run(
    project: Project, method: str, settings: Mapping[str, Any], corpora: Collection[Corpus]
) -> None:
    """Check before a transaction is open: reading models may take seconds."""
    run_method = methods.named(method)
    all_settings = run_method.configure(settings)
    for name in run_method.endpoint_models(all_settings):
        if not model_loaders.chat_model(name).endpoint.serves(*names_for_endpoints(project)):
            text = _("This project may not use the model %(name)s. Choose another one.")
            raise BadSettings(text % {"name": name})
    for corpus in corpora:
        runs.check_language(corpus, method, all_settings)
    run_method.identify(all_settings)


def _runs_to_rewrite(
    project: Project, corpus: Corpus, method: str, rewrite: str
) -> list[GenerationRun]:
    """Return the runs whose pairs are rewritten; none if the sentences are."""
    if rewrite == Rewrites.SENTENCES:
        return []
    if not methods.named(method).takes_pairs:
        if rewrite == Rewrites.PAIRS:
            raise BadSettings(f"The method {method} rewrites sentences, not pairs.")
        return []
    swaps = list(swaps_of(project).filter(corpus=corpus))
    if rewrite == Rewrites.PAIRS and not swaps:
        raise runs.no_pairs_error(corpus)
    return swaps


def swaps_of(project: Project) -> QuerySet[GenerationRun]:
    """Return the word-swap runs of a project, whose pairs can be rewritten."""
    return project.runs.filter(method=Method.WORD_SWAP)
