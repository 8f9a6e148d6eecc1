"""Where the files of the product and of this installation are.

In a checkout, everything is below its folder, with data in `var`. An installed wheel has its pages
and documents in the package `pawsmith`, and its data in the folder of the user for such data.
"""

from pathlib import Path

import environ
from platformdirs import user_data_path

from common.program import CODE_DIR, IS_CHECKOUT

# The folder of `templates`, `static`, `locale` and `docs`.
BASE_DIR = CODE_DIR if IS_CHECKOUT else CODE_DIR / "pawsmith"
HOME_DIR = CODE_DIR / "var" if IS_CHECKOUT else user_data_path("pawsmith", appauthor=False)
# Environment variables in lines NAME=value; what the environment itself has comes first.
ENV_NAME = "pawsmith.env"

env = environ.Env()
# With another data folder in the environment, the file here is that of another installation.
if not env.str("PAWSMITH_DATA_DIR", default=""):
    env.read_env(HOME_DIR / ENV_NAME)
# Files that the application writes: the SQLite database, the releases and the uploads.
DATA_DIR = Path(env.str("PAWSMITH_DATA_DIR", default="") or HOME_DIR)
env.read_env(DATA_DIR / ENV_NAME)
STATIC_DIR = Path(env.str("PAWSMITH_STATIC_DIR", default=str(DATA_DIR / "static")))
