# SPDX-License-Identifier: GPL-3.0-or-later
import base64
import json
import os
import pathlib
import pty
import shutil
import signal
import subprocess

import pytest

from tests.bus.conftest import USER


def tacet(*words, uid=USER, cwd="/", env=None, **more):
    command = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", os.environ["TACET_CLI"], *words]
    outputs = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
    return subprocess.run(command, check=False, text=True, errors="surrogateescape", cwd=cwd, stdin=subprocess.DEVNULL, timeout=30,
                          env=os.environ | (env or {}), **outputs)


def test_label_round_trip_with_relative_paths(daemon, polkit, files):
    polkit.AllowUnknown(True)
    path = files()
    directory = os.path.dirname(path)
    assert tacet("label", "add", "--category", "finance", "salaries.csv", cwd=directory).returncode == 0
    assert tacet("label", "show", "./salaries.csv", cwd=directory).stdout == f"{path}: finance\n"
    assert [file["path"] for file in json.loads(tacet("label", "list", "--json").stdout)] == [path]
    assert tacet("label", "remove", path).returncode == 0
    assert tacet("label", "show", path).returncode == 5


def test_recursive_does_not_follow_links(daemon, files):
    inside, outside = files("inside.txt"), files("outside.txt")
    directory = os.path.dirname(inside)
    sub = os.path.join(directory, "sub")
    os.mkdir(sub)
    os.rename(inside, os.path.join(sub, "inside.txt"))
    os.symlink(outside, os.path.join(sub, "link"))
    assert tacet("label", "add", sub).returncode == 1
    assert tacet("label", "add", "--recursive", sub).returncode == 0
    listed = json.loads(tacet("label", "list", "--json").stdout)
    assert [file["path"] for file in listed] == [os.path.join(sub, "inside.txt")]


def test_control_characters_do_not_reach_the_terminal(daemon, files):
    path = files("evil\x1b[31m\n.txt")
    assert tacet("label", "add", path).returncode == 0
    shown = tacet("label", "list").stdout
    assert "\x1b" not in shown and "\\x1b[31m\\x0a.txt" in shown


def test_partial_failure(daemon, files):
    path = files()
    ended = tacet("label", "add", "--json", path, path + "-absent")
    assert ended.returncode == 6
    assert json.loads(ended.stdout)["failures"][0]["error"] == "org.tacet.Error.NotFound"


def test_doctor_and_status(daemon):
    report = json.loads(tacet("doctor", "--json").stdout)
    names = {protection["name"]: protection for protection in report["protections"]}
    assert names["labels"]["enforced"] and names["labels"]["by"].startswith("tacet.ko")
    assert tacet("status").returncode == 0
    daemon.set_module(False)
    ended = tacet("doctor", "--json")
    assert ended.returncode == 7
    labels = [item for item in json.loads(ended.stdout)["protections"] if item["name"] == "labels"]
    assert labels[0]["detail"] == "module-absent" and not labels[0]["enforced"]


def test_doctor_names_programs_whose_heap_stays(daemon, polkit, files):
    """Those that raise privileges, or manage their memory themselves."""
    directory = pathlib.Path(files()).parent
    programs = [directory / name for name in ("vault", "firefox", "raised")]
    for program in programs:
        shutil.copy("/usr/bin/true", program)
        program.chmod(0o4755 if program.name == "raised" else 0o755)
        assert tacet("memory", "add", str(program)).returncode == 0
    named = sorted(map(str, programs[1:]))
    report = tacet("doctor", "--json")
    assert sorted(json.loads(report.stdout)["pages_and_stack_only"]) == named, report.stderr + report.stdout
    assert all(program in tacet("doctor").stdout for program in named)
    listed = dict(line.split(None, 1) for line in tacet("memory", "list").stdout.splitlines())
    assert [listed[str(program)] for program in programs] == ["pages, buffers, stack, heap", "pages, buffers, stack", "pages, buffers, stack"]
    # A program that is gone can be taken from the list.
    programs[0].unlink()
    polkit.SetAllowed(["org.tacet.tacet1.memory-remove"])
    assert tacet("memory", "remove", str(programs[0])).returncode == 0
    assert str(programs[0]) not in tacet("memory", "list").stdout


