"""Pages on which people correct and judge, all day."""
