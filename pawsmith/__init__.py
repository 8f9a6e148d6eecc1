"""The command `pawsmith`; in an installed wheel also templates, static files, locale and docs."""
