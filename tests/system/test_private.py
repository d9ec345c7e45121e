# SPDX-License-Identifier: GPL-3.0-or-later
"""Private sessions: what a program writes is gone, it tells the world nothing, and a session ends whatever happens."""

import os
import pathlib
import shlex
import subprocess

import pytest

from tests.system.sessions import ENDS, private, wait_until_gone
from thorough import daily

STAMP = "Kestrel55Umber"
TREE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = TREE / "docs/developer/examples"


def alive(scene):
    """Whether the sleeper's program runs."""
    return scene.guest.run(f"pgrep -f {STAMP}.1000").returncode == 0


@pytest.fixture
def sleeper(scene):
    """A session whose program writes a stamp and then waits; its unit's name."""
    script = f"echo {STAMP} | tee salaries.csv /tmp/new /dev/shm/new >~/new; exec -a {STAMP} sleep 1000"
    scene.guest.run(["systemd-run", "--user", "--quiet", "--collect", f"--working-directory={scene.folder}", "bash", "-c",
                     "exec " + private(script)], session=True, check=True)
    scene.guest.wait_for(lambda: alive(scene), what="the private program")
    (session,) = scene.tacet.json("session", "list")
    yield f"tacet-session-{session['id']}.service"
    scene.tacet.run("session", "end", "--all", person=True)


def assert_gone(scene):
    """No process, mount, control group or byte of the session is left."""
    scene.guest.wait_for(lambda: not alive(scene), 5, "the program to go")
    wait_until_gone(scene.guest)
    assert scene.tacet.json("session", "list") == []
    found = scene.guest.run(f"grep -rslF {STAMP} /home /tmp /run/user /dev/shm /var/log").stdout
    assert found == ""
    assert scene.secret.content in scene.guest.read(scene.file)


def test_reads_the_world_and_changes_nothing(scene):
    """A private program reads its person's files and may change them all; afterwards nothing has changed."""
    done = scene.run(private(f"cmp salaries.csv {scene.file} && echo {STAMP} >>salaries.csv && rm -r ~/.config && touch ~/new /tmp/new"
                             f" /var/tmp/new && grep -c {STAMP} salaries.csv && id -un && exit 7"))
    assert (done.returncode, done.stdout) == (7, "1\nanna\n"), done.stderr
    assert scene.guest.read(scene.file) == scene.secret.content
    assert scene.guest.run("ls /home/anna/new /tmp/new /var/tmp/new").stdout == ""
    assert scene.guest.run("ls -d /home/anna/.config").returncode == 0


@pytest.mark.nightly
def test_starts_without_a_login(scene):
    """A timer or an ssh login of the person's, which has no seat, may start one; it gets no display."""
    done = scene.guest.run("systemd-run --quiet --pipe --wait --uid=anna --working-directory=/home/anna -- tacet run -- id -un")
    assert (done.returncode, done.stdout) == (0, "anna\n"), done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("language", ["py", "c"])
def test_private_helper(scene, language):
    """The documents' examples start a helper of their own. It reads the person's files, takes input, answers, has no network, and leaves nothing."""
    program = EXAMPLES / f"private_helper.{language}"
    if language == "c":
        built = pathlib.Path(os.environ["TACET_BUILD"]) / "private_helper"
        subprocess.run([TREE / "dev", "shell", "--", "gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", built, program, "-lsystemd"], check=True)
        program = built
    scene.guest.put(program, "/usr/local/bin/private_helper")
    size = 300_000  # more than the pipes hold
    done = scene.guest.run(["private_helper", "bash", "-c", "cat salaries.csv -; touch ~/new; ls ~/new; grep -c : /proc/net/dev; exit 3"],
                           session=True, cwd=scene.folder, input="x" * size + "\n")
    assert done.returncode == 3, done.stderr
    assert done.stdout == scene.secret.content + "x" * size + "\n/home/anna/new\n1\n"
    assert scene.guest.run("ls /home/anna/new").returncode != 0
    wait_until_gone(scene.guest)
    # Input that the helper does not take, and a helper that is not there.
    done = scene.run(f"head -c {size} /dev/zero | private_helper true; echo $?; private_helper /no/such/program </dev/null; echo $?")
    assert done.stdout == "0\n125\n" and "/no/such/program" in done.stderr, done.stdout + done.stderr


@pytest.mark.nightly
def test_nobody_sees_what_is_run(scene, sleeper):
    """Other users see that something runs, and not what."""
    seen = scene.guest.run("ps -eo args", user="bela").stdout
    assert "tacet run" in seen and STAMP not in seen


@pytest.mark.nightly
def test_tells_where_it_is(scene):
    """The command line inside says that it is in a session, and not that Tacet does not run."""
    done = scene.run(private("tacet status; echo $TACET_SESSION"))
    assert f"this is private session {done.stdout.strip()}" in done.stderr, done


