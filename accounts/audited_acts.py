"""Actions of managers and administrators that are recorded in the audit log."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Act(TextChoices):
    """An audited action, named after what was done."""

    PROJECT_MADE = "project-made", _("Project made")
    PROJECT_CHANGED = "project-changed", _("Settings changed")
    RUN_ADDED = "run-added", _("Run added")
    RUN_REMOVED = "run-removed", _("Run removed")

    MEMBER_ADDED = "member-added", _("Person added")
    MEMBER_CHANGED = "member-changed", _("Place changed")
    INVITATION_MADE = "invitation-made", _("Invitation made")
    INVITATION_ENDED = "invitation-ended", _("Invitation taken back")
    ATTEMPT_GRANTED = "attempt-granted", _("Another attempt granted")
    LET_PASS = "let-pass", _("Let in without qualifying")
    SAME_PERSON = "same-person", _("Accounts marked as one person’s")
    SEPARATED = "separated", _("Account marked as somebody else’s")

    WARNED = "warned", _("Person warned")
    PAUSED = "paused", _("Person paused")
    RESUMED = "resumed", _("Person goes on")
    EXCLUDED = "excluded", _("Answers excluded")
    REINSTATED = "reinstated", _("Answers put back")

    RUN_STARTED = "run-started", _("Run started")
    RUN_STEERED = "run-steered", _("Run steered")
    SENTENCES_IMPORTED = "sentences-imported", _("Sentences imported")
    PAIRS_IMPORTED = "pairs-imported", _("Pairs imported")
    GOLD_PAIRS_ADDED = "gold-pairs-added", _("Gold pairs added")
    QUALIFICATION_ADDED = "qualification-added", _("Qualification pairs added")
    QUALIFICATION_REMOVED = "qualification-removed", _("Qualification pair removed")
    MODEL_JUDGMENTS_ADDED = "model-judgments-added", _("Model’s labels imported")
    MODEL_JUDGMENTS_REMOVED = "model-removed", _("Model removed")

    PRIORITY_GIVEN = "priority-given", _("Order changed")
    PUT_BACK = "put-back", _("Put back into the queue")
    REOPENED = "reopened", _("Pairs reopened")
    ADJUDICATED = "adjudicated", _("Pair adjudicated")

    RELEASE_DRAFTED = "release-drafted", _("Release drafted")
    RELEASE_CHANGED = "release-changed", _("Draft changed")
    RELEASE_DISCARDED = "release-discarded", _("Draft discarded")
    RELEASE_QUEUED = "release-queued", _("Release sent to be built")
    RELEASE_TAKEN_BACK = "release-taken-back", _("Release taken back from the queue")
    RELEASE_WITHDRAWN = "release-withdrawn", _("Release withdrawn")
    NAMES_FORGOTTEN = "names-forgotten", _("Names forgotten")
    TABLE_EXPORTED = "table-exported", _("Table downloaded")
    RELEASE_DOWNLOADED = "release-downloaded", _("Release downloaded")

    TOKEN_MADE = "token-made", _("Token made")
    TOKEN_REVOKED = "token-revoked", _("Token revoked")
    SECOND_FACTOR_FORGOTTEN = "second-factor-forgotten", _("Second factor forgotten")
    ACCOUNT_ERASED = "account-erased", _("Account erased")
