"""Settings by topic."""

from config.settings.applications import *
from config.settings.installation import *
from config.settings.interface import *
from config.settings.people import *
from config.settings.workers import *
