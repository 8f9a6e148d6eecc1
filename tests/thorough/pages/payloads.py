"""Five hundred texts of our own that want to be a script, a link, a formula or a request.

Each calls `ran(NUMBER)` where it is taken for more than text, and ends in a mark by which it can
be found on a page: `p017.` ends the one with the number 17. What replaces `!` in
payloads.json runs. They are put into every text that the database keeps, past all that looks at
what comes in.
"""

import json
import uuid
from dataclasses import replace
from itertools import cycle, islice, product
from pathlib import Path
from typing import NamedTuple

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import AccessToken, AuditEntry
from annotation.models import Import, Membership, PairExclusion, Project
from annotation.stats.labels import LONGEST_NAME, Scheme
from generation.models import Candidate, GenerationRun, Reply, Worker
from operations.models import Delivery
from releases.models import PlannedMetadata, Release
from tests.studies.evaluations import evaluated
from tests.studies.releases import upload

# Columns of digests, keys, and words that the code itself writes and reads; and those on no page.
COLUMNS = json.loads(Path(__file__).with_name("columns.json").read_text())
PARTS = json.loads(Path(__file__).with_suffix(".json").read_text())
CALLS = ("ran({})", "alert({})", "top.ran({})")
HOLDS_ALL = "annotation.Project.description"  # of the payloads, whatever becomes of the others
# Rows that may have a text.
WHERE = {
    "annotation.Slot.text": Q(action="fix"),
    "releases.Release.withdrawal_reason": Q(state="withdrawn"),
}
AT_ONCE, LONGEST = 12, 100  # in a text without a greatest length
APART = 5  # room for the number of the row, which tells its texts from those of others
ROWS = 6  # the first of a table are those that pages show


class Payload(NamedTuple):
    number: int  # from 1 on
    text: str


def payloads():
    for number, template in enumerate(islice(dict.fromkeys(_mixed()), 500), 1):
        text = template.replace("!", CALLS[number % 3].format(number), 1)
        yield Payload(number, f"{text}//p{number:03d}.")


def _mixed():
    """The kinds in turn, until the longest is at its end."""
    before, carriers, addresses = PARTS["before"], PARTS["carriers"], PARTS["addresses"]
    attributes = product(PARTS["open_quotes"], PARTS["attributes"])
    elements = zip(cycle(before), product(range(3), PARTS["quotes"], PARTS["elements"]))
    kinds = [
        iter(PARTS["others"]),
        (carrier.format(each) for carrier, each in product(carriers, addresses)),
        (f"x{quote} {each} y={quote.strip()}" for quote, each in attributes),
        map(str.__add__, cycle(before), PARTS["scripts"] * 2),
        # Each with each way to quote, behind what would end its place.
        (first + each.replace("!", quote.format("!")) for first, (_, quote, each) in elements),
    ]
    while kinds:
        for kind in list(kinds):
            if (text := next(kind, None)) is None:
                kinds.remove(kind)
            else:
                yield text


def text_fields():
    """Every column of the product that keeps what people wrote, by its name."""
    kinds = (models.CharField, models.TextField, models.JSONField)
    columns = [column for model in apps.get_models() for column in model._meta.concrete_fields]
    texts = [each for each in columns if isinstance(each, kinds) and not each.choices]
    names = {each: f"{each.model._meta.label}.{each.name}" for each in texts}
    ours = COLUMNS["not written by people"]
    return {name: each for each, name in names.items() if name not in ours}


