from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from django.db.models.signals import post_migrate, pre_migrate

        from accounts import studies
        from annotation.models import triggers
        from annotation.people.services import accounts, invitations

        studies.are_read_by, studies.let_go = accounts.are_read_by, accounts.let_go
        pre_migrate.connect(triggers.remove, sender=self)
        post_migrate.connect(triggers.install, sender=self)
        studies.is_open, studies.join = invitations.is_open, invitations.join
