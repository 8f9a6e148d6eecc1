"""The columns of work that is leased; `leases.py` claims it and follows its progress."""

from django.db import models


class Leased(models.Model):
    """Work that one worker at a time does in steps, and its progress.

    The worker renews the lease; by the number of its attempt it recognizes whether it still holds
    the row. Concrete models define the states.
    """

    state = models.CharField(max_length=10)
    step = models.CharField(max_length=30, blank=True, help_text="Current step of the worker")
    done = models.PositiveIntegerField(default=0, help_text="Rows done in this step")
    total = models.PositiveIntegerField(default=0, help_text="Rows in this step")
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, editable=False)
    failure = models.TextField(blank=True, help_text="Why it failed")

    class Meta:
        abstract = True
