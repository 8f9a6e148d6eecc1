"""A study whose lists all have rows, of each kind that they tell apart."""

from typing import Any

from accounts.models import User
from annotation.agreement import services as agreement
from annotation.models import Membership, Project, SentencePair
from annotation.pairs.labelled_lines import GoldPair
from annotation.pairs.services import pair_exclusions
from annotation.quality.services import gold_pairs, interventions
from annotation.work import answers, order, simulation, skips
from annotation.work.correct import ANYWAY
from releases import services as releases
from releases.services import translations
from support.published_study import import_pairs, person, published

CORRECTED = {
    "The cat saw the dog.\tThe dog saw the cat.": {"action": "accept"},
    "Rome is older than Bonn.\tBonn is older than Rome.": {"action": ANYWAY, "text": "=Bonn, Rome"},
    "Ada wrote to Bo.\tTo Bo Ada.": {"action": "reject"},
}
REWRITTEN = ["Hail fell in May.\tIn May hail fell.", "Rain is wet.\tWet is rain."]
WHY = "For a test."


def filled() -> Project:
    """The published study with corrections, exclusions, gold pairs and work in progress.

    A second method has made the accepted rewrite too. One candidate waits.
    """
    project = published()
    users = {role: person(role, project) for role in ("annotator", "researcher", "manager")}
    annotator = project.memberships.get(user=users["annotator"])
    for texts, correction in CORRECTED.items():
        import_pairs(project, f"{texts}\tword_swap\n")
        _answer(annotator, "correct", correction)
    [accepted, *_] = CORRECTED
    import_pairs(project, f"{accepted}\tback_translation\n")
    import_pairs(project, "The sun rose late.\tLate rose the sun.\tword_swap\n")
    import_pairs(project, "".join(f"{texts}\tback_translation\n" for texts in REWRITTEN))
    gold_pairs.add(project, [GoldPair("It is cold.", "It is hot.", 0)], by=users["manager"])
    _let_simulated_people_judge(project)
    _intervene(project, by=users["manager"])
    import_pairs(project, "Snow fell in May.\tIn May snow fell.\tback_translation\n")
    _skip(annotator)
    return project


def translated(project: Project) -> Project:
    """A study that translates a pair of the filled study."""
    release = releases.freeze(project, version="2.0", dev=0, test=1)
    study = translations.create(release, name="Translated", language="de", validated_share=0.5)
    for role in ("researcher", "manager"):
        person(role, study)
    people = simulation.crowd(study, size=3, accuracy=0.5, seed=1)
    for _ in simulation.answers_of(people, "translate"):
        pass
    return study


def _answer(member: Membership, kind: str, answer: dict[str, Any]) -> None:
    """Answer the next item, and claim no further one."""
    duty = member.duty(kind)
    slot = answers.claim(duty)
    assert slot is not None
    answers.submit(duty, item=slot.item.public_id, seconds=0.001, **answer)


def _let_simulated_people_judge(project: Project) -> None:
    people = simulation.crowd(project, size=6, accuracy=0.9, seed=2)
    for _ in simulation.answers_of(people, "judge"):
        pass


def _intervene(project: Project, *, by: User) -> None:
    pairs = SentencePair.objects.filter(project=project, gold_label=None).order_by("pk")
    decided = [pair.public_id for pair in pairs.filter(consensus__isnull=False)]
    pair_exclusions.exclude(pairs.get(public_id=decided[0]), by=by, reason="offensive")
    agreement.reopen(project, decided[1:2], by=by, kept=True)
    order.prioritize(project, decided[1:2], 1, by=by)
    judge = project.memberships.filter(user__is_simulated=True).earliest("pk")
    interventions.exclude(judge, by=by, reason=WHY)


def _skip(member: Membership) -> None:
    duty = member.duty("judge")
    slot = answers.claim(duty)
    assert slot is not None
    skips.skip(duty, item=slot.item.public_id, reason="other", note=WHY)
    answers.claim(duty)  # stays in progress
