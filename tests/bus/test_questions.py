# SPDX-License-Identifier: GPL-3.0-or-later
import queue

import pytest

from tests.bus.conftest import USER, CallError


def answer(user, number, verdict, duration="once", **scope):
    return user.call("Breaches", "Answer", "tssa{sv}", number, verdict, duration, scope)


@pytest.fixture
def allowed(polkit):
    polkit.AllowUnknown(True)
    return polkit


def test_question_goes_to_the_owners_agent_and_its_answer_to_the_kernel(daemon, connect, allowed):
    user = connect()
    user.register()
    daemon.ask(7)
    question = user.asked()
    assert (question["id"], question["executable"], question["host"], question["port"]) == (7, "/usr/bin/curl", "192.0.2.7", 80)
    assert answer(user, 7, "scrub") == [0, 1]
    told = daemon.verdict()
    assert (told["id"], told["verdict"], told["scope"]) == (7, "scrub", "flow")
    assert user.withdrawn() == [7, "answered"]
    assert user.call("Breaches", "List") == []


def test_other_users_neither_see_nor_answer(daemon, connect, allowed):
    user, other = connect(), connect(1001)
    user.register()
    other.register()
    daemon.ask(1)
    user.asked()
    assert other.call("Breaches", "List") == []
    with pytest.raises(CallError, match="NoSuchQuestion"):
        answer(other, 1, "allow")
    with pytest.raises(queue.Empty):
        other.asked(timeout=0.5)


def test_without_agent_blocked_after_five_seconds_and_logged(daemon, connect):
    daemon.ask(1)
    assert daemon.verdict()["verdict"] == "block"
    entries = connect().call("Log", "List", "tu", 0, 10)
    assert [(entry["kind"], entry["verdict"], entry["reason"]) for entry in entries] == [("missed", "block", "no-agent")]


def test_agent_that_comes_within_five_seconds_is_asked(daemon, connect, allowed):
    daemon.ask(1)
    user = connect()
    user.register()
    assert user.asked()["id"] == 1


def test_agent_that_leaves_is_replaced_by_the_next(daemon, connect, allowed):
    first = connect()
    first.register()
    daemon.ask(1)
    first.asked()
    first.leave()
    second = connect()
    second.register()
    assert second.asked()["id"] == 1
    answer(second, 1, "allow")
    assert daemon.verdict()["verdict"] == "allow"


def test_agent_is_asked_all_open_questions(daemon, connect, allowed):
    """The app has no list of them: it knows what it was asked."""
    first = connect()
    first.register()
    daemon.ask(1)
    daemon.ask(2, address="198.51.100.2")
    assert [first.asked()["id"], first.asked()["id"]] == [1, 2]
    first.leave()
    second = connect()
    second.register()
    assert sorted([second.asked()["id"], second.asked()["id"]]) == [1, 2]


def test_like_questions_are_one_prompt(daemon, connect, allowed):
    user = connect()
    user.register()
    for number in (1, 2, 3):
        daemon.ask(number)
    # Questions come in their order, so the others are there with this one.
    daemon.ask(4, address="198.51.100.2")
    assert [user.asked()["id"], user.asked()["id"]] == [1, 4]
    assert answer(user, 1, "block") == [0, 3]
    assert sorted(daemon.verdict()["id"] for _ in range(3)) == [1, 2, 3]
    with pytest.raises(queue.Empty):
        user.asked(timeout=0.3)


def test_lasting_answer_makes_a_rule_that_answers_alone(daemon, connect, allowed):
    user = connect()
    user.register()
    daemon.ask(1)
    user.asked()
    rule, resolved = answer(user, 1, "block", "always")
    assert rule > 0 and resolved == 1
    daemon.verdict()
    daemon.ask(2)
    assert daemon.verdict()["id"] == 2
    assert user.call("Log", "List", "tu", 0, 1)[0]["kind"] == "rule"
    assert user.call("Rules", "List")[0]["hits"] == 1