# Writes to blocks that it has freed, beyond what glibc keeps there.
WRONG = """
import ctypes
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
for _ in range(20000):
    block = library.malloc(200)
    library.free(ctypes.c_void_p(block))
    ctypes.memset(block + 100, 1, 1)
print(flush=True)
input()
"""


def test_memory_policy_offers_what_the_kernel_can_do(daemon):
    """Unless the kernel was started so."""
    text = tacet("memory", "policy").stdout
    assert "chosen programs              cleared, 0 of yours\n" in text and "init_on_free=1" in text, text
    kernel_clears = json.loads(tacet("memory", "policy", "--json").stdout)["kernel_clears"]
    assert kernel_clears == ("would clear" not in text) and not kernel_clears, text


def test_doctor_counts_uses_of_freed_memory(daemon, files):
    program = pathlib.Path(files()).parent / "wrong"
    shutil.copy(os.path.realpath("/usr/bin/python3"), program)
    assert tacet("memory", "add", str(program)).returncode == 0
    assert json.loads(tacet("doctor", "--json").stdout)["used_after_free"] == []
    with subprocess.Popen(["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", program, "-c", WRONG], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, env=os.environ | {"LD_PRELOAD": os.environ["TACET_HEAP"], "PYTHONHOME": "/usr"}) as process:
        process.stdout.readline()
        found = json.loads(tacet("doctor", "--json").stdout)["used_after_free"]
        shown = tacet("doctor").stdout
        process.communicate(b"\n", timeout=30)
    assert len(found) == 1 and found[0]["pid"] == process.pid and found[0]["writes"] > 100 and found[0]["frees"] == 0, found
    assert process.returncode == 0 and "HAS USED FREED MEMORY" in shown and str(program) in shown, shown


def test_doctor_without_daemon(system_bus):
    ended = tacet("doctor", "--json")
    assert ended.returncode == 3
    assert {item["enforced"] for item in json.loads(ended.stdout)["protections"]} == {False}
    assert tacet("status").returncode == 3


def test_rules(daemon, polkit):
    polkit.AllowUnknown(True)
    added = tacet("rule", "add", "block", "--executable", "/usr/bin/env", "--host", "192.0.2.7", "--json")
    number = str(json.loads(added.stdout)["id"])
    assert "/usr/bin/env" in tacet("rule", "list").stdout
    shown = json.loads(tacet("rule", "show", number, "--json").stdout)
    assert shown["executable"] == "/usr/bin/env" and shown["id"] == int(number)
    assert "Block /usr/bin/env from sending any sensitive data to 192.0.2.7: always." in tacet("rule", "show", number).stdout
    assert tacet("rule", "remove", number).returncode == 0
    assert tacet("rule", "remove", number).returncode == 5
    assert tacet("rule", "show", number).returncode == 5
    polkit.AllowUnknown(False)
    assert tacet("rule", "add", "block").returncode == 4


def test_breach_is_listed_and_answered(daemon, connect, polkit):
    polkit.AllowUnknown(True)
    user = connect()
    user.register()
    daemon.ask(5)
    daemon.ask(6, executable="/usr/bin/wget")
    assert {user.asked()["id"], user.asked()["id"]} == {5, 6}
    assert "/usr/bin/curl" in tacet("breach", "list").stdout
    ended = tacet("breach", "answer", "5", "allow", "--for", "1h", "--json")
    assert json.loads(ended.stdout)["resolved"] == 1
    assert daemon.verdict()["verdict"] == "allow"
    assert tacet("breach", "answer", "5", "allow").returncode == 5
    assert [entry["kind"] for entry in json.loads(tacet("log", "--json").stdout)] == ["answered"]