def furnish(study):
    """A row in each table that the study leaves empty, and a text in each empty JSON of texts."""
    root, now = study.person("superuser"), timezone.now()
    AccessToken.objects.create(user=study.person("manager"), name="a")
    kind = ContentType.objects.get_for_model(Project)
    change = {"action_flag": 2, "object_repr": "a", "change_message": "a"}
    LogEntry.objects.create(user=root, content_type=kind, object_id=study.project.pk, **change)
    Group.objects.create(name="a")
    Project.objects.update(label_looks={"0": {"criterion": "a", "example": "a"}})
    Import.objects.update(options={"origin": "a"})
    evaluated(study, "failed", failure="a")
    GenerationRun.objects.update(model_identities={"model": {"name": "a"}})
    Candidate.objects.update(alternatives=[{"text": "a", "score": -1.0}])
    study.prepare("with_guests")
    declared = dict.fromkeys(("licence", "citation", "bibtex", "homepage"), "a")
    declared |= {"languages": ["a"], "authors": [{"name": "a", "orcid": "a", "affiliation": "a"}]}
    for release in Release.objects.all():
        facts = release.facts | {"metadata": declared}
        Release.objects.filter(pk=release.pk).update(metadata=declared, facts=facts)
    PlannedMetadata.objects.create(project=study.project, metadata=declared)
    spent = {"tokens_in": 1, "tokens_out": 1, "estimated": False, "cost": 0, "seconds": 1.0}
    spent |= {"digest": uuid.uuid4(), "spent_by": uuid.uuid4()}
    Reply.objects.create(model="a", text="a", **spent)
    sent = {"kind": "work.finished", "payload": {"data": {"project": {"name": "a"}}}}
    Delivery.objects.create(target="a", asked_at=now, next_try_at=now, **sent)
    upload(study, state="failed", failure="a")
    celery = {"kind": Worker.Kind.CELERY, "queues": [], "version": "a"}
    Worker.objects.create(name="a", started_at=now, seen_at=now, **celery)
    pair = study.project.pairs.get(public_id=study.arguments["pair_id"])
    ended = {"by": root, "ended_by": root, "ended_at": now}
    PairExclusion.objects.create(pair=pair, reason="other", note="a", **ended)


def fill(study, texts, *, whole=False):
    """Put payloads in turn into every text, as many as fit; `whole` puts all into each.

    SQLite keeps what is too long. Returns the numbers of those that went into each column.
    """
    # Those that a page has created, too, have a text to agree to, and all people have agreed.
    now = timezone.now()
    Project.objects.filter(consent="").update(consent="a", consent_changed_at=now)
    Membership.objects.update(consented_at=now)
    supply, into = _Supply(texts), {}
    for name, column in text_fields().items():
        if column.model is not AuditEntry:
            supply.begin(whole or name == HOLDS_ALL)
            _fill(column, WHERE.get(name, Q()), supply)
            into[name] = supply.given
    supply.begin(whole)
    entry = {"by": study.person("manager"), "project": study.project.public_id}
    room = {name: AuditEntry._meta.get_field(name).max_length for name in ("act", "kind")}
    for _ in range(ROWS):
        columns = {name: supply.text(length) for name, length in room.items()}
        AuditEntry.objects.create(details={"reason": supply.text(None)}, **entry, **columns)
    return into | {"accounts.AuditEntry": supply.given}


class _Supply:
    """Payloads, those that were given longest ago in front; `given` since the last `begin`."""

    def __init__(self, texts):
        self.waiting = list(texts)

    def begin(self, whole):
        self.given, self.whole = set(), whole

    def text(self, room):
        """As many as fit; empty where none does."""
        left, chosen = AT_ONCE * LONGEST if room is None else room, []
        for payload in self.waiting:
            if self.whole or (len(payload.text) < left and len(chosen) < AT_ONCE):
                chosen.append(payload)
                left -= len(payload.text) + 1
        numbers = {payload.number for payload in chosen}
        self.waiting = [each for each in self.waiting if each.number not in numbers] + chosen
        self.given |= numbers
        return " ".join(payload.text for payload in chosen)


def _fill(column, where, supply):
    table = column.model._default_manager
    for row in table.filter(where).order_by("pk")[:ROWS]:
        if isinstance(getattr(row, column.name), Scheme):
            new = _relabelled(getattr(row, column.name), supply)
        elif isinstance(column, models.JSONField):
            new = _planted(getattr(row, column.name), supply)
        else:
            new = f"{supply.text(column.max_length and column.max_length - APART)} {row.pk}"
        table.filter(pk=row.pk).update(**{column.name: new})


def _relabelled(scheme, supply):
    """The same scheme with payloads as the names of its labels."""
    room = LONGEST_NAME - APART
    labels = [replace(each, name=f"{supply.text(room)} v{each.value}") for each in scheme.labels]
    return replace(scheme, labels=tuple(labels))


def _planted(value, supply):
    """The same JSON with payloads for its texts; an empty one means that there is none."""
    if isinstance(value, dict):
        return {name: _planted(each, supply) for name, each in value.items()}
    if isinstance(value, list):
        return [_planted(each, supply) for each in value]
    return supply.text(None) if isinstance(value, str) and value else value
