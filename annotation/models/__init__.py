"""The rows of a study, from corrections to consensus."""

from annotation.models.answers import Correction, Judgment, Translation, Validation
from annotation.models.comments import Comment, CommentThread
from annotation.models.consensus import Adjudication, Consensus, PairExclusion, Reopening, Seal
from annotation.models.crowd import (
    Participant,
    ParticipantBrowser,
    Platform,
    Recruitment,
    SameBrowser,
)
from annotation.models.imports import Import
from annotation.models.items import Item, Recusal, SentencePair, Skip
from annotation.models.model_judgments import JudgingModel, ModelJudgment, ModelTask
from annotation.models.people import Duty, Invitation, Membership, Role, SamePerson
from annotation.models.projects import Intake, Project
from annotation.models.quality import (
    Intervention,
    QualificationAnswer,
    QualificationAttempt,
    QualificationPair,
)
from annotation.models.questions import AnnotatorQuestion, AnnotatorReply
from annotation.models.reasons import HiddenReason
from annotation.models.saved_views import SavedView
from annotation.models.slots import Slot
from annotation.models.translations import Term, TranslatedPair, TranslationPlan

__all__ = [
    "Adjudication",
    "AnnotatorQuestion",
    "AnnotatorReply",
    "Comment",
    "CommentThread",
    "Consensus",
    "Correction",
    "Duty",
    "HiddenReason",
    "Import",
    "Intake",
    "Intervention",
    "Invitation",
    "Item",
    "JudgingModel",
    "Judgment",
    "Membership",
    "ModelJudgment",
    "ModelTask",
    "PairExclusion",
    "Participant",
    "ParticipantBrowser",
    "Platform",
    "Project",
    "QualificationAnswer",
    "QualificationAttempt",
    "QualificationPair",
    "Recruitment",
    "Recusal",
    "Reopening",
    "Role",
    "SameBrowser",
    "SamePerson",
    "SavedView",
    "Seal",
    "SentencePair",
    "Skip",
    "Slot",
    "Term",
    "TranslatedPair",
    "Translation",
    "TranslationPlan",
    "Validation",
]
