"""A study while it runs, for those who run it and those who research it."""
