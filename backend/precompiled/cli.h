// SPDX-License-Identifier: GPL-3.0-or-later
// Parsed once for all files. Each still includes what it uses.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sdbus-c++/sdbus-c++.h>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
