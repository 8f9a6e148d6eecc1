"""How this copy of Pawsmith is started, for messages that say what to run next."""

from pathlib import Path

CODE_DIR = Path(__file__).resolve().parents[1]
IS_CHECKOUT = (CODE_DIR / "manage.py").exists()
PROGRAM = "manage.py" if IS_CHECKOUT else "pawsmith"


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra of pyproject.toml."""
    packages = f"-r requirements-{extra}.txt" if IS_CHECKOUT else f'"pawsmith[{extra}]"'
    return f"pip install {packages}"