def test_takeover_is_offered_where_possible(daemon, connect, polkit):
    polkit.AllowUnknown(True)
    user = connect()
    user.register()
    daemon.ask(5)
    user.asked()
    assert "takeover" not in tacet("breach", "list").stdout
    refused = tacet("breach", "answer", "5", "takeover")
    assert refused.returncode == 2 and "scrubbed copy" in refused.stderr
    daemon.ask(6, can_take_over=True)
    user.asked()
    assert tacet("breach", "list").stdout.count("takeover") == 1
    assert tacet("breach", "answer", "6", "takeover").returncode == 0
    assert daemon.verdict()["verdict"] == "takeover"


def test_watch_tells_questions_and_decisions(daemon, connect, polkit):
    polkit.AllowUnknown(True)
    user = connect()
    user.register()
    watching = subprocess.Popen(
        ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", os.environ["TACET_CLI"], "watch", "--json"],
        stdout=subprocess.PIPE, text=True,
    )
    daemon.ask(1)
    assert json.loads(watching.stdout.readline())["type"] == "question"
    user.call("Breaches", "Answer", "tssa{sv}", 1, "block", "once", {})
    assert json.loads(watching.stdout.readline())["verdict"] == "block"
    watching.terminate()
    watching.wait()


@pytest.mark.parametrize(
    "words",
    [(), ("nonsense",), ("label", "add"), ("label", "add", "--colour", "x"), ("breach", "answer", "x", "allow"),
     ("rule", "add", "block", "--port", "70000"), ("rule", "add", "block", "--file", "/a", "--label", "finance")],
)
def test_wrong_usage(daemon, words):
    assert tacet(*words).returncode == 2


def test_help_tells_exit_codes():
    ended = tacet("--help")
    assert ended.returncode == 0 and "Exit status" in ended.stdout


def rules():
    return json.loads(tacet("rule", "list", "--json").stdout)


@pytest.mark.parametrize("words", [(), ("--any-file",), ("--any-executable", "--any-host"), ("--changes",), ("--for", "1h")])
def test_permission_without_condition(daemon, polkit, words):
    """It must be meant: it is refused with its sentence, and made with --any."""
    polkit.AllowUnknown(True)
    refused = tacet("rule", "add", "allow", *words)
    assert refused.returncode == 2 and "Allow any program to" in refused.stderr and "--any" in refused.stderr
    assert rules() == []
    made = tacet("rule", "add", "allow", "--any", *words)
    assert made.returncode == 0 and "Allow any program to" in made.stdout
    assert len(rules()) == 1


@pytest.mark.parametrize("words", [("block",), ("allow", "--any-file", "--any-executable", "--any-host"), ("allow", "--port", "443")])
def test_rule_that_says_what_it_means(daemon, polkit, words):
    polkit.AllowUnknown(True)
    made = tacet("rule", "add", *words, "--json")
    assert made.returncode == 0 and json.loads(made.stdout)["sentence"].endswith(": always.")


def test_condition_beside_any_is_refused(daemon):
    refused = tacet("rule", "add", "allow", "--any", "--host", "example.org")
    assert refused.returncode == 2 and "example.org" in refused.stderr


@pytest.mark.parametrize(
    "words, complaint",
    [
        (("--host", ""), "--host: the value is empty"),
        (("--host=",), "--host: the value is empty"),
        (("--file", ""), "--file: the value is empty"),
        (("--host", "a", "--host", "b"), "--host is given more than once"),
        (("--executable", "no-such-program"), 'no program "no-such-program" in PATH'),
        (("--executable", "/usr/bin/no-such-program"), "no such program: /usr/bin/no-such-program"),
        (("--executable", "/etc"), "not a program: /etc"),
        (("--executable", "/etc/passwd"), "not a program: /etc/passwd"),
        (("--file", b"/tmp/\xff"), "not UTF-8"),
    ],
)
def test_rule_that_cannot_be_meant(daemon, polkit, words, complaint):
    polkit.AllowUnknown(True)
    refused = tacet("rule", "add", "block", *words)
    assert (refused.returncode, complaint in refused.stderr) == (2, True), refused.stderr
    assert rules() == []


