// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/confinement.h"

#include <asm/ioctls.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "common/unique_fd.h"

// These are of kernel 6.12, and the headers of Debian 13 have them.
static_assert(LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET != 0 && LANDLOCK_SCOPE_SIGNAL != 0);

namespace tacet {
namespace {

Error failure(const char* what)
{
    return {ErrorCode::Failed, std::string(what) + ": " + std::strerror(errno)};
}

bool drop_bounding_set()
{
    for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0)
            return false;
    }
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0;
}

bool keep_capabilities(unsigned mask)
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    const std::array<__user_cap_data_struct, 2> data{{{mask, mask, 0}, {0, 0, 0}}};
    return syscall(SYS_capset, &header, data.data()) == 0;
}

bool take_identity(const SessionRequest& request)
{
    return initgroups(request.user.c_str(), request.gid) == 0 && setresgid(request.gid, request.gid, request.gid) == 0
           && setresuid(request.uid, request.uid, request.uid) == 0;
}

// Keyrings are the user's, inside and outside of a session. Typing into a terminal that was inherited is a way out.
bool filter_calls()
{
    const std::unique_ptr<void, void (*)(void*)> filter(seccomp_init(SCMP_ACT_ALLOW),
                                                        [](void* context) { seccomp_release(context); });
    if (filter == nullptr)
        return false;
    const int other = seccomp_arch_add(filter.get(), SCMP_ARCH_X86);
    if (other != 0 && other != -EEXIST)
        return false;
    for (const int call : {SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(keyctl)}) {
        if (seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), call, 0) != 0)
            return false;
    }
    constexpr std::uint64_t low_half = 0xffffffff;
    for (const scmp_datum_t request : {static_cast<scmp_datum_t>(TIOCSTI), static_cast<scmp_datum_t>(TIOCLINUX)}) {
        if (seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                             SCMP_A1(SCMP_CMP_MASKED_EQ, low_half, request))
            != 0)
            return false;
    }
    return seccomp_load(filter.get()) == 0;
}

} // namespace

Result<void> confine_supervisor()
{
    if (!drop_bounding_set() || !keep_capabilities(1U << CAP_KILL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return failure("supervisor not confined");
    return {};
}

Result<void> confine_keeper(const SessionRequest& request)
{
    const rlimit none{0, 0};
    if (!drop_bounding_set() || initgroups(request.user.c_str(), request.gid) != 0
        || setresgid(request.gid, request.gid, request.gid) != 0)
        return failure("identity not taken");
    setfsuid(request.uid);
    // setfsuid() returns the identity that held before the call.
    if (static_cast<uid_t>(setfsuid(request.uid)) != request.uid || !keep_capabilities(0)
        || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0
        || setrlimit(RLIMIT_CORE, &none) != 0)
        return failure("keeper not confined");
    return {};
}

Result<void> confine_scope()
{
    landlock_ruleset_attr attributes{};
    attributes.scoped = LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL;
    const UniqueFd ruleset(static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0)));
    if (!ruleset || syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
        return failure("Landlock refused");
    return {};
}

Result<void> confine_program(const SessionRequest& request)
{
    const rlimit none{0, 0};
    if (!drop_bounding_set() || !take_identity(request))
        return failure("identity not taken");
    if (setrlimit(RLIMIT_CORE, &none) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return failure("privileges not given up");
    if (!filter_calls())
        return failure("system calls not filtered");
    return {};
}

} // namespace tacet
