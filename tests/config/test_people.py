"""What a public installation asks of those who come in."""

from tests.config import production


def test_staff_of_a_public_installation_need_a_second_factor():
    told = production.settings("STAFF_NEEDS_SECOND_FACTOR", "KNOWN_BROWSER_COOKIE")
    assert told == {"STAFF_NEEDS_SECOND_FACTOR": True, "KNOWN_BROWSER_COOKIE": "__Host-known"}


def test_on_the_machine_itself_a_password_suffices():
    told = production.settings(
        "STAFF_NEEDS_SECOND_FACTOR", "KNOWN_BROWSER_COOKIE", PAWSMITH_ADDRESS="http://localhost"
    )
    assert told == {"STAFF_NEEDS_SECOND_FACTOR": False, "KNOWN_BROWSER_COOKIE": "known"}
