"""Registers the admin pages of all subpackages for Django."""

import annotation.agreement.admin
import annotation.model_judgments.admin
import annotation.pairs.admin
import annotation.people.admin.invitations
import annotation.people.admin.members
import annotation.projects.admin.projects
import annotation.quality.admin
import annotation.work.admin  # noqa: F401
