"""The release of a study's translations: its rows, read at one moment, and its plan (PAWS-X 2).

Rows are what people answered, and what machines made. `frozen` stores such releases like those of
judged pairs.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from operator import itemgetter
from typing import Any

from django.conf import settings as installation
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.models import (
    Project,
    TranslatedPair,
    Translation,
    TranslationPlan,
    Validation,
)
from annotation.stats.labels import SAME_OR_DIFFERENT, Scheme
from annotation.translations.selectors import figures, readiness
from annotation.translations.selectors.figures import Figures, Study
from annotation.translations.selectors.results import Opinion, Result, State
from common.bulk import Written
from common.leases import Progress
from common.snapshots import as_of_one_moment
from generation.models import Candidate, GenerationRun, Method
from releases.dataset.facts import has_machine_sentences
from releases.dataset.files import LineFile
from releases.dataset.manifest import as_json
from releases.dataset.rows import ReleasedPair
from releases.dataset.task import task_of
from releases.dataset.translated.figures import REJECT, validation
from releases.dataset.translated.files import (
    NEWEST_LAYOUT,
    SENTENCES,
    UNTRANSLATED,
    VALIDATIONS,
    SourceRelease,
    TranslationSettings,
)
from releases.dataset.translated.plan import TranslatedReleasePlan, ends, plan
from releases.dataset.translated.rows import TranslationRow, UntranslatableRow, ValidationRow
from releases.models import Release, TranslationSource
from releases.selectors import activities, content
from releases.selectors.published import publishers_of
from releases.selectors.releases import WRITE_AGAIN, facts_of, metadata_of, scheme_of
from releases.services.moments import Moment, declared_facts, model_identities
from releases.services.steps import PLANNING, READING
from releases.translations import selectors

CHOICES = {"accepts_errors"}
ACCEPT = "Or let the draft accept unvalidated translations and word errors; the release says so."
CHUNK = 5000


@dataclass(frozen=True, slots=True)
class Translated:
    """All rows of a project's translations. People are named by their keys as text.

    `pairs` are those of the source release that are to be translated.
    """

    pairs: list[ReleasedPair]
    sentences: list[TranslationRow]
    untranslated: list[UntranslatableRow]
    validations: list[ValidationRow]

    @property
    def people(self) -> set[int]:
        names = {row.translator for row in self.sentences if row.translator}
        names |= {name for row in self.validations for name in (row.translator, row.validator)}
        return set(map(int, names))


def translation_settings(source: TranslationSource, **choices: Any) -> TranslationSettings:
    """Return the settings of a release, with those that people chose. Raises ValueError."""
    if unknown := sorted(choices.keys() - CHOICES):
        raise ValueError(f"The study determines {', '.join(unknown)}: a release can't set them.")
    project, study = source.project, source.project.translation_plan
    runs = models_by_language(project)
    return TranslationSettings(
        source_language=study.source_language,
        language=study.language,
        source=_source_identity(source.release),
        seed=project.seed,
        dev=source.dev,
        test=source.test,
        validated_share=study.validated_share,
        least_validated=study.least_validated,
        most_error=study.most_error,
        forward=runs.get(study.language, ""),
        backward=runs.get(study.source_language, ""),
        scheme=_scheme(source.release),
        layout=NEWEST_LAYOUT,
        **choices,
    )


def _scheme(release: Release) -> Scheme:
    """Return the labels of a release; those of two sides are the same in all translations."""
    scheme = scheme_of(release)
    return SAME_OR_DIFFERENT if scheme.is_binary else scheme


def _source_identity(release: Release) -> SourceRelease:
    if release.manifest is None:
        what = _("The files of %(release)s, which this project translates, are missing.")
        raise ValueError(f"{what % {'release': release}} {WRITE_AGAIN}")
    sha256 = hashlib.sha256(as_json(release.manifest).encode()).hexdigest()
    return SourceRelease(release.facts["name"], release.version, sha256)


def plan_translations(
    release: Release, source: TranslationSource, progress: Progress
) -> tuple[Moment, TranslationSettings, TranslatedReleasePlan]:
    """Raises ValueError with what the study lacks."""
    progress.begin(READING)
    moment, settings, rows = as_of_one_moment(lambda: _read_moment(release, source))
    progress.begin(PLANNING, total=len(rows.pairs))
    planned = plan(
        rows.pairs,
        rows.sentences,
        rows.untranslated,
        language=settings.language,
        scheme=settings.scheme,
    )
    if not planned.pairs:
        raise ValueError("Both sentences of no pair are translated, so nothing can be released.")
    return moment, settings, planned


def _read_moment(
    release: Release, source: TranslationSource
) -> tuple[Moment, TranslationSettings, Translated]:
    """Return all that a release is planned and written from. People answer meanwhile."""
    release.project = source.project = Project.objects.get(pk=release.project_id)
    moment = timezone.now()
    settings = translation_settings(source, **{name: release.settings[name] for name in CHOICES})
    study = figures.read(release.project)
    if not settings.accepts_errors:
        _refuse(figures.of_study(study))
    rows = read_translations(study, release.project, source.release)
    people = list(User.objects.filter(pk__in=rows.people).order_by("pk"))
    lines: dict[LineFile[Any], Sequence[Any]] = {
        SENTENCES: rows.sentences,
        UNTRANSLATED: rows.untranslated,
        VALIDATIONS: rows.validations,
    }
    return Moment(moment, people, _facts(release, source, settings), lines), settings, rows


def _refuse(study: Figures) -> None:
    """Raise ValueError with what the study lacks."""
    if reasons := readiness.obstacles(study, _name):
        can_be_accepted = not study.progress.waiting.sentences
        raise ValueError("\n".join([*reasons, *([ACCEPT] if can_be_accepted else [])]))


def _name(key: int) -> str:
    return User.objects.get(pk=key).username


def _facts(
    release: Release, source: TranslationSource, settings: TranslationSettings
) -> dict[str, Any]:
    """Return the fields of ReleaseFacts except `created`, which is the time of freezing."""
    project, published = release.project, publishers_of(source.release)
    facts_of_source = replace(facts_of(source.release), published=published)
    return {
        "name": project.name,
        "version": release.version,
        "software_version": installation.VERSION,
        "models": model_identities(list(runs_of(project).order_by("id"))),
        "language": settings.language,
        "licence": _licence(source.release),
        "source_address": metadata_of(source.release).homepage,
        "source_is_synthetic": has_machine_sentences(facts_of_source),
        **({"published": published} if published else {}),
        "task": task_of(settings.scheme),
        "platforms": activities.platforms(project),
        "simulated_people": activities.simulated_people(project),
        "work": _work(project),
        "description": project.description,
        "guidelines": project.guidelines,
        **declared_facts(release),
    }


def _work(project: Project) -> dict[str, Any]:
    machine = activities.first_and_last(runs_of(project), "created_at", "finished_at")
    return activities.work(project, Translation.KIND, Validation.KIND) | {
        "machine": {"days": machine}
    }


def _licence(source: Release) -> str:
    metadata = source.facts.get("metadata", {})
    return str(metadata.get("licence") or source.facts["licence"])


def read_translations(study: Study, project: Project, source: Release) -> Translated:
    """Return the translations of a study that was read, each kind in the order of its file."""
    plan, pairs = study.plan, list(pairs_to_translate(project, source))
    ids = dict(reversed([(text, key) for pair in pairs for key, text in ends(pair)]))
    results = [result for result in study.results if result.source in ids]
    simulated_people = _simulated_people(project)
    standing_results = [
        (result, result.standing) for result in results if result.standing is not None
    ]
    human_rows = sorted(
        _human_row(*result, ids[result[0].source], plan, simulated_people)
        for result in standing_results
    )
    return Translated(
        pairs=pairs,
        sentences=[*human_rows, *_machine_rows(project, pairs, ids, human_rows, plan)],
        untranslated=sorted(
            _untranslatable_row(result, ids[result.source])
            for result in results
            if result.state == State.UNTRANSLATABLE
        ),
        validations=sorted(
            _validation_rows(results, ids, plan, simulated_people), key=itemgetter(0, 1, 5)
        ),
    )


def pairs_to_translate(project: Project, source: Release) -> Iterator[ReleasedPair]:
    """Yield the labelled pairs of the source release: all of train, and the drawn of dev and test.

    Pairs that only a method labelled come last in a release.
    """
    rows = TranslatedPair.objects.filter(project=project)
    ids_drawn = set(rows.values_list(Written("public_id"), flat=True))
    labelled_pairs = takewhile(lambda pair: pair.origin != "silver", content.pairs_of(source))
    for pair in labelled_pairs:
        if pair.subset == selectors.SUBSET and (pair.split == "train" or pair.id in ids_drawn):
            yield pair


def _human_row(
    result: Result, opinion: Opinion, key: str, plan: TranslationPlan, simulated: set[int]
) -> TranslationRow:
    validation = opinion.look
    return TranslationRow(
        id=str(result.public_id),
        text=opinion.final_text,
        language=plan.language,
        translates=key,
        by="human",
        validated=validation.action if validation and validation.action else None,  # type: ignore[arg-type]
        translator=str(opinion.translator),
        unchanged=opinion.final_text == result.source,
        simulated=opinion.translator in simulated,
    )


def _untranslatable_row(result: Result, key: str) -> UntranslatableRow:
    reasons = (opinion.action for opinion in result.opinions if not opinion.is_translation)
    return UntranslatableRow(key, result.source, tuple(reasons))


def _validation_rows(
    results: Iterable[Result], ids: Mapping[str, str], plan: TranslationPlan, simulated: set[int]
) -> Iterator[ValidationRow]:
    """Yield the answers of validators, of translations that count or that were rejected."""
    for result in results:
        for opinion in result.opinions:
            if opinion.look is None or not opinion.look.action:
                continue
            look = opinion.look
            yield validation(
                opinion.text,
                None if look.action == REJECT else opinion.final_text,
                language=plan.language,
                sentence=ids[result.source],
                action=look.action,
                translator=str(opinion.translator),
                validator=str(look.validator),
                simulated=look.validator in simulated,
            )


def _machine_rows(
    project: Project,
    pairs: Iterable[ReleasedPair],
    ids: Mapping[str, str],
    human: Iterable[TranslationRow],
    plan: TranslationPlan,
) -> list[TranslationRow]:
    """Return the machine translations of train, then those of people's translations.

    The latest run counts. A text that people have changed since is not there.
    """
    train = {text for pair in pairs if pair.split == "train" for _, text in ends(pair)}
    ids_by_language = {
        plan.language: {text: ids[text] for text in train},
        plan.source_language: {row.text: row.id for row in reversed(list(human))},
    }
    translations: dict[tuple[str, str], TranslationRow] = {}
    rows = Candidate.objects.filter(run__in=runs_of(project), rank=0)
    columns = (Written("public_id"), "text", "sentence__text", "run__settings")
    for key, text, source, settings in rows.order_by("id").values_list(*columns).iterator(CHUNK):
        language = settings["language"]
        if (translates := ids_by_language.get(language, {}).get(source)) is not None:
            translations[language, source] = TranslationRow(
                key, text, language, translates, "machine",
                model=settings["forward"], unchanged=text == source,
            )  # fmt: skip
    return sorted(translations.values(), key=lambda row: (row.language != plan.language, row.id))


def runs_of(project: Project) -> QuerySet[GenerationRun]:
    return project.runs.filter(method=Method.TRANSLATION, preview=False)


def models_by_language(project: Project) -> dict[str, str]:
    """Return the name of the model of the latest run into each language."""
    runs = runs_of(project).order_by("id").values_list("settings", flat=True)
    return {settings["language"]: settings["forward"] for settings in runs}


def _simulated_people(project: Project) -> set[int]:
    people = User.objects.filter(is_simulated=True, slots__project=project)
    return set(people.values_list("pk", flat=True))
