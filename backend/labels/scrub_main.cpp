// SPDX-License-Identifier: GPL-3.0-or-later
// tacet-scrub: reads a sensitive file on fd 0, writes its shadow on fd 1, and can do nothing else.
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>

#include "labels/scrubber.h"

namespace {

constexpr rlim_t cpu_seconds = 60;
constexpr id_t nobody = 65534;

bool drop_user()
{
    if (geteuid() != 0)
        return true;
    const passwd* user = getpwnam("tacet-scrub");
    const uid_t uid = user != nullptr ? user->pw_uid : nobody;
    const gid_t gid = user != nullptr ? user->pw_gid : nobody;
    return setgroups(0, nullptr) == 0 && setresgid(gid, gid, gid) == 0 && setresuid(uid, uid, uid) == 0;
}

bool limit(int resource, rlim_t value)
{
    const rlimit both{value, value};
    return setrlimit(static_cast<__rlimit_resource>(resource), &both) == 0;
}

bool limit_resources()
{
    return limit(RLIMIT_CORE, 0) && limit(RLIMIT_CPU, cpu_seconds) && limit(RLIMIT_NOFILE, 0) && limit(RLIMIT_NPROC, 0)
           && close_range(3, ~0U, 0) == 0;
}

// read(0, ...), write(1, ...), exit. Strict mode would do the same, but is refused under the unit's own filter.
bool confine()
{
    constexpr auto argument = offsetof(seccomp_data, args);
    std::array<sock_filter, 12> code{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 9),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 6, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STDIN_FILENO, 3, 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STDOUT_FILENO, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    }};
    const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0
           && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool write_all(std::span<const char> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (written <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

bool scrub_stream()
{
    static std::array<char, 128 * 1024> buffer;
    for (;;) {
        const ssize_t size = read(STDIN_FILENO, buffer.data(), buffer.size());
        if (size <= 0)
            return size == 0;
        const std::span<char> chunk(buffer.data(), static_cast<std::size_t>(size));
        tacet::scrub(chunk);
        if (!write_all(chunk))
            return false;
    }
}

} // namespace

int main()
{
    if (!drop_user() || !limit_resources() || !confine())
        return 2;
    _exit(scrub_stream() ? 0 : 1);
}
