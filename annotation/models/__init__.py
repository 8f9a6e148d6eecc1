"""Correction -> Example: the rows of a study, each pointing at the row that it came from."""

from annotation.models.consensus import Consensus
from annotation.models.corrections import Correction
from annotation.models.judgments import Judgment
from annotation.models.pairs import Recusal, SentencePair
from annotation.models.people import Invitation, Membership, Role
from annotation.models.projects import Intake, Project
from annotation.models.qualification import (
    QualificationAnswer,
    QualificationAttempt,
    QualificationPair,
)
from annotation.models.quality import Intervention
from annotation.models.releases import Example, Pseudonym, Release
from annotation.models.skips import Skip

__all__ = [
    "Consensus",
    "Correction",
    "Example",
    "Intake",
    "Intervention",
    "Invitation",
    "Judgment",
    "Membership",
    "Project",
    "Pseudonym",
    "QualificationAnswer",
    "QualificationAttempt",
    "QualificationPair",
    "Recusal",
    "Release",
    "Role",
    "SentencePair",
    "Skip",
]
