"""Actions of managers and administrators that are recorded in the audit log."""

from django.db.models import TextChoices
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _


class Act(TextChoices):
    """An audited action, named after what was done."""

    PROJECT_MADE = "project-made", _("Project created")
    PROJECT_CHANGED = "project-changed", _("Settings changed")
    PROJECT_ARCHIVED = "project-archived", _("Project archived")
    PROJECT_RESTORED = "project-restored", _("Project restored")
    PROJECT_DELETED = "project-deleted", _("Project deleted")
    RUN_ADDED = "run-added", _("Run added")
    RUN_REMOVED = "run-removed", _("Run removed")

    MEMBER_ADDED = "member-added", _("Person added")
    MEMBER_CHANGED = "member-changed", _("Role changed")
    MEMBER_REMOVED = "member-removed", _("Person removed")
    PROJECT_TRANSFERRED = "project-transferred", _("Project transferred")
    PASSWORD_LINK_MADE = "password-link-made", _("Password link created")
    INVITATION_MADE = "invitation-made", _("Invitation created")
    INVITATION_ENDED = "invitation-ended", _("Invitation revoked")
    RECRUITMENT_MADE = "recruitment-made", _("Recruiting link created")
    RECRUITMENT_ENDED = "recruitment-ended", _("Recruiting link revoked")
    ATTEMPT_GRANTED = "attempt-granted", _("Extra attempt granted")
    LET_PASS = "let-pass", _("Annotator approved without passing")
    SAME_PERSON = "same-person", _("Accounts linked to one person")
    SEPARATED = "separated", _("Account unlinked")

    WARNED = "warned", _("Message sent")
    PAUSED = "paused", _("Annotator paused")
    RESUMED = "resumed", _("Annotator resumed")
    EXCLUDED = "excluded", _("Answers excluded")
    REINSTATED = "reinstated", _("Answers included again")
    REISSUED = "reissued", _("Answers reassigned to the best annotators")
    RESERVED_RELEASED = "reserved-released", _("Reserved answers opened to everyone")

    RUN_STARTED = "run-started", _("Run started")
    RUN_STEERED = "run-steered", _("Run state changed")
    SENTENCES_IMPORTED = "sentences-imported", _("Sentences imported")
    PAIRS_IMPORTED = "pairs-imported", _("Pairs imported")
    TRANSLATIONS_IMPORTED = "translations-imported", _("Translations imported")
    FILE_UPLOADED = "file-uploaded", _("File uploaded")
    IMPORT_STARTED = "import-started", _("Import started")
    IMPORT_ENDED = "import-ended", _("Import cancelled or discarded")
    CORPUS_CREATED = "corpus-created", _("Corpus created")
    CORPUS_CHANGED = "corpus-changed", _("Corpus corrected")
    CORPUS_ADDED = "corpus-added", _("Corpus added to the project")
    CORPUS_REMOVED = "corpus-removed", _("Corpus removed from the project")
    GOLD_PAIRS_ADDED = "gold-pairs-added", _("Gold pairs added")
    QUALIFICATION_ADDED = "qualification-added", _("Qualification pairs added")
    QUALIFICATION_REMOVED = "qualification-removed", _("Qualification pair removed")
    MODEL_JUDGMENTS_ADDED = "model-judgments-added", _("Model judgments imported")
    MODEL_JUDGMENTS_REMOVED = "model-removed", _("Model removed")

    TERM_ADDED = "term-added", _("Term added")
    TERM_APPROVED = "term-approved", _("Term approved")
    TERM_CHANGED = "term-changed", _("Term changed")
    TERM_REMOVED = "term-removed", _("Term removed")
    TERMS_UPLOADED = "terms-uploaded", _("Terms uploaded")

    PRIORITY_GIVEN = "priority-given", _("Priority changed")
    PUT_BACK = "put-back", _("Item returned to the queue")
    REOPENED = "reopened", _("Pairs reopened")
    PAIR_EXCLUDED = "pair-excluded", _("Pair excluded")
    PAIR_INCLUDED = "pair-included", _("Pair included again")
    COMMENTED = "commented", _("Note written")
    COMMENTS_CLOSED = "comments-closed", _("Notes closed")
    COMMENTS_REOPENED = "comments-reopened", _("Notes reopened")
    ADJUDICATED = "adjudicated", _("Pair adjudicated")

    PLAN_CHANGED = "plan-changed", _("Settings of the translation changed")
    TRANSLATOR_WIDENED = "translator-widened", _("All translations of a person to be validated")
    VALIDATION_TOPPED_UP = "validation-topped-up", _("More translations to be validated")
    TRANSLATIONS_DELIVERED = "translations-delivered", _("Translations delivered")

    RELEASE_DRAFTED = "release-drafted", _("Release drafted")
    RELEASE_CHANGED = "release-changed", _("Draft changed")
    RELEASE_DISCARDED = "release-discarded", _("Draft discarded")
    RELEASE_QUEUED = "release-queued", _("Release queued")
    RELEASE_TAKEN_BACK = "release-taken-back", _("Release returned to draft")
    RELEASE_WITHDRAWN = "release-withdrawn", _("Release withdrawn")
    UPLOAD_REQUESTED = "upload-requested", _("Upload to the Hugging Face Hub requested")
    UPLOAD_CANCELLED = "upload-cancelled", _("Upload to the Hugging Face Hub cancelled")
    RELEASE_UPLOADED = "release-uploaded", _("Release uploaded to the Hugging Face Hub")
    EVALUATION_REQUESTED = "evaluation-requested", _("Evaluation requested")
    EVALUATION_CANCELLED = "evaluation-cancelled", _("Evaluation cancelled")
    PREDICTIONS_UPLOADED = "predictions-uploaded", _("Predictions of a model uploaded")
    PREDICTIONS_REMOVED = "predictions-removed", _("Predictions of a model removed")
    NAMES_FORGOTTEN = "names-forgotten", _("Identity mapping removed")
    TABLE_EXPORTED = "table-exported", _("Table downloaded")
    RELEASE_DOWNLOADED = "release-downloaded", _("Release downloaded")

    TOKEN_MADE = "token-made", _("Token created")
    TOKEN_REVOKED = "token-revoked", _("Token revoked")
    SECOND_FACTOR_FORGOTTEN = "second-factor-forgotten", _("Two-factor authentication reset")
    ACCOUNT_ERASED = "account-erased", _("Account erased")


# The first act of each group, and the name of the group in lists.
_GROUPS = {
    Act.PROJECT_MADE: _("Project"),
    Act.MEMBER_ADDED: _("People"),
    Act.WARNED: _("Quality"),
    Act.RUN_STARTED: _("Sentences and runs"),
    Act.PRIORITY_GIVEN: _("Items"),
    Act.PLAN_CHANGED: _("Translations"),
    Act.RELEASE_DRAFTED: _("Releases"),
    Act.TOKEN_MADE: _("Accounts"),
}


def grouped_acts() -> list[tuple[str, str | list[tuple[str, str]]]]:
    """Return all acts by group, and first all of them, as choices of a form."""
    groups: list[tuple[str, list[tuple[str, str]]]] = []
    for act in Act:
        if act in _GROUPS:
            groups.append((str(_GROUPS[act]), []))
        groups[-1][1].append((act.value, str(act.label)))
    return [("", _now("everything")), *groups]