def test_lasting_answer_needs_authority(daemon, connect, polkit):
    polkit.SetAllowed(["org.tacet.tacet1.answer"])
    user = connect()
    user.register()
    daemon.ask(1)
    user.asked()
    with pytest.raises(CallError, match="AccessDenied"):
        answer(user, 1, "allow", "always")
    assert user.call("Rules", "List") == []
    assert len(user.call("Breaches", "List")) == 1
    answer(user, 1, "allow", "15min")
    assert daemon.verdict()["verdict"] == "allow"


def test_broad_temporary_permission_needs_authority(daemon, connect, polkit):
    polkit.SetAllowed(["org.tacet.tacet1.answer"])
    user = connect()
    user.register()
    daemon.ask(1)
    user.asked()
    with pytest.raises(CallError, match="AccessDenied"):
        answer(user, 1, "allow", "1h", subject_kind="any")


def test_rule_survives_restart_and_its_removal_asks_again(daemon, connect, allowed):
    user = connect()
    rule = user.call("Rules", "Add", "a{sv}", {"verdict": "block", "duration": "always", "executable": "/usr/bin/curl"})
    daemon.kill()
    daemon.start()
    user = connect()
    user.register()
    daemon.ask(1)
    assert daemon.verdict()["verdict"] == "block"
    user.call("Rules", "Remove", "t", rule)
    daemon.ask(2)
    assert user.asked()["id"] == 2


def test_rule_settles_what_waits(daemon, connect, allowed):
    user = connect()
    user.register()
    daemon.ask(1)
    daemon.ask(2, executable="/usr/bin/wget")
    user.asked()
    user.call("Rules", "Add", "a{sv}", {"verdict": "block", "duration": "1h", "host": "192.0.2.7"})
    assert sorted(daemon.verdict()["id"] for _ in range(2)) == [1, 2]
    assert user.withdrawn()[1] == "rule"


def test_withdrawn_by_the_kernel(daemon, connect, allowed):
    user = connect()
    user.register()
    daemon.ask(1)
    user.asked()
    daemon.withdraw(1)
    assert user.withdrawn() == [1, "gone"]
    with pytest.raises(CallError, match="NoSuchQuestion"):
        answer(user, 1, "allow")


def test_expired(daemon, connect, allowed):
    user = connect()
    user.register()
    daemon.ask(1, timeout_ms=300)
    user.asked()
    assert user.withdrawn() == [1, "expired"]
    assert user.call("Log", "List", "tu", 0, 1)[0]["kind"] == "missed"


@pytest.mark.parametrize(
    "verdict, duration, scope, error",
    [
        ("perhaps", "once", {}, "InvalidVerdict"),
        ("allow", "a while", {}, "InvalidDuration"),
        ("allow", "1h", {"subject_kind": "planet"}, "InvalidScope"),
        ("allow", "1h", {"subject_kind": "file", "subject": "relative"}, "InvalidScope"),
        ("allow", "1h", {"unknown": "x"}, "InvalidScope"),
        ("allow", "1h", {"executable": "curl"}, "InvalidScope"),
        ("allow", "1h", {"host": "a b"}, "InvalidScope"),
    ],
)
def test_bad_answer_changes_nothing(daemon, connect, allowed, verdict, duration, scope, error):
    user = connect()
    user.register()
    daemon.ask(1)
    user.asked()
    with pytest.raises(CallError, match=f"org.tacet.Error.{error}"):
        answer(user, 1, verdict, duration, **scope)
    assert len(user.call("Breaches", "List")) == 1
    assert user.call("Rules", "List") == []


def test_lasting_answer_about_a_device_is_about_that_device(daemon, connect, allowed):
    user = connect()
    user.register()
    daemon.ask(1, device="/dev/ttyS0")
    assert user.asked()["sink"] == "device"
    for wider in ({"host": ""}, {"sink": "network", "host": ""}, {"host": "/dev/ttyS1"}):
        with pytest.raises(CallError, match="org.tacet.Error.InvalidScope"):
            answer(user, 1, "allow", "always", **wider)
    answer(user, 1, "allow", "always")
    assert daemon.verdict()["verdict"] == "allow"
    rule = user.call("Rules", "List")[0]
    assert (rule["sink"], rule["host"], rule["port"]) == ("device", "/dev/ttyS0", 0)
    for number, other in enumerate(({"device": "/dev/ttyS1"}, {}), start=2):
        daemon.ask(number, **other)
        assert user.asked()["id"] == number
    entry = user.call("Log", "List", "tu", 0, 1)[0]
    assert (entry["sink"], entry["host"]) == ("device", "/dev/ttyS0")


