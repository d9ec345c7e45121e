// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/core/question.h"

namespace tacet {

bool is_person(uid_t uid)
{
    // This is the range of Debian's login.defs. Above it are systemd's dynamic users, nobody and container ranges.
    return uid >= 1000 && uid <= 60000;
}

uid_t question_owner(Sink sink, uid_t process_user, uid_t file_owner)
{
    if (sink == Sink::Marked && is_person(file_owner))
        return file_owner;
    return is_person(process_user) ? process_user : file_owner;
}

} // namespace tacet
