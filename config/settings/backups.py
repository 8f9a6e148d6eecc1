"""Backups: their folder, the number to keep, and the folder of the PostgreSQL programs."""

from config.environment import env

BACKUP_DIR = env.str("PAWSMITH_BACKUP_DIR", default="")
BACKUPS_KEPT = env.int("PAWSMITH_BACKUPS_KEPT", default=14)
PG_BIN = env.str("PAWSMITH_PG_BIN", default="")
