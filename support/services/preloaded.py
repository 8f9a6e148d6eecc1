"""What a process of tests has imported before its own work begins: all of the product."""

import django
from django.urls import get_resolver

django.setup()
# Pages and the schema of REST come with the addresses.
assert get_resolver().url_patterns
