# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs leave_stamps.py in a guest, privately or not, squeezes its memory out to the swap, and ends it in one of many ways."""

import pathlib
import secrets
import shlex

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = "/usr/local/lib/leave_stamps.py"
# The programs of private sessions; a spare place for the next one has none.
PROGRAMS = "/sys/fs/cgroup/user.slice/user-1000.slice/tacet-session-*.service/programs"

# Way -> what root does, {unit} being the session's.
ENDS = {
    "end": "as-anna tacet session end --all",
    "quit": "pkill -TERM -f '[l]eave_stamps.py|sleep [1]000|[x]clip -sel'",
    "kill -9 program": "pkill -9 -f '[l]eave_stamps.py|sleep [1]000|[x]clip -sel'",
    "kill -9 PID 1": "pkill -9 -x -P $(systemctl show -p MainPID --value {unit}) tacet-session",
    "kill -9 tacet-session": "systemctl kill --kill-whom=main --signal=KILL {unit}",
    "stop tacetd": "systemctl stop tacetd; systemctl start tacetd",
}
END = ENDS["end"]
# What happens to the machine and the session before its end. Each line fails when it did not happen. `./dev forensics` has these, too.
MISHAPS = {
    "crash": f"pkill -SEGV -f '[l]eave_stamps.py' && {END}",
    "out of memory": "killed() {{ sed -n 's/oom_kill //p' /proc/vmstat; }}; before=$(killed); cd /sys/fs/cgroup/user.slice/user-1000.slice/{unit}; "
                     f"echo 0 >memory.swap.max; echo 1M >memory.max; cd /; test $(killed) -gt $before && {END}",
    "package upgrade": f"cd /var/lib/dpkg/info && ./tacet.prerm upgrade 0 && ./tacet.postrm upgrade 0 && ./tacet.postinst configure 0 && {END}",
    "refused hibernation": f"! systemctl hibernate && {END}",
    "full store": "program=$(head -n 1 /sys/fs/cgroup/user.slice/user-1000.slice/{unit}/programs/cgroup.procs); ! nsenter -t $program -m -p "
                  f"setpriv --reuid 1000 --regid 1000 --clear-groups sh -c 'head -c 200M /dev/zero >/home/anna/fill' && {END}",
    # The devices stop, the processor goes off but for one core, and all comes back after 5 s; the machine keeps its power.
    # It is the last, as programs wait for the guest's X server afterwards.
    "suspend": "cd /sys/power && echo core >pm_test && echo mem >state && test $(cat suspend_stats/success) -gt 0 && "
               f"echo none >pm_test && cd / && {END}",
}
STORE = "100M"


class Run:
    """One run. `seed`: what its stamps are made from."""

    def __init__(self, guest, private, display=True):
        self.guest, self.private, self.display = guest, private, display
        self.seed = secrets.token_hex(8)
        self.unit = f"stamps-{self.seed}"
        self.output = f"/run/user/1000/{self.unit}.log"

    def start(self, squeeze=True):
        """Returns when all stamps are left and, with `squeeze`, much of the program's memory is on the swap."""
        guest = self.guest
        guest.put(HERE / "leave_stamps.py", SCRIPT)
        line = ["python3", SCRIPT, self.seed]
        if self.private:
            line = ["tacet", "run", "--display", "nested" if self.display else "none", "--size", STORE, "--name", "notes", "--", *line]
        guest.run(["systemd-run", "--user", "--quiet", "--collect", f"--unit={self.unit}",
                   "-p", f"StandardOutput=file:{self.output}", "-p", f"StandardError=append:{self.output}.errors", *line], session=True, check=True)
        # systemd makes the file only after the unit counts as started.
        guest.wait_for(lambda: "stamps left" in guest.run(["cat", self.output]).stdout, 120, "the stamps")
        if squeeze:
            self.squeeze()

    @property
    def group(self):
        """The control group of the run, as a directory."""
        if not self.private:
            return f"/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/{self.unit}.service"
        return str(pathlib.Path(self.guest.run(f"ls -d {PROGRAMS}", check=True).stdout.strip()).parent)

    def squeeze(self):
        """Until a good part is swapped out."""
        group = self.group
        for _ in range(6):
            self.guest.run(f"echo 32M >{shlex.quote(group)}/memory.reclaim")
        self.swapped = int(self.guest.run(f"cat {shlex.quote(group)}/memory.swap.current", check=True).stdout)

    def end(self, way="end"):
        """Ends it, and returns when nothing of it runs."""
        kill = f"as-anna systemctl --user kill --signal=KILL {self.unit}"
        line = (ENDS | MISHAPS)[way].format(unit=pathlib.Path(self.group).name) if self.private else kill
        self.guest.run(line, check=way in MISHAPS)
        self.guest.wait_for(lambda: self.guest.run(f"pgrep -f '[l]eave_stamps.py {self.seed}'").returncode != 0, 30, "the program to end")
        self.guest.wait_for(lambda: self.guest.run(f"ls -d {PROGRAMS}").returncode != 0, 30,
                            "the session to end")
        self.guest.run(["systemctl", "--user", "stop", self.unit], session=True)
