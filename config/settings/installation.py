"""This installation: its version, address, secret key and data folder."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config.address import Address
from config.environment import BASE_DIR, env

VERSION = "0.1.0"

# Files that the application writes: the SQLite database and the releases.
DATA_DIR = Path(env.str("PAWSMITH_DATA_DIR", default=str(BASE_DIR / "var")))
RELEASES_DIR = DATA_DIR / "releases"

try:
    ADDRESS = Address.parse(env.str("PAWSMITH_ADDRESS", default="http://localhost"))
except ValueError as wrong:
    raise ImproperlyConfigured(f"PAWSMITH_ADDRESS: {wrong}") from wrong

ALLOWED_HOSTS = ADDRESS.hosts
CSRF_TRUSTED_ORIGINS = [ADDRESS.origin] if ADDRESS.is_public else []

DEBUG = env.bool("PAWSMITH_DEBUG", default=False)
if DEBUG and ADDRESS.is_public:
    raise ImproperlyConfigured("PAWSMITH_DEBUG shows the insides of Pawsmith to everybody.")

SECRET_KEY = env.str("PAWSMITH_SECRET_KEY")
# Sessions and links that were signed with former keys stay valid.
SECRET_KEY_FALLBACKS = env.list("PAWSMITH_FORMER_SECRET_KEYS", default=[])
if ADDRESS.is_public and (len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 5):
    raise ImproperlyConfigured("PAWSMITH_SECRET_KEY has to be at least 50 random characters.")
