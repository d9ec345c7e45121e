// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string.h>

#include <array>
#include <cstddef>

namespace tacet {

// A passphrase or key of at most size_max bytes. It is wiped when it goes, and never copied.
template <std::size_t size_max>
struct Secret {
    std::array<char, size_max> bytes{};
    std::size_t size = 0; // how many of the bytes are filled

    Secret() = default;
    Secret(const Secret&) = delete;
    Secret& operator=(const Secret&) = delete;
    ~Secret() { explicit_bzero(bytes.data(), bytes.size()); }
};

} // namespace tacet
