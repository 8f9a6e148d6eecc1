"""Makes small translation studies, and answers their sentences."""

from datetime import timedelta
from uuid import NAMESPACE_OID, uuid4, uuid5

from django.utils import timezone

from annotation.models import Item, Membership, Project, Role, Slot
from annotation.translations.services import delivery, studies, validation
from annotation.translations.services.studies import PairToTranslate
from annotation.work import answers
from annotation.work.contract import Turn
from generation.models import Corpus, Method, Sentence
from generation.services.sentences import digest_of
from releases.models import Release
from releases.translations import services as translations
from support.studies import freeze_version
from tests.annotation import judged, make

PAIRS = [
    ("Ada met Bo in Rome.", "Bo met Ada in Rome."),
    ("The old mill burned in 1921.", "In 1921 the old mill burned."),
]


def study(texts: list[tuple[str, str]] = PAIRS, *, people: int = 0, **plan: object) -> Project:
    """A study that translates pairs into German, with members who do both kinds of work.

    Unless a share is given, no translation is drawn for validation. The first study of a text draws
    it the same way in each run: public ids, which are drawn by, follow from the texts.
    """
    project = make.study(kinds=studies.KINDS)
    corpus, _ = Corpus.objects.get_or_create(name="Tests")
    made = [PairToTranslate(uuid4(), *(_sentence(corpus, text) for text in pair)) for pair in texts]
    of_project = studies.open_sentences(project, made, source_language="en", language="de")
    for name, value in {"validated_share": 0.0, **plan}.items():
        setattr(of_project, name, value)
    of_project.save()
    project.translation_plan = of_project
    for item in project.items.select_related("sentence1"):
        key = uuid5(NAMESPACE_OID, item.texts[0])
        if not Item.objects.filter(public_id=key).exists():
            Item.objects.filter(pk=item.pk).update(public_id=key)
    for _ in range(people):
        make.person(project)
    return project


def of_release(texts: list[tuple[str, str]] = PAIRS, *, people: int = 0, **plan: object) -> Project:
    """As `study`, with pairs that were judged and released. The odd ones are no paraphrases."""
    project = translations.create(released(texts), name=f"{make.study()} in German", language="de")
    for name, value in {"validated_share": 0.0, **plan}.items():
        setattr(project.translation_plan, name, value)
    project.translation_plan.save()
    for _ in range(people):
        make.person(project)
    return project


def released(texts: list[tuple[str, str]] = PAIRS) -> Release:
    """A frozen release without files, whose test set these pairs are."""
    project = make.study()
    make.candidates(project, texts, method=Method.BACK_TRANSLATION)
    judges, at = judged.people(project, 5), timezone.now() - timedelta(minutes=30)
    for number, pair in enumerate(project.pairs.order_by("pk")):
        judged.give(pair, [1 - number % 2] * 5, by=judges, at=at)
    return freeze_version(project, version="1.0", dev=0, test=1.0)


def people(project: Project) -> list[Membership]:
    return list(project.memberships.filter(role=Role.ANNOTATOR).order_by("pk"))


def pairs(number: int) -> list[tuple[str, str]]:
    """Pairs of distinct sentences."""
    return [(f"Ada saw {n} dogs and Bo.", f"Bo saw {n} dogs and Ada.") for n in range(number)]


def translate_all(project: Project, *, giving_up: Item | None = None, text: str = "") -> None:
    """Let everyone translate until nothing is left; they give up one sentence."""
    for member in people(project) * 2:
        while shown := turn(member).shown:
            if giving_up and shown.id == giving_up.public_id:
                translate_next(member, action="ambiguous")
            else:
                translate_next(member, text)


def deliver_all(project: Project, *, giving_up: Item | None = None, text: str = "") -> Corpus:
    """Translate and validate a whole study, and deliver it."""
    translate_all(project, giving_up=giving_up, text=text)
    validate_all(project)
    return delivery.deliver(project)


def validate_all(project: Project) -> None:
    """Put up as many translations as the plan asks for, and accept all."""
    validation.top_up(project)
    for member in people(project):
        while turn(member, "validate").shown:
            validate_next(member)


def turn(member: Membership, kind: str = "translate", **answer: object) -> Turn:
    return answers.turn(member.duty(kind), answer or None)


def translate_next(member: Membership, text: str = "", **answer: str) -> Slot:
    """Translate the next sentence: into a text made from it, or as given; it is confirmed."""
    return _answer_next(member, "translate", text=text, **answer)


def validate_next(member: Membership, action: str = "accept", text: str = "") -> Slot:
    return _answer_next(member, "validate", action=action, text=text)


def _answer_next(member: Membership, kind: str, **answer: str) -> Slot:
    duty = member.duty(kind)
    shown = answers.turn(duty).shown
    assert shown is not None
    if kind == "translate" and "action" not in answer:
        text = answer["text"] or german(shown.sentences[0])
        answer |= {"action": "translate_anyway", "text": text}
    duty.allowed = False  # claims nothing afterwards
    after = answers.turn(duty, {"item": shown.id, "seconds": 20.0, **answer})
    if after.refusal:
        raise after.refusal
    return Slot.objects.get(item__public_id=shown.id, annotator=member.user)


def german(text: str) -> str:
    return f"Auf Deutsch: {text}"


def _sentence(corpus: Corpus, text: str) -> Sentence:
    return Sentence.objects.get_or_create(
        corpus=corpus, digest=digest_of(text), candidate=None, defaults={"text": text}
    )[0]
