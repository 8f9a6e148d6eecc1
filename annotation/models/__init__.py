"""Correction -> Example: the rows of a study, each pointing at the row that it came from."""

from annotation.models.consensus import Consensus
from annotation.models.corrections import Correction
from annotation.models.judgments import Judgment
from annotation.models.pairs import Recusal, SentencePair
from annotation.models.projects import Intake, Membership, Project
from annotation.models.releases import Example, Pseudonym, Release

__all__ = [
    "Consensus",
    "Correction",
    "Example",
    "Intake",
    "Judgment",
    "Membership",
    "Project",
    "Pseudonym",
    "Recusal",
    "Release",
    "SentencePair",
]
