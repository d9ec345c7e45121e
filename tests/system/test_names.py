# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts have the names that the resolver was asked for: in questions, in rules, and not when nobody listens."""

import pathlib

import pytest

from tests.system.tacet_cli import Tacet
from thorough import daily

NEWEST_KERNEL_ONLY = True
SERVER = pathlib.Path(__file__).resolve().parent / "in_guest" / "dns_server.py"
PROGRAM = "/run/remote/dns_server.py"
NAMES = {
    "files.example": "10.77.0.11",
    "other.example": "10.77.0.12",
    "shared.example": "10.77.0.13",
    "neighbour.example": "10.77.0.13",
    "www.alias.example": "edge.alias.example",
    "edge.alias.example": "10.77.0.14",
    "six.example": "fd77::11",
}
# Name -> address of the questions.
ADDRESSES = {"files.example": "10.77.0.11", "www.alias.example": "10.77.0.14", "six.example": "fd77::11"}


def upload(name):
    """The shell command that sends the file to a host."""
    return f"curl -sS -m 90 -T salaries.csv http://{name}/"


def host_names(tacet):
    """The line of `tacet doctor` about names."""
    return next(item for item in tacet.json("doctor", check=False)["protections"] if item["name"] == "host-names")


@pytest.fixture
def resolver(guest, remote):
    """The second host answers for NAMES, at addresses of its own that /etc/hosts does not name, and the guest asks it."""
    guest.put(SERVER, PROGRAM)
    for address in sorted({value for value in NAMES.values() if value[0] in "1f"}):
        prefix = f"{address}/64 dev eth0 nodad" if ":" in address else f"{address}/24 dev eth0"
        guest.run(f"ip -n remote address replace {prefix}", check=True)
    words = " ".join(f"{name}={value}" for name, value in NAMES.items())
    guest.run(f"systemd-run --quiet --collect --unit=remote-dns remote-exec python3 {PROGRAM} {words}", check=True)
    guest.run("for i in $(seq 100); do remote-exec ss -Hlun sport = :53 | grep -q . && exit; sleep 0.1; done; exit 1", check=True)
    guest.run("cp /etc/resolv.conf /run/resolv.conf.kept && echo nameserver 10.77.0.2 >/etc/resolv.conf", check=True)
    tacet = Tacet(guest)
    guest.wait_for(lambda: host_names(tacet)["enforced"], 60, "names to be seen")
    yield remote
    guest.run("cp /run/resolv.conf.kept /etc/resolv.conf; systemctl stop remote-dns", check=True)


@pytest.mark.parametrize("name", daily(ADDRESSES, "www.alias.example"))
def test_question(scene, resolver, name):
    """A question says the name that the program asked the resolver for, over IPv4 and IPv6, also when that is an alias."""
    scene.label()
    question, _ = scene.send_and_answer(upload(name), "block")
    assert (question["host"], question["address"]) == (name, ADDRESSES[name])
    scene.assert_nothing_leaked()


@pytest.mark.nightly
def test_prompt(scene, resolver):
    """The prompt says it, too."""
    scene.label()
    sentence, _ = scene.send_and_click(upload("files.example"), "block")
    assert "files.example" in sentence


@pytest.mark.nightly
def test_rule(scene, resolver):
    """A rule for a name answers for its address, and not for that of another name."""
    scene.label()
    scene.tacet.run("rule", "add", "scrub", "--executable", "/usr/bin/curl", "--host", "files.example")
    assert scene.run(upload("files.example")).returncode == 0
    scene.assert_scrubbed_arrived()
    question, _ = scene.send_and_answer(upload("other.example"), "block")
    assert question["host"] == "other.example"
    assert scene.decisions() == [("rule", "scrub"), ("answered", "block")]


@pytest.mark.nightly
def test_shared_address(scene, resolver):
    """An address has two names: a permission for one of them does not hold, but a refusal does."""
    scene.label()
    scene.tacet.run("rule", "add", "scrub", "--executable", "/usr/bin/curl", "--host", "shared.example")
    assert scene.run(upload("shared.example")).returncode == 0
    question, _ = scene.send_and_answer(upload("neighbour.example"), "block")
    assert question["host"] == "neighbour.example"
    question, _ = scene.send_and_answer(upload("shared.example"), "block")
    assert question["host"] == "shared.example"
    scene.tacet.run("rule", "add", "block", "--executable", "/usr/bin/curl", "--host", "neighbour.example")
    assert scene.run(upload("shared.example")).returncode != 0
    assert scene.decisions() == [("rule", "scrub"), ("answered", "block"), ("answered", "block"), ("rule", "block")]


# Asks a server for an address by hand, as resolvers do.
OWN_QUESTION = """
import socket
question = bytes.fromhex('abcd01000001000000000000') + b'\\x05files\\x07example\\0\\0\\x01\\0\\x01'
asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asker.settimeout(10)
asker.sendto(question, ('10.77.0.2', 53))
print(asker.recv(4096)[-4:].hex())
"""


@pytest.mark.nightly
def test_other_server(scene, resolver):
    """Answers of a server that the machine is not set up to ask are not believed."""
    scene.label()
    scene.guest.run("echo nameserver 10.0.2.3 >/etc/resolv.conf; systemctl restart tacetd", check=True)
    scene.guest.wait_for(scene.app_is_agent, what="the app to register")
    scene.guest.wait_for(lambda: host_names(scene.tacet)["enforced"], 60, "names to be seen")
    scene.guest.write(f"{scene.folder}/ask.py", OWN_QUESTION, user="anna")
    assert scene.run("python3 ask.py").stdout.strip() == "0a4d000b"
    question, _ = scene.send_and_answer(upload("10.77.0.11"), "block")
    assert question["host"] == "10.77.0.11"
    scene.guest.run("echo nameserver 10.77.0.2 >/etc/resolv.conf", check=True)
    scene.guest.run("sleep 2")
    assert scene.run("python3 ask.py").stdout.strip() == "0a4d000b"
    question, _ = scene.send_and_answer(upload("10.77.0.11"), "block")
    assert question["host"] == "files.example"


@pytest.mark.nightly
def test_nobody_listens(scene, resolver):
    """Without the watcher hosts are shown by their addresses, doctor says so, and it comes back by itself."""
    scene.label()
    assert host_names(scene.tacet)["enforced"]
    scene.guest.run("systemctl stop tacet-names.socket tacet-names.service && systemctl restart tacetd", check=True)
    scene.guest.wait_for(scene.app_is_agent, what="the app to register")
    scene.guest.run("systemctl stop tacet-names.socket tacet-names.service", check=True)
    scene.guest.wait_for(lambda: not host_names(scene.tacet)["enforced"], what="doctor to notice")
    assert host_names(scene.tacet)["detail"] == "names-not-seen"
    question, _ = scene.send_and_answer(upload("files.example"), "block")
    assert question["host"] == "10.77.0.11"
    scene.guest.run("systemctl start tacet-names.socket", check=True)
    scene.guest.wait_for(lambda: host_names(scene.tacet)["enforced"], 60, what="names to be seen again")
    question, _ = scene.send_and_answer(upload("files.example"), "block")
    assert question["host"] == "files.example"
