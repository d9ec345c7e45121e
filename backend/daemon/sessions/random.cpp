// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/sessions/random.h"

#include <sys/random.h>

#include <stdexcept>

namespace tacet {

std::uint64_t random_number()
{
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof(number), 0) != sizeof(number))
        throw std::runtime_error("no random numbers");
    return number;
}

} // namespace tacet
