// SPDX-License-Identifier: GPL-3.0-or-later
// The key of a session's store on disk: the kernel takes it by its name and gives it to nobody. It is taken away as this goes.
#pragma once

#include <string>

namespace tacet {

class StoreKey {
public:
    // kernel_session: the kernel's session makes it, and no program ever has it. -1, or a module that cannot: it is made here,
    // and wiped.
    explicit StoreKey(int kernel_session);
    ~StoreKey();
    StoreKey(const StoreKey&) = delete;
    StoreKey& operator=(const StoreKey&) = delete;

    explicit operator bool() const { return id_ >= 0; }
    // As dm-crypt's table has it.
    std::string reference() const;

private:
    void make_here();

    std::string name_;
    long id_ = -1;
};

} // namespace tacet
