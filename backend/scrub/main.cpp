// SPDX-License-Identifier: GPL-3.0-or-later
// tacet-scrub: takes pairs of open files from the socket on fd 0, reads the first, writes its shadow to the second, and can do
// nothing else.
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
#include <span>

#include "common/channel.h"
#include "scrub/scrubber.h"

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
    return limit(RLIMIT_CORE, 0) && limit(RLIMIT_CPU, cpu_seconds) && limit(RLIMIT_NOFILE, 0) && limit(RLIMIT_NPROC, 0);
}

// read, write, exit on what is open. Strict mode would do the same, but is refused under the unit's own filter.
bool confine()
{
    std::array<sock_filter, 8> code{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    }};
    const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0
           && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool write_all(int output, std::span<const char> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = write(output, bytes.data(), bytes.size());
        if (written <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

bool scrub_stream(int input, int output)
{
    static std::array<char, 128 * 1024> buffer;
    for (;;) {
        const ssize_t size = read(input, buffer.data(), buffer.size());
        if (size <= 0)
            return size == 0;
        const std::span<char> chunk(buffer.data(), static_cast<std::size_t>(size));
        tacet::scrub(chunk);
        if (!write_all(output, chunk))
            return false;
    }
}

} // namespace

int main()
{
    if (close_range(3, ~0U, 0) != 0)
        return 2;
    const auto message = tacet::receive_message(STDIN_FILENO);
    if (!message || message->files.empty() || message->files.size() % 2 != 0 || !drop_user() || !limit_resources() || !confine())
        return 2;
    bool done = true;
    for (std::size_t pair = 0; pair < message->files.size(); pair += 2)
        done = scrub_stream(message->files[pair].get(), message->files[pair + 1].get()) && done;
    _exit(done ? 0 : 1);
}
