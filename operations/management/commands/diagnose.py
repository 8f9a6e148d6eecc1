"""manage.py diagnose: report misconfiguration."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from operations.diagnosis import diagnosis
from operations.status import Level


class Command(BaseCommand):
    """Each line is OK, WARNING or ERROR, with advice; the exit status is 1 for errors."""

    help = "Check settings, database, data folder, workers, clocks and pages for problems."
    # The diagnosis runs these checks itself, and continues after errors.
    requires_system_checks: list[str] = []

    def handle(self, **options: Any) -> None:
        errors = 0
        for finding in diagnosis():
            self.stdout.write(f"{finding.level:<8} {finding.subject}: {finding.text}")
            if finding.advice:
                self.stdout.write(f"         {finding.advice}")
            errors += finding.level is Level.ERROR
        if errors:
            raise CommandError("1 error." if errors == 1 else f"{errors} errors.")
        self.stdout.write("No errors.")