OUTWARD = {
    "abstract socket": r'import socket; socket.socket(socket.AF_UNIX).connect("\0/tmp/.X11-unix/X0")',
    "display": 'import socket; socket.socket(socket.AF_UNIX).connect("/tmp/.X11-unix/X0")',
    "journal": 'import socket; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).connect("/run/systemd/journal/dev-log")',
    "keyring": 'import ctypes, os; os.write(1, b"x") if ctypes.CDLL(None).syscall(248, b"user", b"n", b"v", 1, -4) >= 0 else exit(1)',
    "device": 'open("/dev/vda", "rb")',
}


@pytest.mark.newest_kernel
@pytest.mark.parametrize("way", daily(OUTWARD, "journal"))
def test_no_way_out(scene, way):
    """Each way to tell others something is closed to a private program, and open to a public one."""
    line = f"python3 -c {shlex.quote(OUTWARD[way])}"
    assert scene.run(private(line)).returncode != 0
    if way not in ("device", "abstract socket"):
        assert scene.run(line).returncode == 0


@pytest.mark.newest_kernel
def test_files_of_devices_are_its_own(scene):
    """They are the same devices for the same people, but with files of the session's, whose locks and times nobody outside sees."""
    devices = "/dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty"
    look = f"stat -c '%t:%T %a %U:%G' {devices}; stat -c '%d:%i' {devices}; echo >/dev/null; head -c 1 /dev/urandom | wc -c"
    inside, outside = (scene.run(line).stdout.splitlines() for line in (private(look), look))
    assert len(inside) == 13 and inside[:6] == outside[:6] and inside[12] == "1", inside
    assert not set(inside[6:12]) & set(outside[6:12]), (inside, outside)


@pytest.mark.nightly
def test_sessions_are_apart(scene, sleeper):
    """A second session sees nothing of the first."""
    done = scene.run(private(f"cat ~/new /tmp/new /dev/shm/new; pgrep -x sleep; grep -c {STAMP} salaries.csv"))
    assert done.stdout == "0\n", done.stderr


@pytest.mark.newest_kernel
def test_network_off(scene):
    """Without the network there is only the loopback device."""
    assert scene.run(private("ls /sys/class/net >/dev/null; tail -n +3 /proc/net/dev | cut -d: -f1", "--net", "off")).stdout.split() == ["lo"]


@pytest.mark.nightly
def test_freed_memory_is_cleared(scene):
    """What a private program has freed is nowhere in its memory while it runs on. Outside it stays."""
    script = "/usr/local/lib/freed_secrets.py"
    scene.guest.put(TREE / "tests/system/in_guest/freed_secrets.py", script)
    line = f"python3 {script}"
    assert int(scene.run(line).stdout) > 1000
    assert scene.run(private(line)).stdout == "0\n"
    # A library that the person preloads stays.
    both = scene.run(f"LD_PRELOAD=libm.so.6 {private(f'echo $LD_PRELOAD; {line}')}")
    assert both.stdout == "/usr/lib/x86_64-linux-gnu/tacet/libtacet-heap.so:libm.so.6\n0\n", both.stderr


@pytest.mark.nightly
def test_follows_the_network(scene):
    """Names are looked up where the machine looks them up now, not where it did when the session began."""
    asks = scene.start(private("echo $(cat /etc/resolv.conf); until grep -q 10.77.0.99 /etc/resolv.conf; do sleep 0.2; done; echo followed"))
    scene.guest.wait_for(lambda: scene.tacet.json("session", "list"), what="the session")
    try:
        scene.guest.run("cp -a /etc/resolv.conf /etc/resolv.before; sleep 2; echo nameserver 10.77.0.99 >/etc/resolv.new && mv /etc/resolv.new /etc/resolv.conf", check=True)
        done = asks.finish()
        assert done.stdout.endswith("followed\n") and "10.77.0.99" not in done.stdout, done
    finally:
        scene.guest.run("mv /etc/resolv.before /etc/resolv.conf", check=True)


@pytest.mark.nightly
def test_full_store(scene):
    """A full store is told to the program as a full disk, to the person by the terminal and the list, and harms nothing outside."""
    told = "for i in $(seq 60); do sleep 1; tacet session list | grep -F ' (full)' && break; done; tacet session end --all"
    done = scene.run(private("head -c 20M /dev/zero >big; stat -c %s big; sleep 1000", "--size", "8M") + f" & {told}; wait", timeout=180)
    assert "No space left on device" in done.stderr and "store is full" in done.stderr and " (full)" in done.stdout
    assert 4 << 20 < int(done.stdout.split()[0]) <= 8 << 20
    assert scene.guest.run(f"ls {scene.folder}/big").returncode != 0


FORKS = """
import os, time
count = 0
try:
    while count < 60:
        if os.fork() == 0:
            time.sleep(5)
            os._exit(0)
        count += 1
except OSError:
    pass
print(count)
"""


