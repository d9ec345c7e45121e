// SPDX-License-Identifier: GPL-3.0-or-later
// Refuses calls that are too heavy before anybody takes their arguments apart.
#pragma once

#include <systemd/sd-bus.h>

#include <cstddef>

namespace tacet {

// Returns the bytes of all texts of a message, and some for each argument and element. It stops when that is more than max.
std::size_t weigh(sd_bus_message* message, std::size_t max);

class CallFilter {
public:
    // Ten thousand paths of usual length are a quarter of this.
    static constexpr std::size_t weight_max = 8U << 20;
    // No argument that is valid has a longer text.
    static constexpr std::size_t text_max = 64U << 10;

    CallFilter() = default;
    CallFilter(const CallFilter&) = delete;
    CallFilter& operator=(const CallFilter&) = delete;

    void attach(sd_bus* bus);
    // Returns the weight of the call that is being handled.
    std::size_t weight() const { return weight_; }

private:
    static int on_message(sd_bus_message* message, void* self, sd_bus_error* error);

    std::size_t weight_ = 0;
};

} // namespace tacet
