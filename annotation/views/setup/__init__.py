"""How a study is set up: settings, people, qualification set, hidden pairs."""
