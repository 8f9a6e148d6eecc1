"""Operating an installation: backups, metrics and status."""
