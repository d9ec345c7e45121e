// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/store_key.h"

#include <linux/keyctl.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <tacet.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <format>

namespace tacet {
namespace {

void make_keyring()
{
    syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1);
}

} // namespace

StoreKey::StoreKey(int kernel_session)
{
    tacet_session_key made{};
    make_keyring();
    if (kernel_session >= 0 && ioctl(kernel_session, TACET_SESSION_KEY, &made) == 0) {
        name_ = made.name;
        id_ = made.serial;
    } else {
        make_here();
    }
}

TACET_WIPES_FRAME void StoreKey::make_here()
{
    StoreKeyBytes made;
    if (getrandom(made.bytes.data(), made.bytes.size(), 0) == static_cast<ssize_t>(made.bytes.size()))
        take(made);
}

TACET_WIPES_FRAME void StoreKey::take(const StoreKeyBytes& key)
{
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof(number), 0) != sizeof(number))
        return;
    name_ = std::format("tacet:{:016x}", number);
    id_ = syscall(SYS_add_key, "logon", name_.c_str(), key.bytes.data(), key.bytes.size(), KEY_SPEC_PROCESS_KEYRING);
}

StoreKey::StoreKey(const StoreKeyBytes& key)
{
    make_keyring();
    take(key);
}

StoreKey::~StoreKey()
{
    if (id_ < 0)
        return;
    syscall(SYS_keyctl, KEYCTL_REVOKE, id_);
    syscall(SYS_keyctl, KEYCTL_UNLINK, id_, KEY_SPEC_PROCESS_KEYRING);
}

std::string StoreKey::reference() const
{
    return std::format(":{}:logon:{}", store_key_size, name_);
}

} // namespace tacet
