"""What the admin makes of new projects, and of requests that no page of it sends."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotation.models import Consensus, Membership, Project, QualificationPair, SentencePair
from tests.annotation import make

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
NO_PEOPLE = {"memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0}
LARGE = "9" * 20
ODD = ("%00", LARGE, "abc", "_", "%ED%A0%80")


@pytest.fixture
def root():
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("root"))
    return client


def page(model, name, *args):
    options = model._meta
    return reverse(f"admin:{options.app_label}_{options.model_name}_{name}", args=args)


def test_who_creates_a_project_manages_it_unless_they_name_a_manager(root):
    ada = User.objects.create_user("ada")
    shown = root.get(page(Project, "add")).context["adminform"].form
    values = {name: shown[name].value() for name in shown.fields}
    form = {name: value for name, value in values.items() if value is not None}
    own = {"TOTAL_FORMS": 1, "0-user": ada.pk, "0-role": "manager", "0-kinds": ["judge"]}
    hers = {f"memberships-{name}": value for name, value in own.items()}
    for name, people in (("Own", {}), ("Hers", hers)):
        reply = root.post(page(Project, "add"), form | NO_PEOPLE | people | {"name": name})
        assert reply.status_code == 302, reply.context["adminform"].form.errors
    managers = Membership.objects.filter(role="manager", project__name__in=["Own", "Hers"])
    found = dict(managers.values_list("project__name", "user__username"))
    assert found == {"Own": "root", "Hers": "ada"}


def requests():
    """An address of each sort that once ended in an error of the server, and what is posted."""
    for odd in ODD:
        for model in (User, Membership, QualificationPair):
            yield f"{page(model, 'export')}?x={odd}", None
        yield f"{page(Membership, 'add')}?project={odd}&user={odd}", None
        yield f"{page(SentencePair, 'changelist')}?project={odd}", None
        yield f"{page(SentencePair, 'changelist')}?project__id__exact={odd}&q={odd}", None
        for name in ("change", "delete", "history"):
            yield page(Consensus, name, "key").replace("key", odd), None
    for odd in ("\0", LARGE, "abc"):
        for model in (User, Membership, Project, SentencePair):
            for action in ("delete_selected", "make_links", "pause", "close_projects", "first"):
                sent = {"action": action, "_selected_action": odd, "index": 0, "reason": "Why."}
                yield page(model, "changelist"), sent
        yield page(Membership, "add"), {"project": odd, "user": odd, "role": odd}


def test_values_that_no_column_can_hold_are_refused(root):
    study = make.study()
    make.person(study)
    make.pairs(study, 1)
    for address, sent in requests():
        reply = root.get(address) if sent is None else root.post(address, sent)
        assert reply.status_code < 500, (address, sent)
    reply = root.get(f"{page(User, 'export')}?x=1")
    assert (reply.status_code, "contains an invalid value" in reply.text) == (400, True)
