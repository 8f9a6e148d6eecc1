"""A study in which everything has happened, and its release at a fixed moment."""

from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from annotation.agreement import services as agreement
from annotation.models import JudgingModel, ModelJudgment, Project, SentencePair
from annotation.quality.services import interventions
from generation.models import GenerationRun, Sentence
from releases.models import Release
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import make

# Later than everything in the study, so that both engines freeze the same at the same time.
MOMENT = datetime(2100, 1, 1, tzinfo=UTC)
MODELS = {"scorer": {"revision": "2", "sha256": "ab" * 32, "name": "trigram"}}
NAMES = ("Ärna", "arna", "Zoë", "zoe", "Ōta", "東京", "École", "eclipse", "Øyvind", "odd", "Bo")


def build() -> None:
    """Corrected swaps, back translations, groups, answers excluded and replaced, a second round, an
    expert and a model."""
    project = make.study(guidelines="Judge the *meaning*: “same” or not.")
    swaps = [(f"{name} met Tobias.", f"Tobias met {name}.") for name in NAMES]
    make.candidates(project, swaps)
    corrector = make.person(project, kinds=["correct"])
    for number in range(len(swaps)):
        fixed = f"Tobias met {number} “friends”."
        make.correct_next(corrector, *(("accept",) if number % 4 else ("fix", fixed)))
    Sentence.objects.filter(text__startswith="Z", candidate=None).update(group="Z")
    back = [(source, f"{source[:-8]} was met by Tobias.") for source, _ in swaps[:8]]
    make.candidates(project, back, method="back_translation")
    GenerationRun.objects.update(model_identities=MODELS, settings={"beam": 100, "a": 0.5})
    _judge(project, people=5)
    _ask_again(project)


def _judge(project: Project, *, people: int, undecided: int = 3) -> None:
    """The last ones say the opposite of the first `undecided` pairs."""
    close = set(project.pairs.order_by("pk").values_list("pk", flat=True)[:undecided])
    for number in range(people):
        member = make.person(project)
        while slot := make.claim(member):
            same = slot.item.candidate.run.method == "back_translation"
            same ^= slot.item_id in close and number >= 3
            make.submit(member, item=slot.item.public_id, label=int(same), seconds=1.5 * number)


def _ask_again(project: Project) -> None:
    manager = make.person(project).user
    first, second, third, *_ = SentencePair.objects.filter(project=project).order_by("pk")
    make.spare(project, project.judgments_per_pair)
    agreement.reopen(project, [first.public_id], by=manager)
    bad = project.memberships.filter(user__slots__item=third).order_by("pk")[0]
    interventions.exclude(bad, by=manager, reason="Does not read.")
    _judge(project, people=6, undecided=0)
    agreement.adjudicate(second, by=manager, label=1, note="An idiom.")
    model = JudgingModel.objects.create(project=project, name="Modèle", revision="7")
    labels = [ModelJudgment(model=model, pair=pair, label=1, score=0.1) for pair in (third, first)]
    ModelJudgment.objects.bulk_create(labels)


def release() -> Path:
    """Freeze a version of the only project at the moment, and write it; returns the folder."""
    with patch("django.utils.timezone.now", lambda: MOMENT):
        frozen = freeze_version(Project.objects.get(), version="1.0", seed=5, dev=0.2, test=0.2)
        folder = folder_of(frozen)
        publication.write_files(frozen, folder)
    return folder


def write_again() -> Path:
    """Write the stored release to another folder, as a later process does; returns the folder."""
    again = Release.objects.get()
    folder = folder_of(again).with_name("again")
    publication.write_files(again, folder)
    return folder
