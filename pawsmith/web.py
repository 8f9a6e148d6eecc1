"""The web server of `pawsmith run`: python -m pawsmith.web HOST PORT."""

import sys
from typing import Any

from config import gunicorn
from config.wsgi import application

if sys.platform == "win32":  # where gunicorn does not run
    import waitress

    def serve(host: str, port: str) -> None:
        waitress.serve(application, host=host, port=port, threads=8)

else:
    from gunicorn.app.base import BaseApplication

    class Site(BaseApplication):
        """gunicorn, which as a program would search modules in the current folder first."""

        def __init__(self, bind: str) -> None:
            self.bind = bind
            super().__init__()

        def load_config(self) -> None:
            names = vars(gunicorn).keys() & self.cfg.settings.keys()
            settings = {
                **{name: getattr(gunicorn, name) for name in names},
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

    def serve(host: str, port: str) -> None:
        Site(f"{host}:{port}").run()


if __name__ == "__main__":
    serve(*sys.argv[1:])
