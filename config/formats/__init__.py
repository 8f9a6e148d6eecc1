"""Date and time formats of each language, for all pages and the admin."""