def test_program_is_looked_up_and_its_links_resolved(daemon, polkit, tmp_path):
    polkit.AllowUnknown(True)
    here = tmp_path / "env"
    here.write_text("#!/bin/sh\n")
    here.chmod(0o755)
    link = tmp_path / "some-link"
    link.symlink_to("/usr/bin/env")
    for number, (program, path) in enumerate([("env", "/usr/bin:/bin"), ("env", ".:/usr/bin"), ("./some-link", ""), (str(link), "/usr/bin")]):
        host = f"192.0.2.{number}"
        made = tacet("rule", "add", "block", "--executable", program, "--host", host, cwd=tmp_path, env={"PATH": f"{path}:/usr/sbin:/usr/bin"})
        assert made.returncode == 0, made.stderr
    assert {rule["executable"] for rule in rules()} == {"/usr/bin/env"}
    refused = tacet("rule", "add", "block", "--executable", "some-link", cwd=tmp_path)
    assert refused.returncode == 2 and "in PATH" in refused.stderr


def test_removing_goes_on_and_tells_each(daemon, polkit):
    polkit.AllowUnknown(True)
    first, second = (json.loads(tacet("rule", "add", "block", "--host", host, "--json").stdout)["id"] for host in ("a", "b"))
    ended = tacet("rule", "remove", str(first), "7777", str(second))
    assert ended.returncode == 6
    assert ended.stdout == f"rule {first} removed\nrule {second} removed\n"
    assert ended.stderr == "tacet: rule 7777: no such rule\n"
    assert rules() == []
    ended = tacet("rule", "remove", "7777", "7778", "--json")
    told = json.loads(ended.stdout)
    assert ended.returncode == 5 and told["removed"] == []
    assert [(item["id"], item["error"]) for item in told["failures"]] == [(id, "org.tacet.Error.NoSuchRule") for id in (7777, 7778)]
    assert json.loads(tacet("rule", "remove", "7777", "--json").stdout)["error"] == "org.tacet.Error.NoSuchRule"


def test_removing_is_all_refused_when_an_id_is_none(daemon, polkit):
    polkit.AllowUnknown(True)
    made = json.loads(tacet("rule", "add", "block", "--host", "a", "--json").stdout)["id"]
    assert tacet("rule", "remove", str(made), "x").returncode == 2
    assert len(rules()) == 1


@pytest.mark.parametrize("words", [("status",), ("doctor",), ("label", "list", "--json"), ("--help",), ("--version",), ("label", "add", "-h")])
def test_output_that_does_not_arrive(daemon, words):
    with open("/dev/full", "w") as full:
        ended = tacet(*words, stdout=full)
    assert ended.returncode != 0
    assert "the output could not be written: No space left on device" in ended.stderr


def test_stream_ends_when_nobody_can_read_it(daemon, connect):
    connect().register()
    daemon.ask(1)
    with open("/dev/full", "w") as full:
        assert tacet("watch", stdout=full).returncode == 1


def test_name_that_is_not_utf8(daemon, connect, polkit, files):
    polkit.AllowUnknown(True)
    path = os.fsencode(files("plain")).replace(b"plain", b"caf\xe9 100%.csv")
    os.rename(files("plain"), path)
    folder = os.path.dirname(path)
    text = path.decode("utf-8", "replace")
    assert tacet("label", "add", b"caf\xe9 100%.csv", cwd=folder).returncode == 0
    assert connect().call("Labels", "List", "uu", 0, 10)[0][0]["path"] == "file://" + os.fsdecode(folder) + "/caf%E9%20100%25.csv"
    assert tacet("label", "show", path).stdout == text.replace("\ufffd", "\\xe9") + ": custom\n"
    assert "caf\\xe9 100%.csv" in tacet("label", "list").stdout
    (listed,) = json.loads(tacet("label", "list", "--json").stdout)
    assert listed["path"] == text and base64.b64decode(listed["path_bytes"]) == path
    assert tacet("label", "remove", path).returncode == 0
    assert tacet("label", "show", path).returncode == 5
    ended = tacet("label", "add", "--json", path + b"-absent")
    (failure,) = json.loads(ended.stdout)["failures"]
    assert ended.returncode == 5 and base64.b64decode(failure["path_bytes"]) == path + b"-absent"


