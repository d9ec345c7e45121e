// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/errors.h"

#include "common/text.h"

namespace tacet {

sdbus::Error to_bus(const Error& error)
{
    // A message may repeat what a client sent.
    constexpr std::size_t message_max = 1000;
    return sdbus::Error(sdbus::Error::Name(std::string(error_name(error.code))), to_utf8(error.message.substr(0, message_max)));
}

} // namespace tacet
