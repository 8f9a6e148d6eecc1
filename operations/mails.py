"""Mail about events, to managers who have asked for it."""

import smtplib
from collections.abc import Iterable

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse, set_script_prefix
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import Event, User
from annotation.models import Project, Role
from operations.models import Delivery
from operations.posting import NotDelivered


def people(kind: str, project: Project) -> list[User]:
    """Return the managers of a project who have asked for mail about such events."""
    if not settings.SENDS_MAIL:
        return []
    managers = User.objects.filter(
        memberships__project=project, memberships__role=Role.MANAGER, is_active=True
    )
    return [
        person
        for person in managers.exclude(mail_address="").order_by("pk")
        if kind in person.mails
    ]


def send(row: Delivery) -> None:
    """Mail a delivery to its person. Raises NotDelivered, without the address."""
    person = row.person
    if person is None or not person.mail_address:
        raise NotDelivered("The person has no email address any more.")
    data = row.payload["data"]
    set_script_prefix(f"{settings.ADDRESS.path}/")  # of this thread, which Django has not set up
    with override(person.mail_language or settings.LANGUAGE_CODE):
        event, project = Event.Kind(row.kind).label, " ".join(data["project"]["name"].split())
        choice = f"{settings.ADDRESS.origin}{reverse('mails')}"
        paragraphs: Iterable[str] = (
            _("%(event)s in the project %(project)s.") % {"event": event, "project": project},
            data["object"]["address"],
            _("You have asked for this mail. Change that here: %(page)s") % {"page": choice},
        )
        mail = EmailMessage(
            subject=f"{project}: {event}",
            body="\n\n".join(paragraphs),
            to=[person.mail_address],
            # The same in each try: mail programs show it once.
            headers={"Message-ID": f"<{row.public_id}@{settings.ADDRESS.host}>"},
        )
    try:
        mail.send()
    except smtplib.SMTPRecipientsRefused as error:
        [(status, _reason)] = error.recipients.values()
        raise NotDelivered(f"The mail server refused the address with {status}.", status) from None
    except smtplib.SMTPResponseException as error:
        status = error.smtp_code
        raise NotDelivered(f"The mail server answered {status}.", status) from None
    except (smtplib.SMTPException, OSError) as error:
        raise NotDelivered(f"No mail server: {type(error).__name__}.") from None
