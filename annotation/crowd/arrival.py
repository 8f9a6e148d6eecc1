"""What the parameters of a recruiting link say about the person who opens it."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Self

from annotation.models import Platform

# Ids of platforms, e-mail addresses and list numbers; not a placeholder that was never filled in.
ID = re.compile(r"[A-Za-z0-9@.:_+=-]{1,100}")
# MTurk's preview of a task before it is accepted.
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The names of the parameters of a platform, and what it puts in them."""

    participant: str
    study: str
    session: str
    template: Mapping[str, str]


PARAMETERS = {
    Platform.PROLIFIC: Parameters(
        "PROLIFIC_PID",
        "STUDY_ID",
        "SESSION_ID",
        {
            "PROLIFIC_PID": "{{%PROLIFIC_PID%}}",
            "STUDY_ID": "{{%STUDY_ID%}}",
            "SESSION_ID": "{{%SESSION_ID%}}",
        },
    ),
    Platform.MTURK: Parameters(
        "workerId",
        "hitId",
        "assignmentId",
        {"workerId": "WORKER", "assignmentId": "ASSIGNMENT", "hitId": "HIT"},
    ),
    Platform.OTHER: Parameters("participant", "study", "session", {"participant": "ID"}),
}


class NoParticipant(Exception):
    """The link does not say who opens it."""


class Preview(Exception):
    """The platform previews the task before the person accepts it."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A person whom a platform has sent: by which link, and the ids that it gave."""

    recruitment: str
    participant: str
    study: str
    session: str

    @classmethod
    def read(cls, recruitment: str, platform: str, sent: Mapping[str, str]) -> Self:
        """Read the parameters of a link. Raises NoParticipant or Preview."""
        names = PARAMETERS[Platform(platform)]
        if PREVIEW in sent.values():
            raise Preview
        participant = sent.get(names.participant, "").strip()
        if not ID.fullmatch(participant):
            raise NoParticipant
        ids = [sent.get(name, "").strip() for name in (names.study, names.session)]
        study, session = (text if ID.fullmatch(text) else "" for text in ids)
        return cls(recruitment, participant, study, session)

    @classmethod
    def stored(cls, kept: object) -> Self | None:
        """Return what `as_dict` gave to a session; None if it holds none."""
        return cls(**kept) if isinstance(kept, dict) else None

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def link_with_parameters(link: str, platform: str) -> str:
    """Return the link as it is entered at the platform, with its placeholders."""
    template = PARAMETERS[Platform(platform)].template
    return f"{link}?{'&'.join(f'{name}={value}' for name, value in template.items())}"
