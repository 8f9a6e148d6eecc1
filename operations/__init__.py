"""Running an installation: what it is at, what is amiss with it, how it is seen from outside."""