def test_recursive_leaves_nothing_out_silently(daemon, files):
    """Names that are not UTF-8 are labelled; a folder that cannot be read is told, and the rest is done."""
    folder = os.fsencode(os.path.dirname(files("a")))
    odd, closed = folder + b"/odd\xff", folder + b"/closed"
    for new in (odd, closed):
        os.mkdir(new)
    for path in (odd + b"/b\xfe", closed + b"/c"):
        os.rename(files("new"), path)
    os.chown(odd, USER, USER)
    os.chmod(closed, 0o700)
    ended = tacet("label", "add", "--recursive", "--json", folder)
    told = json.loads(ended.stdout)
    assert (ended.returncode, told["done"]) == (6, 2), ended.stderr
    assert [failure["path"] for failure in told["failures"]] == [os.fsdecode(closed)]
    labelled = json.loads(tacet("label", "list", "--json").stdout)
    assert {base64.b64decode(file["path_bytes"]) for file in labelled if "path_bytes" in file} == {odd + b"/b\xfe"}
    assert len(labelled) == 2


def test_parent_of_a_link_is_where_it_leads(daemon, files):
    path = files()
    home = os.path.dirname(path)
    os.makedirs(home + "/far/deep")
    os.symlink(home + "/far/deep", home + "/link")
    os.rename(files("wanted"), home + "/far/wanted")
    assert tacet("label", "add", "link/../wanted", cwd=home).returncode == 0
    assert [file["path"] for file in json.loads(tacet("label", "list", "--json").stdout)] == [home + "/far/wanted"]


def test_time_out_is_told_as_one(daemon):
    daemon.process.send_signal(signal.SIGSTOP)
    try:
        ended = tacet("status", "--json", env={"TACET_TIMEOUT": "1"})
        assert ended.returncode == 8 and json.loads(ended.stdout)["message"] == "tacetd did not answer in time"
        assert "not running" not in ended.stderr
        ended = tacet("doctor", "--json", env={"TACET_TIMEOUT": "1"})
        assert ended.returncode == 8
        assert {item["detail"] for item in json.loads(ended.stdout)["protections"]} == {"daemon-silent"}
    finally:
        daemon.process.send_signal(signal.SIGCONT)


@pytest.mark.parametrize("words", [("nonsense", "--json"), ("label", "add", "--json"), ("label", "add", "--json", "--colour", "x"),
                                   ("rule", "add", "allow", "--json"), ("breach", "answer", "x", "allow", "--json")])
def test_wrong_usage_has_json(daemon, words):
    ended = tacet(*words)
    told = json.loads(ended.stdout)
    assert (ended.returncode, told["error"]) == (2, "org.tacet.Error.InvalidArgument")
    assert f"tacet: {told['message']}\n" in ended.stderr


def test_program_of_a_session_keeps_its_json():
    ended = tacet("run", "--strange", "program", "--json")
    assert (ended.returncode, ended.stdout) == (2, "")


@pytest.mark.parametrize("words", [("-h",), ("--help",), ("help",), ("label", "-h"), ("label", "add", "--help"), ("help", "label", "add"),
                                   ("run", "--help")])
def test_help(words):
    ended = tacet(*words)
    assert ended.returncode == 0 and "usage: tacet" in ended.stdout
    if len(words) > 2:
        assert "Examples:\n  tacet label add" in ended.stdout


@pytest.mark.parametrize("word", ["-V", "--version"])
def test_version(word):
    ended = tacet(word)
    assert ended.returncode == 0 and ended.stdout.startswith("tacet ")


def test_misspelt_words_are_guessed(daemon):
    ended = tacet("lable", "add", "x")
    assert ended.returncode == 2 and 'did you mean "label"?' in ended.stderr


