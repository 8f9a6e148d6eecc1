"""The rows of a study, from corrections to consensus."""

from annotation.models.consensus import Adjudication, Consensus, Reopening
from annotation.models.corrections import Correction
from annotation.models.judgments import Judgment
from annotation.models.model_judgments import Guest, GuestJudgment
from annotation.models.pairs import Recusal, SentencePair
from annotation.models.people import Invitation, Membership, Role
from annotation.models.projects import Intake, Project
from annotation.models.qualification import (
    QualificationAnswer,
    QualificationAttempt,
    QualificationPair,
)
from annotation.models.quality import Intervention
from annotation.models.seals import Seal
from annotation.models.skips import Skip

__all__ = [
    "Adjudication",
    "Consensus",
    "Correction",
    "Guest",
    "GuestJudgment",
    "Intake",
    "Intervention",
    "Invitation",
    "Judgment",
    "Membership",
    "Project",
    "QualificationAnswer",
    "QualificationAttempt",
    "QualificationPair",
    "Recusal",
    "Reopening",
    "Role",
    "Seal",
    "SentencePair",
    "Skip",
]
