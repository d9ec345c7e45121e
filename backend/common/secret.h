// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string.h>

#include <array>
#include <cstddef>

// Of a function that holds a secret: when it returns, its part of the stack and the registers that it used are wiped. A function
// that it calls needs the word itself, if it holds the secret, too.
#if __has_attribute(strub)
#define TACET_WIPES_FRAME [[gnu::strub("internal"), gnu::zero_call_used_regs("used")]]
#else // clang, which only checks this code
#define TACET_WIPES_FRAME
#endif

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
