"""Backups: where they go, how many stay, and the programs that make them of Postgres."""

from config.environment import env

BACKUP_DIR = env.str("PAWSMITH_BACKUP_DIR", default="")
BACKUPS_KEPT = env.int("PAWSMITH_BACKUPS_KEPT", default=14)
PG_BIN = env.str("PAWSMITH_PG_BIN", default="")
