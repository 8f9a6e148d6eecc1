"""`pawsmith run`: set up Pawsmith with a demonstration and start all of its processes."""

import os
import secrets
import signal
import socket
import sys
import sysconfig
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

from django.conf import settings

from common.places import BASE_DIR, DATA_DIR, ENV_NAME, STATIC_DIR
from common.program import CODE_DIR, IS_CHECKOUT
from pawsmith.supervisor import Ended, Supervisor

WEB, WORKER = "The web server", "The worker"
SECRET_KEY = "PAWSMITH_SECRET_KEY"  # noqa: S105 its name


def run(arguments: Sequence[str]) -> None:
    """Serve until Ctrl-C; exits with a message if a process that is needed ends before."""
    host, port = _host_and_port(arguments)
    if _is_listening(host, port):
        command = "scripts/run" if IS_CHECKOUT else "pawsmith run"
        sys.exit(
            f"Port {port} is in use. Stop what uses it, or take another: PORT={port + 1} {command}"
        )
    keep_secret_key()
    _check_settings()
    if IS_CHECKOUT:
        os.environ["PYTHONPATH"] = str(CODE_DIR)
    _on_signals(signal.default_int_handler)
    supervisor = Supervisor()
    try:
        _start_all(supervisor, host, port)
        supervisor.watch()
    except KeyboardInterrupt:
        print("Stopping", flush=True)
    except Ended as ended:
        sys.exit(f"{ended} ended unexpectedly, so everything was stopped; its messages are above.")
    finally:
        _on_signals(signal.SIG_IGN)
        supervisor.stop()


def keep_secret_key() -> None:
    """Make a secret key in a file that only this user may read, unless there is a key already."""
    if os.environ.get(SECRET_KEY):
        return
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = os.environ[SECRET_KEY] = secrets.token_urlsafe(50)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    with os.fdopen(os.open(DATA_DIR / ENV_NAME, flags, mode=0o600), "w") as file:
        file.write(f"{SECRET_KEY}={key}\n")


def _check_settings() -> None:
    """Raise ImproperlyConfigured here, rather than in each of the processes."""
    _ = settings.INSTALLED_APPS


def _host_and_port(arguments: Sequence[str]) -> tuple[str, int]:
    parser = ArgumentParser(
        "pawsmith run", description="Start Pawsmith with a demonstration. Ctrl-C stops it."
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument(
        "--port",
        type=int,
        default=os.environ.get("PORT", "8000"),
        help="default: the environment variable PORT, or 8000",
    )
    options = parser.parse_args(arguments)
    return options.host, options.port


def _start_all(supervisor: Supervisor, host: str, port: int) -> None:
    print("Preparing the database and the pages", flush=True)
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    steps = [_command("migrate", "--verbosity", "0")]
    if _static_files_changed():
        steps.append(_command("collectstatic", "--no-input", "--verbosity", "0"))
    supervisor.finish({f"pawsmith {step[4]}": step for step in steps})

    supervisor.start(WEB, [sys.executable, "-P", "-m", "pawsmith.web", host, f"{port}"])
    supervisor.watch(until=lambda: _is_listening(host, port))
    address = os.environ.get("PAWSMITH_ADDRESS") or f"http://127.0.0.1:{port}"
    print(f"Pawsmith is at {address} (Ctrl-C stops it)", flush=True)
    supervisor.finish(
        {"pawsmith first_administrator": _command("first_administrator", "--address", address)}
    )
    # It takes about a minute, once; pages say so meanwhile. Workers start after it: they would
    # take its batches, and it needs all candidates of a run together.
    supervisor.finish({"pawsmith create_demonstration": _command("create_demonstration")})

    # Threads of a model that wait must not keep the processor from the web server.
    waiting_threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}
    # Events name addresses, which requests tell the web server.
    supervisor.start(WORKER, _command("worker"), {**waiting_threads, "PAWSMITH_ADDRESS": address})
    # When the evaluator ends, the others go on.
    evaluator = _command("worker", "--evaluations")
    supervisor.start("The evaluator", evaluator, {"OMP_NUM_THREADS": "1"}, is_needed=False)


def _on_signals(handler: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), handler)


def _command(*arguments: str) -> list[str]:
    """Return a management command; -P: modules in the current folder are not those of Pawsmith."""
    return [sys.executable, "-P", "-m", "pawsmith", *arguments]


def _is_listening(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, port)) == 0


def _static_files_changed() -> bool:
    """Return whether a file, or a package of this environment, is newer than what is collected."""
    collected = STATIC_DIR / "staticfiles.json"
    if not collected.exists():
        return True
    sources = (Path(sysconfig.get_path("purelib")), *(BASE_DIR / "static").rglob("*"))
    return max(source.stat().st_mtime for source in sources) > collected.stat().st_mtime
