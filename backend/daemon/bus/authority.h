// SPDX-License-Identifier: GPL-3.0-or-later
// Authority by polkit, over the bus and without waiting.
#pragma once

#include <memory>

#include <sdbus-c++/sdbus-c++.h>

#include "daemon/core/ports.h"

namespace tacet {

class PolkitAuthority final : public Authority {
public:
    explicit PolkitAuthority(sdbus::IConnection& connection);
    void check(const Caller& caller, std::string_view action, std::function<void(bool)> done) override;

private:
    // Each may stand for an open password dialog.
    static constexpr std::size_t open_max = 64;

    std::unique_ptr<sdbus::IProxy> polkit_;
    std::size_t open_ = 0;
};

} // namespace tacet
