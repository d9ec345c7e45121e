// SPDX-License-Identifier: GPL-3.0-or-later
// tacetd as the command line sees it: calls that wait, answers as JSON.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <sdbus-c++/sdbus-c++.h>

namespace tacet::cli {

using Json = nlohmann::ordered_json;
using Dictionary = std::map<std::string, sdbus::Variant>;

inline constexpr std::uint32_t known_contract = 1;

Json to_json(const Dictionary& dictionary);
Json to_json(const std::vector<Dictionary>& dictionaries);
std::string to_base64(const std::vector<std::uint8_t>& bytes);

struct Failure {
    std::string path;
    std::string error;
    std::string message;
};

class Client {
public:
    // Throws sdbus::Error, as all of its methods do.
    Client();

    Json status();
    std::vector<Dictionary> protections();

    std::vector<Failure> add_labels(const std::vector<std::string>& paths, const std::string& category);
    std::vector<Failure> remove_labels(const std::vector<std::string>& paths);
    Dictionary show_label(const std::string& path);
    std::vector<Dictionary> labels();
    std::vector<std::string> guarded();
    void guard(const std::vector<std::string>& categories);

    std::vector<Dictionary> questions();
    std::pair<std::uint64_t, std::uint32_t> answer(std::uint64_t id, const std::string& verdict, const std::string& duration,
                                                   const Dictionary& scope);

    std::vector<Dictionary> rules();
    std::uint64_t add_rule(const Dictionary& rule);
    void remove_rule(std::uint64_t id);

    std::vector<Dictionary> log(std::uint64_t after, std::uint32_t limit);
    // files: standard input, output, error, the channel, and with a display the process (pidfd) of its server.
    std::uint64_t start_session(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                                const std::string& directory, const std::vector<int>& files, const Dictionary& options);
    std::vector<Dictionary> sessions();
    void end_session(std::uint64_t id);
    void end_all_sessions();
    std::vector<Dictionary> session_files(std::uint64_t id);
    // Copies a session's file, by its path there, to an open file.
    void keep_file(std::uint64_t id, const std::string& path, int file);

    std::uint64_t pause(std::uint32_t minutes);
    void resume();

    // Calls back for news until the bus goes away. on_restart: the daemon came back.
    void follow(std::function<void()> on_log, std::function<void()> on_questions, std::function<void()> on_restart);

private:
    std::vector<Failure> label_call(const char* method, const std::vector<std::string>& paths, const std::string* category);

    std::unique_ptr<sdbus::IConnection> connection_;
    std::unique_ptr<sdbus::IProxy> daemon_;
};

// The daemon is not there, as opposed to having refused.
bool means_absent(const sdbus::Error& error);

} // namespace tacet::cli