@pytest.mark.nightly
def test_limits_of_the_person_hold(scene):
    """A private program gets no more processes than the person has left."""
    slice_ = "user-1000.slice"
    now = int(scene.guest.run(f"cat /sys/fs/cgroup/user.slice/{slice_}/pids.current", check=True).stdout)
    scene.guest.write(f"{scene.folder}/forks.py", FORKS, user="anna")
    try:
        scene.guest.run(f"systemctl set-property --runtime {slice_} TasksMax={now + 40}", check=True)
        done = scene.run(private("python3 forks.py"))
    finally:
        scene.guest.run(f"systemctl set-property --runtime {slice_} TasksMax=33%", check=True)
    assert 10 < int(done.stdout) < 40, done.stdout + done.stderr
    assert scene.run(private("python3 forks.py")).stdout == "60\n"


CRASH = """
import contextlib, os, resource
with contextlib.suppress(ValueError):
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
os.kill(os.getpid(), 11)
"""


@pytest.mark.newest_kernel
def test_crash_is_handed_to_nobody(scene):
    """systemd-coredump gets what crashes outside, and nothing of what crashes inside."""
    scene.guest.write(f"{scene.folder}/crash.py", CRASH, user="anna")

    def handled(name):
        return name in scene.guest.run("coredumpctl --no-pager info").stdout

    assert scene.run(private("python3 crash.py inside-4711; echo $?")).stdout == "139\n"
    # The one that crashes later is there, so the earlier one would be.
    scene.run("ulimit -c unlimited; python3 crash.py outside-4711")
    scene.guest.wait_for(lambda: handled("outside-4711"), 60, "the core of outside")
    assert not handled("inside-4711")
    # The journal has what the person typed, too, as systemd starts it for this test.
    logged = scene.guest.run("journalctl --no-pager -o verbose -t kernel -t systemd-coredump").stdout
    assert "outside-4711" in logged and "inside-4711" not in logged


@pytest.mark.nightly
def test_not_started(scene):
    """A program that is not there is told as such."""
    done = scene.run(private("true").replace("bash", "no-such-program"))
    assert done.returncode == 125 and "no-such-program" in done.stderr


@pytest.mark.parametrize("way", daily(ENDS, "asked"))
def test_ends(scene, sleeper, way):
    """However a session ends, all of it goes."""
    assert STAMP not in scene.guest.read(scene.file)
    scene.guest.run(ENDS[way].format(unit=sleeper, program=STAMP + ".1000"), check=True)
    scene.guest.wait_for(lambda: scene.tacet.run("status", check=False).returncode == 0, what="tacetd")
    assert_gone(scene)


@pytest.mark.newest_kernel
@pytest.mark.parametrize("act", daily(["kill --signal=KILL", "restart"], "kill --signal=KILL"))
def test_outlives_a_daemon(scene, sleeper, act):
    """tacetd dies, or is restarted as by an upgrade: the next one knows the session, shows its files and ends it."""
    facts = ("id", "uid", "application", "since", "state", "on_disk", "network", "audio", "full")
    (before,) = scene.tacet.json("session", "list")
    scene.guest.run(f"systemctl {act} tacetd", check=True)
    after = scene.guest.wait_for(lambda: scene.tacet.run("status", check=False).returncode == 0 and scene.tacet.json("session", "list"),
                                 what="the session with the next tacetd")
    assert [{name: session[name] for name in facts} for session in after] == [{name: before[name] for name in facts}]
    assert alive(scene) and after[0]["memory"] > 0
    number = sleeper.removeprefix("tacet-session-").removesuffix(".service")
    assert scene.file in scene.tacet.run("session", "files", number, person=True).stdout
    scene.tacet.run("session", "end", number, person=True)
    assert_gone(scene)


@pytest.mark.nightly
def test_ends_when_no_daemon_comes(scene):
    """tacetd dies and cannot be started any more: half a minute later the session is over, and the person is told why."""
    daemon = scene.guest.run("systemctl show -p ExecStart tacetd | sed 's/.*path=//; s/ ;.*//'", check=True).stdout.strip()
    scene.guest.run(["systemd-run", "--user", "--quiet", "--collect", "-p", f"StandardError=file:{scene.folder}/told", "bash", "-c",
                     "exec " + private(f"exec -a {STAMP} sleep 1000")], session=True, check=True)
    scene.guest.wait_for(lambda: alive(scene), what="the private program")
    try:
        scene.guest.run(f"mount --bind /bin/false {daemon} && systemctl kill --signal=KILL tacetd", check=True)
        scene.guest.run("sleep 20")
        assert alive(scene)
        scene.guest.wait_for(lambda: not alive(scene), 40, "the session to end")
    finally:
        # Lazily, since /bin/false may just run; systemd goes on trying.
        scene.guest.run(f"umount --lazy {daemon}", check=True)
        scene.guest.wait_for(lambda: scene.guest.run("systemctl is-active tacetd").returncode == 0, what="tacetd")
    wait_until_gone(scene.guest)
    assert "tacetd ended and did not come back" in scene.guest.read(f"{scene.folder}/told")
