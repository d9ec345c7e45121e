// SPDX-License-Identifier: GPL-3.0-or-later
// Parsed once for all files of the library. Every file still includes what it uses itself.
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
