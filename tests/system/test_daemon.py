# SPDX-License-Identifier: GPL-3.0-or-later
"""tacetd in the whole system: bad input, very many files, a full disk, kill -9, no module, a reboot."""

import time

import pytest

from guest import Guest
from tests.system.tacet_cli import Tacet
from thorough import daily

NEWEST_KERNEL_ONLY = True
FAILURE, USAGE, DENIED, NOT_FOUND, PARTIAL, UNPROTECTED = 1, 2, 4, 5, 6, 7
MANY = 10_000
# A link has to be met so often each way. One way costs four seconds a time.
CHANGES = 5
# Bound for things that take a moment, with room for a guest that others slow down.
PATIENCE = 300

# Requests that are refused: the preparation (as root, in the person's folder), the command, its status, its D-Bus error.
BAD = {
    "unknown path": ("true", "label add nothing", NOT_FOUND, "org.tacet.Error.NotFound"),
    "directory": ("mkdir d", "label add d", FAILURE, "org.tacet.Error.NotRegular"),
    "fifo": ("mkfifo f", "label add f", FAILURE, "org.tacet.Error.NotRegular"),
    "link to nothing": ("ln -s nowhere l", "label add l", NOT_FOUND, "org.tacet.Error.NotFound"),
    "link loop": ("ln -s l l", "label add l", USAGE, "org.tacet.Error.InvalidPath"),
    "process": ("true", "label add /proc/$$/status", USAGE, "org.tacet.Error.InvalidPath"),
    "category": ("true", "label add --category nonsense salaries.csv", USAGE, "org.tacet.Error.InvalidCategory"),
    "question": ("true", "breach answer 4711 block", NOT_FOUND, "org.tacet.Error.NoSuchQuestion"),
    "verdict": ("true", "breach answer 4711 perhaps", USAGE, "org.tacet.Error.InvalidVerdict"),
    "duration": ("true", "rule add block --for ever", USAGE, "org.tacet.Error.InvalidDuration"),
    "rule": ("true", "rule remove 4711", NOT_FOUND, "org.tacet.Error.NoSuchRule"),
}


@pytest.mark.parametrize("case", daily(BAD, "unknown path", "duration"))
def test_bad_input(scene, case):
    """A clear error with its D-Bus name and exit status; nothing changed."""
    prepare, command, status, error = BAD[case]
    scene.guest.run(prepare, cwd=scene.folder, check=True)
    before = scene.tacet.json("label", "list"), scene.tacet.rules()
    done = scene.guest.run(f"tacet {command} --json", session=True, cwd=scene.folder)
    assert (done.returncode, error in done.stdout) == (status, True), done.stdout + done.stderr
    assert done.stderr.startswith("tacet: ")
    assert (scene.tacet.json("label", "list"), scene.tacet.rules()) == before


@pytest.mark.parametrize("name", daily(["b", "l"], "l"))
def test_another_users_file(scene, name):
    """Another user's file, and a link to one, need an administrator's password; without it nothing is marked."""
    scene.guest.run("install -o bela -m 600 salaries.csv b; ln -s b l", cwd=scene.folder, check=True)
    attempt = scene.start(f"tacet label add {name} --json")
    agent = scene.screen.of("lxqt-policykit-agent")
    agent.find("")
    scene.guest.key("esc")
    agent.find("", "Authorization Failed")

    def closed():
        scene.guest.key("ret")
        return not attempt.running()

    # On a busy machine the dialog shows before it has the keyboard.
    scene.guest.wait_for(closed, what="the dialog to close")
    done = attempt.finish()
    agent.close()
    assert done.returncode == DENIED and "org.tacet.Error.NotOwner" in done.stdout
    assert scene.tacet.categories(f"{scene.folder}/b") == []


@pytest.mark.nightly
def test_link_changed_in_time(scene):
    """A link that is turned to another user's file while it is being marked marks nothing of that user."""
    scene.guest.run("install -o bela -m 600 salaries.csv b; ln -s salaries.csv l", cwd=scene.folder, check=True)
    # It mostly points to her own: the other answer takes seconds each time.
    swap = "while :; do ln -sfn b l; ln -sfn salaries.csv l; sleep 0.05; done"
    # When the daemon meets the link while it points to the other user's file, the password dialog opens. It ends with the caller.
    mark = "for i in $(seq 60); do timeout 3 tacet label add l; echo $?; done 2>/dev/null"
    enough = f"awk '!/^[0-9]/ {{ next }} {{ print; n[$1]++ }} n[0] >= {CHANGES} && n[124] >= {CHANGES} {{ exit }}'"
    statuses = scene.run(f"{swap} & {mark} | {enough}; kill $!", timeout=300).stdout.split()
    assert min(statuses.count("0"), statuses.count("124")) >= CHANGES, f"the link did not change in time: {statuses}"
    assert scene.tacet.categories(scene.file) != [] == scene.tacet.categories(f"{scene.folder}/b")


@pytest.mark.nightly
def test_abandoned_requests(scene):
    """Requests whose caller has gone while a password was asked for end with it: they keep nobody from marking files."""
    scene.guest.run("install -o bela -m 600 salaries.csv b", cwd=scene.folder, check=True)
    scene.run("for i in $(seq 20); do timeout 5 tacet label add b & done; wait", timeout=120)
    scene.label()
    assert scene.tacet.categories(scene.file) == ["finance"]


