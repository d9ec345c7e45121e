// SPDX-License-Identifier: GPL-3.0-or-later
// The key of a session's store on disk. The kernel takes it by its name and gives it to nobody. The key is taken away with
// this object.
#pragma once

#include <string>

#include "common/box.h"

namespace tacet {

class StoreKey {
public:
    // The kernel's session makes the key, and no program ever has it. With -1, or a module that cannot make one, the key is
    // made here, and wiped.
    explicit StoreKey(int kernel_session);
    // The key of a box, which stays the caller's to wipe.
    explicit StoreKey(const StoreKeyBytes& key);
    ~StoreKey();
    StoreKey(const StoreKey&) = delete;
    StoreKey& operator=(const StoreKey&) = delete;

    explicit operator bool() const { return id_ >= 0; }
    // Returns the key in the form of dm-crypt's table.
    std::string reference() const;

private:
    void make_here();
    void take(const StoreKeyBytes& key);

    std::string name_;
    long id_ = -1;
};

} // namespace tacet
