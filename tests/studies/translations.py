"""Studies that translate a release: begun, delivered, and released."""

from functools import partial

from django.utils import timezone

from annotation import models
from annotation.models import Membership
from annotation.projects.services import projects
from annotation.translations.services import delivery
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import translating as translators

TRANSLATED = [*translators.PAIRS, ("Snow fell on the hills.", "On the hills fell snow.")]


def translating(study):
    """Another study, in which the worker has translated a sentence; there is a glossary."""
    new = translators.study(people=1, validated_share=1.0)
    places = Membership.objects.filter(user__in=filter(None, study.people.values()))
    places.update(project=new)
    for role in ("annotator", "worker"):
        projects.allow(new.memberships.get(user=study.people[role]), new.kinds)
    translators.translate_next(new.memberships.get(user=study.people["worker"]))
    approved = {"project": new, "approved_at": timezone.now()}
    term = models.Term.objects.create(source="mill", target="Mühle", **approved)
    models.Term.objects.create(project=new, source="Rome", target="Rom", note="The city.")
    study.arguments.update(project_id=new.public_id, term_id=term.public_id)


def translated(study, *, delivered=False):
    """Another study, in which people translate; with everything that its pages show."""
    new = translators.study(translators.pairs(3), people=3, validated_share=0.4)
    members = translators.people(new)
    translators.translate_all(new, giving_up=new.items.first(), text="Ada und Bo sahen Hunde.")
    new.translation_plan.widened.add(members[0].user)
    if delivered:
        translators.validate_all(new)
        delivery.deliver(new)
    elif translators.turn(members[1], "validate").shown:
        translators.validate_next(members[1], "fix", "Bo und Ada sahen den Hund.")
    _manage(study, new, user_id=members[0].user.public_id)


def translated_release(study):
    """A release of another study, which was translated; a sentence was given up."""
    new = translators.of_release(TRANSLATED, people=3, validated_share=0.3)
    source = new.translation_source.release
    publication.write_files(source, folder_of(source))
    translators.translate_all(new, giving_up=new.items.first())
    translators.validate_next(translators.people(new)[0], "fix", "Bo und Ada sahen den Hund.")
    release = freeze_version(new, version="1.0", accepts_errors=True)
    publication.write_files(release, folder_of(release))
    _manage(study, new, public_id=release.public_id, release_id=release.public_id)


def _manage(study, project, **arguments):
    """The addresses lead to another study, of the same manager."""
    Membership.objects.filter(user=study.person("manager")).update(project=project)
    study.arguments.update(project_id=project.public_id, **arguments)


delivered = partial(translated, delivered=True)
