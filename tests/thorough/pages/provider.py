"""What a person does at the provider of the fixture `oidc_server`."""

import re


def agree(page, person="ada-1"):
    """Sign in at the provider, which leads back."""
    page.wait_for_url("**/oauth2/authorize**")
    page.get_by_role("button", name=re.compile(person)).click()
    page.wait_for_url(re.compile("^((?!oauth2).)*$"))
