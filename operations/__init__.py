"""Operating an installation: backups, metrics, status and diagnosis."""
