// SPDX-License-Identifier: GPL-3.0-or-later
// Parsed once for all files. Each still includes what it uses.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>
