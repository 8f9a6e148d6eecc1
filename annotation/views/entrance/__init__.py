"""The way to the work: invitations, first pages, the qualification set, one's own page."""
