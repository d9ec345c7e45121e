// SPDX-License-Identifier: GPL-3.0-or-later
// tacetd as the command line sees it: calls that wait, answers as JSON.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>
#include <sdbus-c++/sdbus-c++.h>

#include "contract/methods.h"

namespace tacet::cli {

using Json = nlohmann::ordered_json;
using Dictionary = std::map<std::string, sdbus::Variant>;

Json to_json(const Dictionary& dictionary);
Json to_json(const std::vector<Dictionary>& dictionaries);
std::string to_base64(const std::vector<std::uint8_t>& bytes);
// As "path". One that is no UTF-8 cannot be told in JSON as it is: then its bytes are there too, as Base64.
void put_path(Json& item, const std::string& path);

// How long to wait for the answer. TACET_TIMEOUT, in seconds, says otherwise.
std::chrono::seconds patience_for(const contract::Method& method);

struct Failure {
    std::string path; // bytes, as all paths here
    std::string error;
    std::string message;
};

class Client {
public:
    // Throws sdbus::Error, as all of its methods do.
    Client();

    Json status();
    // The programs are the caller's own.
    struct MemoryPolicy {
        std::string scope;
        std::vector<std::string> layers;
        std::vector<std::string> programs;

        bool clears(std::string_view layer) const { return std::ranges::find(layers, layer) != layers.end(); }
        // Whether the programs matter. Stacks and the heap are cleared of no others that are in no private session.
        bool covers_programs() const { return scope == "chosen" || scope == "everything"; }
    };
    MemoryPolicy memory_policy();

    // Calls a method of the contract that answers nothing.
    template <typename... Arguments>
    void call(const contract::Method& method, const Arguments&... arguments)
    {
        daemon_->callMethod(method.name.data())
            .onInterface(method.interface.data())
            .withTimeout(patience_for(method))
            .withArguments(arguments...);
    }
    // Calls a method of the contract. Several answers make a tuple.
    template <typename Answer, typename... Arguments>
    Answer fetch(const contract::Method& method, const Arguments&... arguments)
    {
        Answer answer{};
        daemon_->callMethod(method.name.data())
            .onInterface(method.interface.data())
            .withTimeout(patience_for(method))
            .withArguments(arguments...)
            .storeResultsTo(answer);
        return answer;
    }
    template <typename... Arguments>
    std::vector<Dictionary> list(const contract::Method& method, const Arguments&... arguments)
    {
        return fetch<std::vector<Dictionary>>(method, arguments...);
    }

    // Any number of paths, in parts as large as the contract allows.
    std::vector<Failure> add_labels(const std::vector<std::string>& paths, const std::string& category);
    std::vector<Failure> remove_labels(const std::vector<std::string>& paths);
    std::vector<Dictionary> labels();
    // files: standard input, output, error, the channel, with a display the process (pidfd) of its server, and with a box the
    // pipe with its passphrase.
    std::uint64_t start_session(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                                const std::string& directory, const std::vector<int>& files, const Dictionary& options);
    // Copies a session's file, by its path there, to an open file.
    void keep_file(std::uint64_t id, const std::string& path, int file);

    // Calls back for news until the bus goes away. catch_up: shows what came meanwhile, at the start and when the daemon came
    // back.
    void follow(std::function<void()> on_log, std::function<void()> on_questions, std::function<void()> catch_up);

private:
    template <typename... Rest>
    std::vector<Failure> label_call(const contract::Method& method, const std::vector<std::string>& paths, const Rest&... rest);

    std::unique_ptr<sdbus::IConnection> connection_;
    std::unique_ptr<sdbus::IProxy> daemon_;
};

} // namespace tacet::cli
