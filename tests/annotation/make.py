"""Makes small studies, and people who work in them."""

from datetime import timedelta
from itertools import count
from typing import Any
from uuid import UUID

from django.utils import timezone

from accounts.models import User
from annotation.models import Membership, Project, SentencePair, Slot, TranslationPlan
from annotation.pairs.services import intake
from annotation.pairs.services.pairs import FinalText, open_gold
from annotation.people.services import same_person as accounts_of_one
from annotation.projects.services import projects
from annotation.runs import services as runs
from annotation.work import answers
from annotation.work.contract import Turn
from annotation.work.correct import ANYWAY
from generation.models import Batch, Candidate, Corpus, GenerationRun, Method, Sentence
from generation.services.sentences import digest_of

_number = count(1)


def person(project: Project | None = None, **membership: Any) -> Membership:
    """A new person who is a member of the project."""
    user = User.objects.create_user(f"person-{next(_number)}")
    assert project is not None
    return projects.add_member(project, user, **membership)


def spare(project: Project, number: int = 5) -> None:
    """Members who have done nothing yet, so that pairs can be judged again."""
    for _ in range(number):
        person(project)


def study(*, protocol: str = "paws", **settings: Any) -> Project:
    """An open project without any work in it."""
    return projects.create(f"Study {next(_number)}", protocol=protocol, **settings)


def with_glossary(project: Project) -> Project:
    """Give a project the plan of a translation study, so that it has the glossary's pages."""
    TranslationPlan.objects.create(project=project, source_language="en", language="de")
    return project


def candidates(
    project: Project, texts: list[tuple[str, str]], *, method: str = Method.WORD_SWAP
) -> list[Candidate]:
    """Candidates of a finished run, one for each (source, rewrite), taken in by the project."""
    corpus, _ = Corpus.objects.get_or_create(name="Tests")
    run = GenerationRun.objects.create(
        corpus=corpus, method=method, settings={}, model_identities={}, seed=1
    )
    sources = [_source(corpus, source) for source, _ in texts]
    return _finished(project, run, sources, [text for _, text in texts])


def pairs(project: Project, number: int) -> list[Candidate]:
    """Pairs ready to be judged that no one has corrected."""
    texts = [(f"Source {next(_number)}.", f"Rewrite {n}.") for n in range(number)]
    return candidates(project, texts, method=Method.BACK_TRANSLATION)


def claim(membership: Membership, kind: str = "judge") -> Slot | None:
    """The slot that the person is given next, as the work page gives it."""
    shown = turn(membership, kind).shown
    return _slot(membership, shown.id) if shown else None


def submit(membership: Membership, *, item: UUID, **answer: Any) -> Slot:
    """Store an answer and claim nothing: a correction if it has an action, else a judgment.

    A fix is confirmed, however few words it keeps. The time is taken before the answer.
    """
    if seconds := answer.get("seconds"):
        think(membership, item, seconds)
    if answer.get("action") == "fix":
        answer["action"] = ANYWAY
    duty = membership.duty("correct" if "action" in answer else "judge")
    duty.allowed = False
    turn = answers.turn(duty, {"item": item, **answer})
    if turn.refusal:
        raise turn.refusal
    return _slot(membership, item)


def think(membership: Membership, item: UUID, seconds: float) -> None:
    """Move the claim of the item that far back: no answer takes longer than since its claim."""
    slots = Slot.objects.in_progress().filter(item__public_id=item, annotator=membership.user)
    slots.update(claimed_at=timezone.now() - timedelta(seconds=seconds))


def undo(membership: Membership, kind: str = "judge") -> Slot | None:
    """Undo the person's last answer."""
    return answers.undo(membership.duty(kind))


def turn(membership: Membership, kind: str = "judge", **answer: Any) -> Turn:
    """Do what the work page does, with an answer if there is one."""
    return answers.turn(membership.duty(kind), answer or None)


def correct_next(membership: Membership, action: str = "accept", text: str = "") -> Slot:
    """Answer the next candidate that the person is given."""
    correction = claim(membership, "correct")
    assert correction is not None
    given = {"action": action, "text": text, "seconds": 3.0}
    return submit(membership, item=correction.item.public_id, **given)


def judge_all(membership: Membership, label: int, **answer: Any) -> int:
    """Give the same answer to everything that the person is given; returns how much that was."""
    for done in count():
        slot = claim(membership)
        if slot is None:
            return done
        submit(membership, item=slot.item.public_id, label=label, seconds=2.0, **answer)
    raise AssertionError("unreachable")


def _slot(membership: Membership, item: UUID) -> Slot:
    slots = Slot.objects.select_related("item", "project")
    return slots.get(item__public_id=item, annotator=membership.user_id)


def _source(corpus: Corpus, text: str) -> Sentence:
    return Sentence.objects.get_or_create(
        corpus=corpus, digest=digest_of(text), candidate=None, defaults={"text": text}
    )[0]


def rewrites(project: Project, sentence: Sentence, texts: list[str]) -> list[Candidate]:
    """Back translations of a sentence of the project, taken in."""
    corpus = sentence.corpus
    run = GenerationRun.objects.create(
        corpus=corpus, method=Method.BACK_TRANSLATION, settings={}, model_identities={}, seed=1
    )
    return _finished(project, run, [sentence] * len(texts), texts)


def _finished(
    project: Project, run: GenerationRun, rewritten: list[Sentence], texts: list[str]
) -> list[Candidate]:
    batch = Batch.objects.create(
        run=run,
        number=1,
        first_sentence=rewritten[0].pk,
        last_sentence=rewritten[-1].pk,
        size=len(rewritten),
        state=Batch.State.DONE,
        finished_at=timezone.now(),
    )
    made = Candidate.objects.bulk_create(
        Candidate(
            run=run,
            batch=batch,
            sentence=sentence,
            rank=rank,
            text=text,
            similarity=1.0,
            inversion_rate=0.1,
        )
        for rank, (sentence, text) in enumerate(zip(rewritten, texts, strict=True))
    )
    runs.adopt(project, run)
    intake.take_in(project)
    return made


def adopt(project: Project, run: GenerationRun) -> None:
    """Let a run enter another project, all of it at once."""
    runs.adopt(project, run)
    intake.take_in(project)


def gold_pairs(project: Project, labels: list[int]) -> list[SentencePair]:
    """A gold pair of each label, whose candidates came by a run of their own."""
    elsewhere = study()
    made = pairs(elsewhere, len(labels))
    finals = [FinalText.from_candidate(project, candidate, candidate.text) for candidate in made]
    return open_gold(project, list(zip(finals, labels, strict=True)))


def same_person(*memberships: Membership) -> None:
    """Mark the accounts of these members as one person's; the earliest is the main one."""
    main, *others = [membership.user for membership in memberships]
    for account in others:
        accounts_of_one.mark(main, account)
        account.refresh_from_db()
    main.refresh_from_db()


def judge_next(membership: Membership, label: int = 1) -> Slot:
    """Give a label to the pair that the person is given next."""
    slot = claim(membership)
    assert slot is not None
    return submit(membership, item=slot.item.public_id, label=label, seconds=2.0)
