# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose freed memory is cleared: the policy by polkit, kept over a restart of tacetd, and what the probe shows."""

import json

import pytest

from tests.system.tacet_cli import Tacet

NEWEST_KERNEL_ONLY = True


@pytest.fixture
def tacet(guest):
    """The `tacet` command; the policy is the default's again afterwards."""
    command = Tacet(guest)
    yield command
    command.run("memory", "policy", "chosen")
    command.run("memory", "layer", "heap", "on")


def freed_memory(tacet):
    """The line of `tacet doctor` about freed memory."""
    return next(item for item in tacet.json("doctor", check=False)["protections"] if item["name"] == "freed-memory")


def probe(tacet):
    """How many stamps are left, as (place, chosen) -> moment -> number, when anna looks."""
    return {(row["place"], row["chosen"]): row["left"] for row in tacet.json("memory", "probe", "--for", 1, person=True)}


def test_probe_by_default(tacet):
    """A chosen program leaves nothing but its stack, and that for some seconds. Any other leaves stamps everywhere at first, and those
    on heap and stack while it lives. The app has chosen the known programs for anna."""
    policy = tacet.json("memory", "policy", person=True)
    assert policy["scope"] == "chosen" and "/usr/bin/ssh-agent" in policy["programs"]
    assert freed_memory(tacet)["enforced"]
    found = probe(tacet)
    chosen = {place: left for (place, is_chosen), left in found.items() if is_chosen}
    # How much of the stack is left at first depends on when it was cleared last.
    assert chosen.pop("stack")["ended"] == 0
    assert {number for left in chosen.values() for number in left.values()} == {0}, found
    assert min(left["0 s"] for (_, is_chosen), left in found.items() if not is_chosen) > 1000, found
    assert min(found[place, False]["1 s"] for place in ("heap", "stack")) > 1000, found


def test_layer_that_is_off(guest, tacet):
    """An administrator switches it, it is kept, and `tacet doctor` names it."""
    layers = {row["layer"]: row["cleared"] for row in tacet.json("memory", "layer", "heap", "off")}
    assert layers == {"pages": True, "buffers": True, "stack": True, "heap": False}
    assert tacet.json("memory", "policy", person=True)["layers"] == ["pages", "buffers", "stack"]
    doctor = tacet.json("doctor", check=False)
    assert not freed_memory(tacet)["enforced"] and freed_memory(tacet)["detail"] == "layer-off"
    assert {row["layer"]: row["by"] for row in doctor["memory_layers"]} == {
        "pages": "the kernel module", "buffers": "the kernel module", "stack": "the kernel module", "heap": ""}
    guest.run("systemctl restart tacetd", check=True)
    guest.wait_for(lambda: tacet.run("status", check=False).returncode == 0, 60, "tacetd")
    found = probe(tacet)
    assert found["heap", True]["0 s"] > 1000 and found["stack", True]["ended"] == 0, found
    assert tacet.json("memory", "layer", "heap", "on")[3]["cleared"] and freed_memory(tacet)["enforced"]
    for wrong in (("heap",), ("heap", "maybe"), ("slab", "off")):
        assert tacet.run("memory", "layer", *wrong, check=False).returncode == 2


@pytest.mark.nightly
def test_policy_stays(guest, tacet):
    """Only an administrator changes it. It is kept, and `tacet doctor` tells when it is off."""
    assert tacet.json("memory", "policy", "off")["scope"] == "off"
    assert freed_memory(tacet)["detail"] == "memory-off"
    guest.run("systemctl restart tacetd", check=True)
    guest.wait_for(lambda: tacet.run("status", check=False).returncode == 0, 60, "tacetd")
    assert tacet.json("memory", "policy")["scope"] == "off" and not freed_memory(tacet)["enforced"]
    assert probe(tacet)["heap", True]["0 s"] > 1000


@pytest.mark.nightly
def test_cost(tacet):
    """Each kind of work is measured for both programs. How much longer one takes is no matter of this test."""
    found = tacet.json("memory", "cost", person=True)
    assert [row["work"] for row in found] == ["heap", "pages", "processes", "pipe", "files"]
    assert all(row["other_us"] > 0 and row["chosen_us"] > 0 for row in found), found


@pytest.mark.nightly
def test_probe_tells_each_moment(tacet):
    """For the app's chart."""
    lines = [json.loads(line) for line in tacet.run("memory", "probe", "--live", "--for", 1, person=True).stdout.splitlines()]
    assert [line["moment"] for line in lines] == ["0 s", "1 s", "ended"] and {len(line["left"]) for line in lines} == {12}, lines


@pytest.mark.nightly
def test_probes_of_two_people(guest):
    """One counts at a time, and the other waits."""
    guest.run("for person in anna bela; do runuser -u $person -- tacet memory probe --for 1 --json >/run/$person.json & done; wait")
    for person in ("anna", "bela"):
        assert len(json.loads(guest.run(["cat", f"/run/{person}.json"]).stdout)) == 12


@pytest.mark.nightly
def test_lifetime_needs_valgrind(guest, tacet):
    """The image has none, and the message says which package has it."""
    assert guest.run("test -x /usr/bin/valgrind").returncode != 0
    refused = tacet.run("memory", "lifetime", "--", "ls", check=False)
    assert refused.returncode == 1 and "package valgrind" in refused.stderr


def test_chosen_programs(guest, tacet):
    """By name and by path. Scripts, which another program runs, are refused with the reason."""
    annas = tacet.json("memory", "list", person=True)
    assert tacet.json("memory", "add", "ssh-agent")["program"] == "/usr/bin/ssh-agent"
    assert tacet.json("memory", "policy")["programs"] == ["/usr/bin/ssh-agent"] == tacet.json("memory", "list")
    assert tacet.json("memory", "list", person=True) == annas
    refused = tacet.run("memory", "add", "/usr/bin/ldd", check=False)
    assert refused.returncode == 2 and "script" in refused.stderr
    guest.run("gdbus call --system -d org.tacet.Tacet1 -o /org/tacet/Tacet1 -m org.tacet.Tacet1.Memory.CountStamps '[uint64 1]' 2>&1 | grep NotFound", check=True)
    tacet.run("memory", "remove", "ssh-agent")
    assert json.loads(tacet.run("memory", "list", "--json").stdout) == []
    gone = tacet.run("memory", "remove", "ssh-agent", check=False)
    assert gone.returncode != 0 and "not a chosen program" in gone.stderr
