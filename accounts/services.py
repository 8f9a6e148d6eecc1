"""The first administrator, links to choose a password, and the erasing of an account.

Personal data is removed, and all answers stay: docs/operator/personal_data.md.
"""

import re
import secrets
import uuid
from itertools import count

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit, second_factor, studies
from accounts.audited_acts import Act
from accounts.models import AccessToken, Session, User
from accounts.studies import CannotLeave

FIRST = "administrator"
CHUNK = 500


def ensure_administrator() -> User | None:
    """Return the administrator who can't sign in yet, and create one if there is none.

    The account is called FIRST, with a number if another account has that name. Returns None once
    an administrator can sign in.
    """
    administrators = User.objects.filter(is_superuser=True, is_active=True)
    if any(_can_sign_in(person) for person in administrators):
        return None
    # Without a password, the account is accessible only through a password link.
    return administrators.order_by("pk").first() or User.objects.create_superuser(
        username=_free_name(), password=None
    )


def _can_sign_in(user: User) -> bool:
    connections = SocialAccount.objects.filter(user=user, provider=settings.OIDC_SERVER)
    return user.has_usable_password() or connections.exists()


def password_link(*, user: User) -> str:
    """Return the path of a page on which `user` chooses a password without the old one.

    Where there is a provider, the page also connects it to the account. The link works once and
    expires after PASSWORD_RESET_TIMEOUT. Raises ValueError for an erased account.
    """
    if user.erased_at is not None:
        raise ValueError(f"{user.username} was erased.")
    key = default_token_generator.make_token(user)
    keys = {"uidb36": user_pk_to_url_str(user), "key": key}
    return reverse("account_reset_password_from_key", kwargs=keys)


@transaction.atomic
def hand_out_link(user: User, *, by: User) -> str:
    """Return a password link for another person, on record. Raises ValueError if erased."""
    audit.record(Act.PASSWORD_LINK_MADE, by=by, on=user)
    return password_link(user=user)


def _free_name() -> str:
    """Return a name that no account has in any spelling: names are looked up without case."""
    names = (FIRST if number == 1 else f"{FIRST}-{number}" for number in count(1))
    return next(name for name in names if not User.objects.filter(username__iexact=name).exists())


@transaction.atomic
def erase(user: User, *, by: User) -> None:
    """Remove the personal data of an account and close it permanently. This cannot be undone.

    The user name is replaced by a random one; names, addresses, password, sessions, tokens, groups
    and permissions are removed. Erasing again has no effect. Raises CannotLeave for the last
    administrator and the only manager of a project.
    """
    # Lock all administrators, so that concurrent erasures leave at least one.
    administrators = User.objects.filter(is_superuser=True, is_active=True).order_by("pk")
    remaining = {person.pk for person in administrators.select_for_update(no_key=True)} - {user.pk}
    locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if locked.erased_at is None:
        if locked.is_superuser and not remaining:
            raise CannotLeave(
                _("This is the last administrator. Make another person an administrator first.")
            )
        studies.let_go(locked)
        _remove_keys(locked)
        _anonymize(locked)
        audit.record(Act.ACCOUNT_ERASED, by=by, on=locked)
    user.refresh_from_db()


def _remove_keys(user: User) -> None:
    Session.objects.filter(user=user).delete()
    AccessToken.objects.filter(user=user).delete()
    EmailAddress.objects.filter(user=user).delete()
    SocialAccount.objects.filter(user=user).delete()
    second_factor.remove(user)
    user.groups.clear()
    user.user_permissions.clear()


def _anonymize(user: User) -> None:
    former_names = (user.username, user.email)
    user.username = f"erased-{secrets.token_hex(6)}"
    user.public_id = uuid.uuid4()
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login, user.theme, user.shortcuts = None, User.Theme.SYSTEM, {}
    user.story_hidden_at = None
    user.mails, user.mail_address, user.mail_language = [], "", ""
    user.erased_at = timezone.now()
    user.set_unusable_password()
    user.save()
    for name in filter(None, former_names):
        _rename_in_history(user, name)


def _rename_in_history(user: User, former: str) -> None:
    """Replace the former name in the object titles and change messages of the admin's history."""
    name = re.compile(rf"(?<!\w){re.escape(former)}(?!\w)")
    mentions = Q(object_repr__contains=former) | Q(change_message__contains=former)
    for entry in LogEntry.objects.filter(mentions).iterator(CHUNK):
        entry.object_repr = name.sub(user.username, entry.object_repr)[:200]
        entry.change_message = name.sub(user.username, entry.change_message)
        entry.save(update_fields=["object_repr", "change_message"])
