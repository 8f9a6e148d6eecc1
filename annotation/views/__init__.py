"""Pages, a room for each sort of visitor; `gates` says who may come in."""
