"""Actions of managers and administrators that are recorded in the audit log."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Act(TextChoices):
    """An audited action, named after what was done."""

    PROJECT_MADE = "project-made", _("Project created")
    PROJECT_CHANGED = "project-changed", _("Settings changed")
    RUN_ADDED = "run-added", _("Run added")
    RUN_REMOVED = "run-removed", _("Run removed")

    MEMBER_ADDED = "member-added", _("Person added")
    MEMBER_CHANGED = "member-changed", _("Role changed")
    INVITATION_MADE = "invitation-made", _("Invitation created")
    INVITATION_ENDED = "invitation-ended", _("Invitation revoked")
    RECRUITMENT_MADE = "recruitment-made", _("Recruiting link created")
    RECRUITMENT_ENDED = "recruitment-ended", _("Recruiting link revoked")
    ATTEMPT_GRANTED = "attempt-granted", _("Another attempt granted")
    LET_PASS = "let-pass", _("Admitted without qualifying")
    SAME_PERSON = "same-person", _("Accounts linked to one person")
    SEPARATED = "separated", _("Account unlinked")

    WARNED = "warned", _("Message sent")
    PAUSED = "paused", _("Annotator paused")
    RESUMED = "resumed", _("Annotator resumed")
    EXCLUDED = "excluded", _("Answers excluded")
    REINSTATED = "reinstated", _("Answers reinstated")

    RUN_STARTED = "run-started", _("Run started")
    RUN_STEERED = "run-steered", _("State of a run changed")
    SENTENCES_IMPORTED = "sentences-imported", _("Sentences imported")
    PAIRS_IMPORTED = "pairs-imported", _("Pairs imported")
    GOLD_PAIRS_ADDED = "gold-pairs-added", _("Gold pairs added")
    QUALIFICATION_ADDED = "qualification-added", _("Qualification pairs added")
    QUALIFICATION_REMOVED = "qualification-removed", _("Qualification pair removed")
    MODEL_JUDGMENTS_ADDED = "model-judgments-added", _("Model judgments imported")
    MODEL_JUDGMENTS_REMOVED = "model-removed", _("Model removed")

    PRIORITY_GIVEN = "priority-given", _("Order changed")
    PUT_BACK = "put-back", _("Put back into the queue")
    REOPENED = "reopened", _("Pairs reopened")
    PAIR_EXCLUDED = "pair-excluded", _("Pair excluded")
    PAIR_INCLUDED = "pair-included", _("Pair included again")
    ADJUDICATED = "adjudicated", _("Pair adjudicated")

    RELEASE_DRAFTED = "release-drafted", _("Release drafted")
    RELEASE_CHANGED = "release-changed", _("Draft changed")
    RELEASE_DISCARDED = "release-discarded", _("Draft discarded")
    RELEASE_QUEUED = "release-queued", _("Release queued")
    RELEASE_TAKEN_BACK = "release-taken-back", _("Release returned to draft")
    RELEASE_WITHDRAWN = "release-withdrawn", _("Release withdrawn")
    NAMES_FORGOTTEN = "names-forgotten", _("Identity mapping removed")
    TABLE_EXPORTED = "table-exported", _("Table downloaded")
    RELEASE_DOWNLOADED = "release-downloaded", _("Release downloaded")

    TOKEN_MADE = "token-made", _("Token created")
    TOKEN_REVOKED = "token-revoked", _("Token revoked")
    SECOND_FACTOR_FORGOTTEN = "second-factor-forgotten", _("Two-factor authentication reset")
    ACCOUNT_ERASED = "account-erased", _("Account erased")
