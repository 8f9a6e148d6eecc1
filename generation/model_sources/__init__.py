"""Where models come from: what Pawsmith knows by name, and the places that hold them."""
