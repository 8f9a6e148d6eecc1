"""Settings by topic; environment variables are read in config/environment.py."""

from config.settings.applications import *
from config.settings.backups import *
from config.settings.database import *
from config.settings.installation import *
from config.settings.interface import *
from config.settings.logs import *
from config.settings.metrics import *
from config.settings.pages import *
from config.settings.people import *
from config.settings.security import *
from config.settings.workers import *
