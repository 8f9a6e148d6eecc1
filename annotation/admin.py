"""Registers the admin pages of every subject: Django looks for them here."""

import annotation.agreement.admin
import annotation.model_judgments.admin
import annotation.pairs.admin
import annotation.people.admin.invitations
import annotation.people.admin.members
import annotation.projects.admin.projects
import annotation.quality.admin  # noqa: F401
