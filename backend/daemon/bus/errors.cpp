// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/errors.h"

namespace tacet {

sdbus::Error to_bus(const Error& error)
{
    return sdbus::Error(sdbus::Error::Name(std::string(error_name(error.code))), error.message);
}

} // namespace tacet
