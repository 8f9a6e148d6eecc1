"""A study in which everything has happened once, and what its rooms may be found in."""

from dataclasses import dataclass
from datetime import timedelta

from django.urls import get_resolver, reverse
from django.utils import timezone

from accounts.models import User
from annotation.known_lines import KnownPair
from annotation.models import (
    Adjudication,
    Consensus,
    Invitation,
    Membership,
    Project,
    Release,
    Reopening,
    Skip,
)
from annotation.services import admission, interventions, invitations, judgments, qualification
from annotation.services import skips as services
from generation.models import GenerationRun
from tests.annotation import cast, judged
from tests.annotation.filled import filled, person

ROLES = ["anonymous", "stranger", "annotator", "worker", "researcher", "manager", "superuser"]
WHY = "You answer fast. Please take your time."


@dataclass(frozen=True)
class House:
    """The study, somebody of each role, and a value for every parameter of an address."""

    project: Project
    people: dict[str, User | None]
    arguments: dict[str, object]

    def address(self, route: str) -> str:
        """Of a page about this study. Raises KeyError for a parameter that is new here."""
        [(_, parameters)] = get_resolver().reverse_dict.getlist(route)[0][0][:1]
        return reverse(route, kwargs={each: self.arguments[each] for each in parameters})

    def person(self, role: str) -> User:
        """Somebody of this role who is signed in."""
        user = self.people[role]
        assert user is not None
        return user

    def place(self, role: str) -> Membership:
        """What somebody of this role is to the study."""
        return Membership.objects.get(project=self.project, user=self.people[role])


def house() -> House:
    """Build it, with work left for everybody. The worker has done some already."""
    study = filled()
    project = study.project
    cast.pairs(project, 3)
    cast.candidates(project, [("Bo saw Ada there.", "Ada saw Bo there.")])
    people = {role: person(role, project) for role in ROLES}
    people["worker"] = study.judges[0].user
    manager = people["manager"]
    assert manager is not None
    made, secret = invitations.create(project, by=manager, expires_at=_tomorrow(), note="Autumn")
    qualification.add(project, [KnownPair("Ada met Bo.", "Bo met Ada.", 1, "To meet is mutual.")])
    _talked_about(study.judges[0], manager)
    _passed_over(study.judges[1])
    arguments = {
        "project_id": project.public_id,
        "public_id": Release.objects.get().public_id,
        "pair_id": study.decided.public_id,
        "person_id": study.judges[0].user.public_id,
        "user_id": study.judges[0].user.public_id,
        "run_id": GenerationRun.objects.earliest("pk").public_id,
        "invitation_id": made.public_id,
        "item_id": study.decided.public_id,
        "secret": secret,
        "number": 1,
        "table": "annotators",
        "name": "rivers",
        "step": "warn",
        "action": "pause",
        "path": "manifest.json",
        "uidb36": "1",
        "key": "set-password",
        "handle": "0" * 16,
    }
    return House(project, people, arguments)


def _tomorrow() -> object:
    return timezone.now() + timedelta(days=1)


def _talked_about(member: Membership, manager: User) -> None:
    interventions.warn(member, by=manager, reason=WHY)


def _passed_over(member: Membership) -> None:
    slot = judgments.claim(member)
    assert slot is not None
    services.pair(member, pair=slot.pair.public_id, reason=Skip.Reason.OTHER, note="It is odd.")


def graded(house: House) -> None:
    """Pairs are graded from 0 to 3."""
    Project.objects.filter(pk=house.project.pk).update(max_label=3, paraphrase_from=2)


def closed(house: House) -> None:
    """Nobody is given work."""
    Project.objects.filter(pk=house.project.pk).update(is_open=False)


def marked(house: House) -> None:
    """Words that differ are marked for everybody."""
    Project.objects.filter(pk=house.project.pk).update(highlighting=Project.Highlighting.ALWAYS)


def emptied(house: House) -> None:
    """A project of the same people in which nothing has happened yet."""
    new = cast.study()
    Membership.objects.filter(user__in=filter(None, house.people.values())).update(project=new)
    house.arguments["project_id"] = new.public_id


def disputed(house: House) -> None:
    """Too few people agree on the pair, in a second round as in the first; an expert has looked."""
    pair = house.project.pairs.get(public_id=house.arguments["pair_id"])
    manager, now = house.person("manager"), timezone.now()
    judged.decide_otherwise(Consensus.objects.filter(pair=pair), kept=False, tally=[3, 2])
    Reopening.objects.create(
        pair=pair, number=2, by=manager, tally=[2, 3], label=1, decided_at=now - timedelta(days=1)
    )
    Adjudication.objects.create(pair=pair, by=manager, label=0, note="Who met whom is the same.")


def paused(house: House) -> None:
    """The annotator and the worker are given no work."""
    for role in ("annotator", "worker"):
        interventions.pause(house.place(role), by=house.people["manager"], reason=WHY)


def asking(house: House) -> None:
    """Who has not agreed and qualified is given no work."""
    Project.objects.filter(pk=house.project.pk).update(
        consent="I take part *freely*.", consent_changed_at=timezone.now(), asks_qualification=True
    )


def agreed(house: House) -> None:
    """The annotator has agreed, and may begin the qualification set."""
    asking(house)
    member = house.place("annotator")
    admission.agree(member, version=admission.version_of(member.project.consent))


def begun(house: House) -> None:
    """The annotator is at the first pair of the set."""
    agreed(house)
    qualification.begin(house.place("annotator"))


def failed(house: House) -> None:
    """The annotator has answered the set, and not as known."""
    begun(house)
    member = house.place("annotator")
    [pair] = house.project.qualification_pairs.all()
    qualification.answer(member, pair=pair.public_id, label=0)


def late(house: House) -> None:
    """The invitation came a day ago, and was for that day."""
    Invitation.objects.update(expires_at=timezone.now() - timedelta(hours=1))


def unknown(house: House) -> None:
    """A link of which half was copied."""
    house.arguments["secret"] = "half"


def with_password(house: House) -> None:
    """The annotator signs in with a password."""
    user = house.people["annotator"]
    assert user is not None
    user.set_password("quiet-orchard-lantern")
    user.save()
