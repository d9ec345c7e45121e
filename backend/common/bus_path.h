// SPDX-License-Identifier: GPL-3.0-or-later
// Paths on D-Bus. Its strings are UTF-8, and a path may have any bytes: one that is not UTF-8 travels as a file URI.
#pragma once

#include <string>
#include <string_view>

namespace tacet {

std::string path_to_bus(std::string_view path);
// The bytes of a path or of a file URI. A broken URI stays as it is, and is no absolute path.
std::string path_from_bus(std::string_view text);

} // namespace tacet
