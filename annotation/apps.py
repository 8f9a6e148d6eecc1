from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from django.db.models.signals import post_migrate, pre_migrate

        from accounts import studies
        from annotation.models import triggers
        from annotation.people.services import invitations, members

        studies.are_read_by, studies.let_go = members.are_read_by, members.let_go
        studies.are_managed_by = members.are_managed_by
        pre_migrate.connect(triggers.remove, sender=self)
        post_migrate.connect(triggers.install, sender=self)
        studies.is_open, studies.join = invitations.is_open, invitations.join
