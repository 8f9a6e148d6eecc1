from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from accounts import studies
        from annotation.people.services import accounts, invitations

        studies.are_read_by, studies.let_go = accounts.are_read_by, accounts.let_go
        studies.is_open, studies.join = invitations.is_open, invitations.join
