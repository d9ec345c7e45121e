// SPDX-License-Identifier: GPL-3.0-or-later
// The options of a private session, and the one table of their names: command line, daemon and tacet-session read it.
#pragma once

#include <cstdint>
#include <string>

#include "contract/codes.h"

namespace tacet {

struct SessionOptions {
    std::string name; // shown instead of the program's
    contract::StoreChoice store = contract::StoreChoice::Auto;
    std::uint64_t size = 0; // bytes that the store may hold; 0: what there is room for
    bool keep = false;      // wait at the end, for files to be kept
    bool network = true;
    bool audio = false;
    bool screen_reader = false; // runs one on the session's display
    // A nested X server of the person's: its display (":5") and the MIT-MAGIC-COOKIE-1 as hexadecimal digits. Empty: none.
    std::string display;
    std::string cookie;
    // The path of a socket of the person's, to which SSH_AUTH_SOCK leads inside. Empty: none.
    std::string ssh_agent;
    // The box of the person's in which the changes stay. Empty: none.
    std::string box;

    bool operator==(const SessionOptions&) const = default;
};

// visit(name, member): once for each option, by its name in the contract.
template <typename Visit>
void for_each_session_option(Visit visit)
{
    visit("name", &SessionOptions::name);
    visit("store", &SessionOptions::store);
    visit("size", &SessionOptions::size);
    visit("keep", &SessionOptions::keep);
    visit("network", &SessionOptions::network);
    visit("audio", &SessionOptions::audio);
    visit("screen_reader", &SessionOptions::screen_reader);
    visit("display", &SessionOptions::display);
    visit("cookie", &SessionOptions::cookie);
    visit("ssh_agent", &SessionOptions::ssh_agent);
    visit("box", &SessionOptions::box);
}

} // namespace tacet
