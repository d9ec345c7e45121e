// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/breaches/active_session.h"

#include <systemd/sd-login.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

namespace tacet {
namespace {

struct Free {
    void operator()(char* text) const { std::free(text); }
};
using CString = std::unique_ptr<char, Free>;

CString session_of(const Caller& caller)
{
    char* session = nullptr;
    if (sd_pid_get_session(caller.pid, &session) >= 0)
        return CString(session);
    if (sd_uid_get_display(caller.uid, &session) >= 0)
        return CString(session);
    return nullptr;
}

} // namespace

bool is_in_active_session(const Caller& caller)
{
    if (access("/run/systemd/seats", F_OK) != 0)
        return true;
    const CString session = session_of(caller);
    return session != nullptr && sd_session_is_active(session.get()) > 0 && sd_session_is_remote(session.get()) <= 0;
}

} // namespace tacet