@pytest.mark.nightly
def test_many_files(scene):
    """Very many files in one call: all are marked, in bounded time, and tacetd goes on answering meanwhile."""
    scene.run(f"mkdir many && cd many && seq {MANY} | split -l 1 -a 4 -d - f")
    started = time.monotonic()
    adding = scene.start("tacet label add --recursive --json many")
    slowest = _slowest_answer(scene, adding)
    done = adding.finish(PATIENCE)
    seconds = time.monotonic() - started
    assert done.returncode == 0, done.stderr[-2000:]
    assert f'"done": {MANY}' in done.stdout
    print(f"{MANY} files marked in {seconds:.1f} s; the slowest `tacet status` meanwhile took {slowest:.1f} s")
    assert slowest < PATIENCE / 10
    assert scene.tacet.categories(f"{scene.folder}/many/f{MANY - 1:04d}") == ["custom"]
    scene.tacet.run("label", "remove", "--recursive", f"{scene.folder}/many", timeout=PATIENCE)


def _slowest_answer(scene, attempt):
    slowest = 0.0
    while attempt.running():
        started = time.monotonic()
        scene.tacet.run("status", check=False)
        slowest = max(slowest, time.monotonic() - started)
        time.sleep(0.2)
    return slowest


@pytest.fixture
def full_disk(guest):
    """A function that fills the file system on which tacetd has its store."""
    guest.run("systemctl stop tacetd && cp -a /var/lib/tacet /run/tacet-store", check=True)
    try:
        guest.run("mount -t tmpfs -o size=$(($(du -s /run/tacet-store | cut -f1) + 2048))k tmpfs /var/lib/tacet"
                  " && cp -a /run/tacet-store/. /var/lib/tacet/ && systemctl start tacetd", check=True)
        yield lambda: guest.run("cat /dev/zero >/var/lib/tacet/ballast; test $(df --output=avail /var/lib/tacet | tail -1) = 0", check=True)
    finally:
        guest.run("systemctl stop tacetd; umount -l /var/lib/tacet; rm -rf /run/tacet-store; systemctl start tacetd", check=True)


@pytest.mark.nightly
def test_full_disk(scene, full_disk):
    """Without room for its store tacetd refuses to promise anything lasting, and still asks and blocks."""
    scene.label()
    scene.guest.write(f"{scene.folder}/other", "nothing of the secret", user="anna")
    full_disk()
    assert scene.tacet.run("rule", "add", "allow", "--host", "remote", check=False).returncode == FAILURE
    assert scene.tacet.rules() == []
    marked = scene.tacet.run("label", "add", f"{scene.folder}/other", check=False).returncode == 0
    assert bool(scene.tacet.categories(f"{scene.folder}/other")) == marked
    _, done = scene.send_and_answer("curl -sS -m 90 -T salaries.csv http://remote/", "block")
    assert done.returncode != 0
    scene.assert_nothing_leaked()


def test_killed(scene):
    """Labels and rules survive kill -9."""
    scene.label()
    rule = scene.tacet.json("rule", "add", "block", "--host", "remote")["id"]
    scene.guest.run("systemctl kill --signal=KILL tacetd", check=True)
    scene.guest.wait_for(lambda: scene.tacet.run("status", check=False).returncode == 0, what="tacetd")
    assert scene.tacet.categories(scene.file) == ["finance"]
    assert [kept["id"] for kept in scene.tacet.rules()] == [rule]
    scene.guest.wait_for(scene.app_is_agent, what="the app to register again")


@pytest.mark.nightly
def test_reboot(scene):
    """After a reboot labels and rules hold, before anybody logs in and after."""
    scene.label()
    scene.run("cp salaries.csv copy")
    rule = scene.tacet.json("rule", "add", "block", "--executable", "/usr/bin/curl", "--host", "remote")["id"]
    scene.screen.close()
    scene.remote.stop()
    scene.guest.reboot()
    scene.remote.start()
    scene.guest.wait_for(scene.app_is_agent, 60, "the app to register")
    assert scene.tacet.categories(scene.file) == ["finance"] == scene.tacet.categories(f"{scene.folder}/copy")
    assert [kept["id"] for kept in scene.tacet.rules()] == [rule]
    for name in ("salaries.csv", "copy"):
        assert scene.run(f"curl -sS -m 90 -T {name} http://remote/").returncode != 0
    assert scene.decisions() == [("rule", "block")] * 2
    scene.tacet.remove_rules()
    scene.send_and_answer("curl -sS -m 90 -T copy http://remote/", "block")
    scene.assert_nothing_leaked()


@pytest.mark.nightly
def test_module_absent(kernel):
    """Without the module `tacet doctor` says what is not enforced."""
    with Guest(kernel, append="modprobe.blacklist=tacet module_blacklist=tacet") as guest:
        done = guest.run("tacet doctor --json; exit $?")
        assert done.returncode == UNPROTECTED
        assert Tacet(guest).json("doctor", check=False)["module"] == "absent"

        def enforced():
            report = Tacet(guest).json("doctor", check=False)
            return {item["name"] for item in report["protections"] if item["enforced"]}

        # tacet-names is started by tacetd, which does not wait for it.
        guest.wait_for(lambda: "host-names" in enforced(), 60, "names to be seen")
        assert enforced() == {"private-swap", "host-names", "lasting-rules", "boot"}
        guest.check_kernel_log()
