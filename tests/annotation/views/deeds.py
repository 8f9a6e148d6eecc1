"""What managers do on pages, one deed for each, and the state of a study in which they can."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.acts import Act
from annotation.guest_lines import GuestLine
from annotation.models import Consensus, Membership, Project, QualificationAttempt, SentencePair
from annotation.services import guests, interventions, projects, releases, same_person
from generation.models import GenerationRun, Method
from tests.browser.house import House

Sent = dict[str, Any]
PAIR = "sentence1\tsentence2\tlabel\nAda met Bo in May.\tBo met Ada in May.\t1\n"


@dataclass(frozen=True)
class Deed:
    """What is sent to a page; `given` brings the study about, and may answer with what is sent."""

    route: str
    act: Act
    sent: Callable[[Client, House], Sent]
    query: str = ""


def plainly(**sent: Any) -> Callable[[Client, House], Sent]:
    """The same in every study."""
    return lambda _client, _house: sent


def step(name: str, given: Callable[[House], object] = lambda _: None):
    """A step about somebody’s work."""

    def sent(_client: Client, house: House) -> Sent:
        given(house)
        house.arguments["step"] = name
        return {"reason": "You answer fast."}

    return sent


def of_release(name: str, given: Callable[[House], object] = lambda _: None):
    """A step about a draft."""

    def sent(_client: Client, house: House) -> Sent:
        drafted(house)
        given(house)
        house.arguments["step"] = name
        return {}

    return sent


def shown(client: Client, house: House, route: str) -> Sent:
    """A form as its page shows it."""
    reply = client.get(house.address(route))
    values = {field.html_name: field.value() for field in reply.context["form"]}
    read = {"read": reply.context["read"]} if "read" in reply.context else {}
    return read | {
        name: value for name, value in values.items() if value is not None and value is not False
    }


def somebody(house: House) -> Membership:
    """Whom the pages in the study are about."""
    return Membership.objects.get(project=house.project, user__public_id=house.arguments["user_id"])


def paused(house: House) -> None:
    interventions.pause(somebody(house), by=None, reason="Wait.")


def held_out(house: House) -> None:
    interventions.hold_out(somebody(house), by=None, reason="Wait.")


def drafted(house: House) -> None:
    release = releases.draft(house.project, version="2.0", by=None, dev=0, test=0)
    house.arguments["public_id"] = release.public_id


def queued(house: House) -> None:
    [draft] = house.project.releases.filter(version="2.0")
    releases.look(draft)
    releases.queue(draft)


def not_kept(house: House) -> None:
    """What a pair came to is never changed, so that it comes to something else anew."""
    [came] = Consensus.objects.filter(pair__public_id=house.arguments["pair_id"])
    pair, label = came.pair, came.label
    came.delete()
    Consensus.objects.create(pair=pair, label=label, tally=[3, 2], kept=False)


def adjudicating(_client: Client, house: House) -> Sent:
    not_kept(house)
    return {"label": "1"}


def reopening(_client: Client, house: House) -> Sent:
    not_kept(house)
    return {"number": Consensus.objects.filter(kept=False).count()}


def other_account(_client: Client, house: House) -> Sent:
    return {"other": house.person("annotator").public_id}


def separating(_client: Client, house: House) -> Sent:
    same_person.mark(somebody(house).user, house.person("annotator"))
    return {}


def putting_back(_client: Client, house: House) -> Sent:
    [pair] = SentencePair.objects.filter(project=house.project, consensus=None)[:1]
    SentencePair.objects.filter(pk=pair.pk).update(set_aside_at=timezone.now())
    return {"kind": "pair", "item": pair.public_id}


def granting(_client: Client, house: House) -> Sent:
    QualificationAttempt.objects.create(
        membership=somebody(house), number=1, passed=False, finished_at=timezone.now()
    )
    return {}


def removing_a_pair(_client: Client, house: House) -> Sent:
    house.arguments["pair_id"] = house.project.qualification_pairs.get().public_id
    return {}


def removing_a_guest(_client: Client, house: House) -> Sent:
    pair = house.arguments["pair_id"]
    guests.add(house.project, name="parrot", lines=[GuestLine(1, pair, 1, None)])
    return {"guest": house.project.guests.get(name="parrot").public_id}


def adding_a_guest(_client: Client, house: House) -> Sent:
    lines = f"pair\tlabel\n{house.arguments['pair_id']}\t1\n"
    return {"name": "parrot", "file": SimpleUploadedFile("parrot.tsv", lines.encode())}


def a_run(house: House) -> GenerationRun:
    corpus = GenerationRun.objects.latest("pk").corpus
    return GenerationRun.objects.create(
        corpus=corpus, method=Method.WORD_SWAP, settings={}, model_identities={}, seed=0
    )


def letting_in(_client: Client, house: House) -> Sent:
    other = Project.objects.create(name="Another")
    projects.add_member(other, house.person("manager"), role=Membership.Role.MANAGER)
    run = a_run(house)
    projects.adopt(other, run)
    return {"run": run.pk}


def keeping_out(_client: Client, house: House) -> Sent:
    run = a_run(house)
    projects.adopt(house.project, run)
    house.arguments["run_id"] = run.public_id
    return {}


def founding(client: Client, house: House) -> Sent:
    manager = house.person("manager")
    manager.is_staff = manager.is_superuser = True
    manager.save()
    return shown(client, house, "create_project") | {"name": "Towns"}


def changing(client: Client, house: House) -> Sent:
    return shown(client, house, "project_settings") | {"lease_minutes": 77}


def drafting(client: Client, house: House) -> Sent:
    return shown(client, house, "draft_release") | {"version": "3.0"}


def redrafting(client: Client, house: House) -> Sent:
    drafted(house)
    return shown(client, house, "edit_release") | {"version": "4.0"}


DEEDS = [
    Deed("create_project", Act.PROJECT_MADE, founding),
    Deed("project_settings", Act.PROJECT_CHANGED, changing),
    Deed("open_project", Act.PROJECT_CHANGED, plainly()),
    Deed("let_run_in", Act.RUN_LET_IN, letting_in),
    Deed("keep_run_out", Act.RUN_KEPT_OUT, keeping_out),
    Deed(
        "invite",
        Act.INVITATION_MADE,
        plainly(role="annotator", may_judge="on", most_people=1, days=7),
    ),
    Deed("revoke_invitation", Act.INVITATION_ENDED, plainly()),
    Deed("person", Act.MEMBER_CHANGED, plainly(role="researcher")),
    Deed("grant_attempt", Act.ATTEMPT_GRANTED, granting),
    Deed("let_pass", Act.LET_PASS, plainly()),
    Deed("same_person", Act.SAME_PERSON, other_account),
    Deed("separate", Act.SEPARATED, separating),
    Deed("intervene", Act.WARNED, step("warn")),
    Deed("intervene", Act.PAUSED, step("pause")),
    Deed("intervene", Act.RESUMED, step("resume", paused)),
    Deed("intervene", Act.HELD_OUT, step("hold_out")),
    Deed("intervene", Act.REINSTATED, step("reinstate", held_out)),
    Deed(
        "add_qualification_pair",
        Act.QUALIFICATION_ADDED,
        plainly(sentence1="Ada met Bo in May.", sentence2="Bo met Ada in May.", label=1),
    ),
    Deed("add_qualification_lines", Act.QUALIFICATION_ADDED, plainly(lines=PAIR)),
    Deed("remove_qualification_pair", Act.QUALIFICATION_REMOVED, removing_a_pair),
    Deed("add_known_pairs", Act.KNOWN_PAIRS_ADDED, plainly(lines=PAIR)),
    Deed("add_guest", Act.GUEST_ADDED, adding_a_guest),
    Deed("remove_guest", Act.GUEST_REMOVED, removing_a_guest),
    Deed("give_priority", Act.PRIORITY_GIVEN, plainly(level=1)),
    Deed("put_back", Act.PUT_BACK, putting_back),
    Deed("reopen_pairs", Act.REOPENED, reopening, query="?state=not_kept"),
    Deed("adjudicate", Act.ADJUDICATED, adjudicating),
    Deed("draft_release", Act.RELEASE_DRAFTED, drafting),
    Deed("edit_release", Act.RELEASE_CHANGED, redrafting),
    Deed("release_step", Act.RELEASE_DISCARDED, of_release("discard")),
    Deed("release_step", Act.RELEASE_QUEUED, of_release("build")),
    Deed("release_step", Act.RELEASE_TAKEN_BACK, of_release("take-back", queued)),
    Deed("withdraw_release", Act.RELEASE_WITHDRAWN, plainly(reason="Two sources were not free.")),
    Deed("forget_names", Act.NAMES_FORGOTTEN, plainly(sure="on")),
]
