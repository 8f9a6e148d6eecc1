"""Uploads frozen releases to the Hugging Face Hub, as datasets with a card and a viewer.

The files arrive in one commit, tagged with the version. An upload that was interrupted is repeated:
the Hub keeps what has arrived, and a commit that changes nothing is none.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import huggingface_hub as hub  # which imports what is used of it when that is first used
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.utils import disable_progress_bars  # type: ignore[attr-defined]

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from common.background import InBackground
from common.leases import Progress, next_round
from common.sealed import cipher
from releases.dataset.formats import EVERY_FILE
from releases.dataset.manifest import MANIFEST
from releases.models import HubUpload, Release
from releases.selectors.published import is_published_set
from releases.selectors.releases import WRITE_AGAIN, folder_of, is_whole
from releases.services.steps import (
    CHECKING,
    COMMITTING,
    HOPELESS,
    UPLOADING,
    LostRelease,
    Unchangeable,
)

if TYPE_CHECKING:
    from huggingface_hub import CommitOperationAdd, HfApi

State = HubUpload.State
PURPOSE = b"pawsmith: tokens of uploads"
TOKEN_LASTS = timedelta(hours=1)
DATASET = "dataset"
KIB = 1024
# Without any byte sent or received; the library tries five times more.
STALLED_SECONDS = 20.0
# Files that the Hub itself puts into a new repository.
OF_HUB = {".gitattributes"}
REFUSALS = (401, 403, 404)


@transaction.atomic
def request(
    release: Release, *, by: User, repository: str, is_private: bool, token: str
) -> HubUpload:
    """Have a worker upload a frozen release. Raises Refused if it cannot be, or already is.

    The token is stored encrypted until the upload is over, and for an hour at most.
    """
    if release.state != Release.State.FROZEN:
        raise Refused(_("Only a frozen release can be uploaded."))
    if is_published_set(release):
        raise Refused(_("This set was published elsewhere. Its publishers upload it."))
    values = {
        "state": State.WAITING,
        "repository": repository,
        "is_private": is_private,
        "token": cipher(PURPOSE).encrypt(token.encode()).decode(),
        "asked_at": timezone.now(),
        "asked_by": by,
    }
    upload, is_new = HubUpload.objects.get_or_create(release=release, defaults=values)
    if not is_new:
        finished = HubUpload.objects.exclude(state__in=[State.WAITING, State.UNDER_WAY])
        reset = {"attempts": next_round(upload.attempts), "failure": "", "done": 0, "total": 0}
        if not finished.filter(pk=upload.pk).update(**values | reset):
            raise Refused(_("This release is already being uploaded."))
        upload.refresh_from_db()
    audit.record(Act.UPLOAD_REQUESTED, by=by, on=release, repository=repository)
    return upload


@transaction.atomic
def cancel(release: Release, *, by: User) -> None:
    """Cancel the upload of a release and delete its token. Raises Unchangeable if it is over.

    A worker that has it stops before the commit: then nothing of this version is on the Hub.
    """
    under_way = HubUpload.objects.filter(state__in=[State.WAITING, State.UNDER_WAY])
    columns: dict[str, Any] = {"state": State.CANCELLED, "token": "", "lease_until": None}
    if not under_way.filter(release=release).update(**columns):
        raise Unchangeable
    audit.record(Act.UPLOAD_CANCELLED, by=by, on=release)


def _upload(upload: HubUpload, progress: Progress) -> dict[str, Any]:
    """Upload a release and return the columns to store. Raises Refused and errors of the Hub."""
    release = upload.release
    progress.begin(CHECKING)
    _refuse_what_is_not_there(release)
    disable_progress_bars()  # which would go to the log
    hub.get_session().timeout = STALLED_SECONDS  # the library sets none
    token = _token_of(upload)
    api = hub.HfApi(endpoint=settings.HUB_ADDRESS, token=token)
    try:
        revision = _commit(api, upload, progress)
    except HfHubHTTPError as error:
        if error.response.status_code in REFUSALS:
            raise Refused(_refusal_text(upload)) from error
        if token in str(error):  # the message is the server's
            raise RuntimeError(str(error).replace(token, "…")) from None
        raise
    url = f"{settings.HUB_ADDRESS}/datasets/{upload.repository}"
    with transaction.atomic():
        repository = upload.repository
        by = upload.asked_by
        audit.record(Act.RELEASE_UPLOADED, by=by, on=release, repository=repository, url=url)
    result = {"url": url, "revision": revision, "uploaded_at": timezone.now()}
    return {"state": State.DONE, "token": "", **result}


def _refuse_what_is_not_there(release: Release) -> None:
    if release.state != Release.State.FROZEN:
        raise Refused(_("The release was withdrawn."))
    if not is_whole(release):
        what = _("Files of the release are missing or changed.")
        raise Refused(f"{what} {WRITE_AGAIN}")


def _token_of(upload: HubUpload) -> str:
    """Decrypt the token. Raises Refused if it is too old, or the secret key is another."""
    try:
        seconds = int(TOKEN_LASTS.total_seconds())
        return cipher(PURPOSE).decrypt(upload.token.encode(), ttl=seconds).decode()
    except InvalidToken as error:
        raise Refused(
            _(
                "No worker started the upload within an hour, so the token was deleted. Enter it "
                "again."
            )
        ) from error


def _commit(api: "HfApi", upload: HubUpload, progress: Progress) -> str:
    """Create the repository if needed, upload the files, and commit them; return the commit."""
    repository, release = upload.repository, upload.release
    api.create_repo(repository, repo_type=DATASET, private=upload.is_private, exist_ok=True)
    paths = _check_repository_files(api, upload)
    files = {MANIFEST, *(release.manifest or {})["files"]}
    additions = [
        hub.CommitOperationAdd(path_in_repo=path, path_or_fileobj=folder_of(release) / path)
        for path in sorted(files)
    ]
    for addition in _iterate_with_progress(additions, progress):
        api.preupload_lfs_files(
            repository, [addition], repo_type=DATASET, num_threads=1, free_memory=False
        )
    if not UPLOADS.renew(upload, progress):
        raise LostRelease(f"The upload of {release} was cancelled.")
    progress.begin(COMMITTING)
    paths_to_delete = sorted((paths & EVERY_FILE) - files)
    commit = api.create_commit(
        repository,
        [*additions, *(hub.CommitOperationDelete(path_in_repo=path) for path in paths_to_delete)],
        commit_message=f"Version {release.version}",
        repo_type=DATASET,
    )
    tag = release.version
    api.create_tag(repository, tag=tag, revision=commit.oid, repo_type=DATASET, exist_ok=True)
    return str(commit.oid)


def _check_repository_files(api: "HfApi", upload: HubUpload) -> set[str]:
    """Return the files of the repository. Raises Refused if it is not one for this release."""
    info = api.dataset_info(upload.repository)
    if bool(info.private) != upload.is_private:
        text = (
            _("The repository %(name)s is public. Choose public, or another name.")
            if upload.is_private
            else _("The repository %(name)s is private. Choose private, or another name.")
        )
        raise Refused(text % {"name": upload.repository})
    paths = {file.rfilename for file in info.siblings or ()}
    if paths - OF_HUB and MANIFEST not in paths:
        text = _("The repository %(name)s contains something else. Choose another name.")
        raise Refused(text % {"name": upload.repository})
    return paths


def _iterate_with_progress(
    additions: "list[CommitOperationAdd]", progress: Progress
) -> "Iterator[CommitOperationAdd]":
    """Yield the files, counting the KiB of those before."""
    progress.begin(UPLOADING, sum(addition.upload_info.size for addition in additions) // KIB)
    size = 0
    for addition in additions:
        yield addition
        size += addition.upload_info.size
        progress.done = size // KIB


def _refusal_text(upload: HubUpload) -> str:
    text = _(
        "The Hub refused the upload. Check that the token has not expired and may write to "
        "%(name)s, and that the name is right."
    )
    return text % {"name": upload.repository}


UPLOADS = InBackground(
    kind="upload",
    model=HubUpload,
    title=lambda upload: str(upload.release),
    since="asked_at",
    act=_upload,
    named=lambda upload: {"release": str(upload.release.public_id)},
    waiting_state=State.WAITING,
    running_state=State.UNDER_WAY,
    failed_state=State.FAILED,
    lost="Three workers died over this upload.",
    hopeless=HOPELESS,
    leaves={"token": ""},
)
