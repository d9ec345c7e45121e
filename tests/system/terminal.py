# SPDX-License-Identifier: GPL-3.0-or-later
"""A person at a terminal of the guest."""

import json

# Plays a person at a terminal: argv[1] is the command line, argv[2] a list of [what to type, regular expression to wait for]; "WAIT
# SECONDS" and "SIZE ROWS COLUMNS" are not typed. Writes
# what was shown, and whether the terminal's settings are as before.
PERSON = r"""
import fcntl, json, os, pty, re, select, struct, sys, termios, time
pid, master = pty.fork()
if pid == 0:
    os.execvp("bash", ["bash", "--norc", "-c", sys.argv[1]])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 101, 0, 0))
shown, place = b"", 0
def wait(pattern, limit):
    global shown, place
    end = time.monotonic() + limit
    while not (found := re.search(pattern.encode(), shown[place:])):
        if not select.select([master], [], [], max(0, end - time.monotonic()))[0]:
            return False
        try:
            shown += os.read(master, 65536)
        except OSError:
            return bool(re.search(pattern.encode(), shown[place:]))
    place += found.end()
    return True
missed = None
before = termios.tcgetattr(master)
for keys, pattern in json.loads(sys.argv[2]):
    if keys.startswith("WAIT"):
        time.sleep(float(keys.split()[1]))
    elif keys.startswith("SIZE"):
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", *map(int, keys.split()[1:]), 0, 0))
    else:
        os.write(master, keys.encode())
    if not wait(pattern, 40):
        missed = pattern
        break
same = termios.tcgetattr(master) == before
os.close(master)
print(json.dumps({"shown": shown.decode(errors="replace"), "missed": missed, "same": same}))
"""


def sit(scene, command, *steps):
    """Runs a command line of anna's in a terminal and types; `steps` are as PERSON says. Returns what was shown ("shown"), and
    whether the terminal was left as it was ("same")."""
    done = scene.guest.run(["env", "TERM=dumb", "python3", "-c", PERSON, command, json.dumps(steps)], session=True, cwd=scene.folder)
    seen = json.loads(done.stdout)
    assert seen["missed"] is None, seen["shown"]
    return seen
