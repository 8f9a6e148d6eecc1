"""Registers the admin pages of all subpackages for Django."""

import annotation.agreement.admin
import annotation.model_judgments.admin
import annotation.pairs.admin
import annotation.people.admin
import annotation.projects.admin
import annotation.quality.admin
import annotation.work.admin.items  # noqa: F401
