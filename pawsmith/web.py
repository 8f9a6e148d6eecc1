"""The web server of `pawsmith run`: python -m pawsmith.web HOST PORT."""

import sys
from typing import Any

from gunicorn.app.base import BaseApplication

from config import gunicorn
from config.wsgi import application


class Site(BaseApplication):
    """gunicorn, which as a program would search modules in the current folder first."""

    def __init__(self, host: str, port: str) -> None:
        self.bind = f"{host}:{port}"
        super().__init__()

    def load_config(self) -> None:
        settings = {
            **{name: value for name, value in vars(gunicorn).items() if name in self.cfg.settings},
            "bind": self.bind,
            "workers": 2,
            "preload_app": True,  # its processes share what is imported
            "graceful_timeout": 5,
            "loglevel": "warning",
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return application


if __name__ == "__main__":
    Site(*sys.argv[1:]).run()
