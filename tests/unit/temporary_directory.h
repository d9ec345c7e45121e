// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tacet {

class TemporaryDirectory {
public:
    TemporaryDirectory()
    {
        std::string name = std::filesystem::temp_directory_path() / "tacet-test-XXXXXX";
        path_ = mkdtemp(name.data());
    }
    ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }
    std::string write(const std::string& name, const std::string& content) const
    {
        std::ofstream(*this / name) << content;
        return *this / name;
    }

private:
    std::string path_;
};

} // namespace tacet