def details(**more):
    report = json.loads(tacet("doctor", "--json", **more).stdout)
    return {item["detail"]: item["remedy"] for item in report["protections"]}


def test_doctor_tells_the_remedy(daemon, polkit):
    polkit.AllowUnknown(True)
    assert tacet("pause", "5").returncode == 0
    told = details()
    assert told["paused"] == "tacet resume" and told["no-agent"]
    daemon.set_module(False)
    told |= details()
    assert "modprobe tacet" in told["module-absent"]
    assert [code for code, remedy in told.items() if bool(code) != bool(remedy)] == []
    assert "sudo modprobe tacet" in tacet("doctor").stdout


def test_doctor_tells_how_to_start_the_daemon(system_bus):
    assert details() == {"daemon-absent": "sudo systemctl start tacetd"}


def on_terminal(*words, columns):
    """What a terminal of that width shows."""
    outer, inner = pty.openpty()
    subprocess.run(["stty", "cols", str(columns)], stdin=inner, check=True)
    tacet(*words, stdout=inner, env={"LC_ALL": "C.UTF-8"})
    os.close(inner)
    shown = b""
    while True:
        try:
            part = os.read(outer, 4096)
        except OSError:
            break
        shown += part
    os.close(outer)
    return shown.decode().splitlines()


def test_table_on_a_narrow_terminal_is_folded(daemon, polkit, files):
    """Nothing is cut off. Elsewhere each row is one line."""
    polkit.AllowUnknown(True)
    path = files("salaries-" + 10 * "long-" + "\u20ac.csv")
    assert tacet("label", "add", path).returncode == 0
    shown = on_terminal("label", "list", columns=60)
    assert max(map(len, shown)) <= 60 and len(shown) > 3
    assert path in "".join(line[22:].strip() for line in shown[1:])
    assert tacet("label", "list", env={"LC_ALL": "C.UTF-8"}).stdout.count("\n") == 2
    host = 20 * "sub." + "example.org"
    assert tacet("rule", "add", "block", "--host", host, "--executable", "env").returncode == 0
    shown = "".join(on_terminal("rule", "list", columns=30))
    assert host in shown and "/usr/bin/env" in shown


COMPLETIONS = pathlib.Path(os.environ["TACET_COMPLETIONS"])
# The words so far -> some of what each shell offers, and what it does not. The scripts run without a terminal.
SHELLS = {
    "bash": ["bash", "-c", r'''
        compopt() { echo "$2"; }
        source tacet.bash
        COMP_WORDS=(tacet "$@") COMP_CWORD=$#
        _tacet tacet "${!#}"
        printf '%s\n' "${COMPREPLY[@]}"
    ''', "bash"],
    "zsh": ["zsh", "-f", "-c", r'''
        _describe() { local -a lines; lines=("${(@P)2}"); print -l -- "${(@)lines%%:*}"; }
        _files() { print default; }
        words=(tacet "$@") CURRENT=$(($# + 1))
        source ./_tacet
    ''', "zsh"],
    "fish": ["fish", "--no-config", "-c", r'''
        function __fish_complete_path
            echo default
        end
        source tacet.fish
        complete -C (string join ' ' -- tacet $argv) | string replace -r '\t.*' ''
    '''],
}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "words, offered, hidden",
    [
        (("la",), "label", "log"),
        (("label", ""), "remove", "label"),
        (("label", "add", "--cat"), "--category", "--json"),
        (("label", "add", "--category", "f"), "finance", "mail"),
        (("label", "add", ""), "default", "finance"),
    ],
)
def test_shell_completes(tmp_path, shell, words, offered, hidden):
    (tmp_path / "tacet").symlink_to(os.environ["TACET_CLI"])
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    ended = subprocess.run([*SHELLS[shell], *words], check=False, capture_output=True, text=True, cwd=COMPLETIONS, env=environment, timeout=30)
    lines = ended.stdout.split()
    assert offered in lines and hidden not in lines, ended