def test_question_that_is_read_waits_longer(daemon, connect, allowed):
    user, other = connect(), connect(1001)
    user.register()
    daemon.ask(1, timeout_ms=1500)
    before = user.asked()["expires"]
    with pytest.raises(CallError, match="NoSuchQuestion"):
        other.call("Breaches", "Extend", "t", 1)
    expires = user.call("Breaches", "Extend", "t", 1)
    assert 590_000_000 < expires - before <= 601_000_000
    assert user.call("Breaches", "List")[0]["expires"] == expires
    with pytest.raises(queue.Empty):
        user.withdrawn(timeout=3)
    answer(user, 1, "allow")
    assert daemon.verdict()["verdict"] == "allow"


def test_scrubbed_copy_of_tainted_data_does_not_exist(daemon, connect, allowed):
    user = connect()
    user.register()
    daemon.ask(1, tainted=True)
    user.asked()
    with pytest.raises(CallError, match="InvalidVerdict"):
        answer(user, 1, "scrub")


def test_takeover_where_the_question_says_so(daemon, connect, allowed):
    user = connect()
    user.register()
    daemon.ask(1)
    assert user.asked()["can_take_over"] is False
    with pytest.raises(CallError, match="org.tacet.Error.InvalidVerdict"):
        answer(user, 1, "takeover")
    daemon.ask(2, can_take_over=True)
    assert user.asked()["can_take_over"] is True
    assert answer(user, 2, "takeover") == [0, 1]
    assert daemon.verdict()["verdict"] == "takeover"
    assert user.call("Log", "List", "tu", 0, 1)[0]["verdict"] == "takeover"


def test_rule_may_say_takeover(daemon, connect, allowed):
    user = connect()
    user.call("Rules", "Add", "a{sv}", {"verdict": "takeover", "duration": "always", "executable": "/usr/bin/curl"})
    assert user.call("Rules", "List")[0]["verdict"] == "takeover"
    for number, possible, logged in ((1, True, "takeover"), (2, False, "scrub")):
        daemon.ask(number, can_take_over=possible)
        assert daemon.verdict()["verdict"] == "takeover"
        assert user.call("Log", "List", "tu", 0, 1)[0]["verdict"] == logged


def test_flood_is_blocked_and_logged(daemon, connect, allowed):
    user = connect()
    user.register()
    for number in range(1, 302):
        daemon.ask(number, port=number)
    blocked = [daemon.verdict() for _ in range(45)]
    assert {told["verdict"] for told in blocked} == {"block"}
    assert len(user.call("Breaches", "List")) == 256


def test_pause_needs_authority_and_lets_pass(daemon, connect, polkit):
    user = connect()
    with pytest.raises(CallError, match="AccessDenied"):
        user.call("Protection", "Pause", "u", 5)
    polkit.AllowUnknown(True)
    for minutes in (0, 61):
        with pytest.raises(CallError, match="InvalidArgument"):
            user.call("Protection", "Pause", "u", minutes)
    assert user.call("Protection", "Pause", "u", 5) > 0
    daemon.ask(1)
    assert daemon.verdict()["verdict"] == "allow"
    user.call("Protection", "Resume")
    user.register()
    daemon.ask(2)
    assert user.asked()["id"] == 2


def test_agents_of_one_user_are_limited(daemon, connect):
    for _ in range(8):
        connect().register()
    with pytest.raises(CallError, match="TooMany"):
        connect().register()
    connect(1001).register()


def test_root_sees_all_and_answers(daemon, connect):
    user, root = connect(), connect(0)
    user.register()
    daemon.ask(1)
    user.asked()
    assert [question["uid"] for question in root.call("Breaches", "List")] == [USER]
    assert answer(root, 1, "quit") == [0, 1]
    assert user.withdrawn() == [1, "answered"]
