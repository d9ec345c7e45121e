// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/client.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace tacet::cli {

std::string to_base64(const std::vector<std::uint8_t>& bytes)
{
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
    const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
}

namespace {

constexpr const char* service = "org.tacet.Tacet1";
constexpr std::size_t paths_max = 10'000;
constexpr std::uint32_t page = 1000;
// polkit may be waiting for a person's password.
constexpr auto patience = std::chrono::minutes(10);

const sdbus::InterfaceName breaches("org.tacet.Tacet1.Breaches");
const sdbus::InterfaceName labels_interface("org.tacet.Tacet1.Labels");
const sdbus::InterfaceName log_interface("org.tacet.Tacet1.Log");
const sdbus::InterfaceName protection("org.tacet.Tacet1.Protection");
const sdbus::InterfaceName rules_interface("org.tacet.Tacet1.Rules");
const sdbus::InterfaceName sessions_interface("org.tacet.Tacet1.Sessions");

using Bytes = std::vector<std::uint8_t>;

Bytes to_bytes(const std::string& text)
{
    return {text.begin(), text.end()};
}

std::vector<Bytes> to_bytes(const std::vector<std::string>& texts)
{
    std::vector<Bytes> list;
    for (const std::string& text : texts)
        list.push_back(to_bytes(text));
    return list;
}

Json to_json(const sdbus::Variant& value)
{
    const std::string type = value.peekValueType();
    if (type == "s")
        return value.get<std::string>();
    if (type == "b")
        return value.get<bool>();
    if (type == "q")
        return value.get<std::uint16_t>();
    if (type == "u")
        return value.get<std::uint32_t>();
    if (type == "t")
        return value.get<std::uint64_t>();
    if (type == "as")
        return value.get<std::vector<std::string>>();
    if (type == "ay")
        return to_base64(value.get<std::vector<std::uint8_t>>());
    return nullptr;
}

} // namespace

Json to_json(const Dictionary& dictionary)
{
    Json object = Json::object();
    for (const auto& [key, value] : dictionary)
        object[key] = to_json(value);
    return object;
}

Json to_json(const std::vector<Dictionary>& dictionaries)
{
    Json array = Json::array();
    for (const Dictionary& dictionary : dictionaries)
        array.push_back(to_json(dictionary));
    return array;
}

Client::Client() : connection_(sdbus::createSystemBusConnection())
{
    connection_->setMethodCallTimeout(patience);
    daemon_ = sdbus::createProxy(*connection_, sdbus::ServiceName(service), sdbus::ObjectPath("/org/tacet/Tacet1"));
}

Json Client::status()
{
    const auto properties = daemon_->getAllProperties().onInterface(protection);
    Json status = Json::object();
    for (const auto& [key, json_key] : std::to_array<std::pair<const char*, const char*>>(
             {{"Version", "version"}, {"Contract", "contract"}, {"Module", "module"}, {"PausedUntil", "paused_until"}}))
        status[json_key] = to_json(properties.at(sdbus::PropertyName(key)));
    return status;
}

std::vector<Dictionary> Client::protections()
{
    std::vector<Dictionary> list;
    daemon_->callMethod("List").onInterface(protection).storeResultsTo(list);
    return list;
}

std::vector<Failure> Client::label_call(const char* method, const std::vector<std::string>& paths, const std::string* category)
{
    std::vector<Failure> failures;
    for (std::size_t start = 0; start < paths.size(); start += paths_max) {
        const auto end = paths.begin() + static_cast<std::ptrdiff_t>(std::min(start + paths_max, paths.size()));
        const std::vector<std::string> part(paths.begin() + static_cast<std::ptrdiff_t>(start), end);
        std::vector<sdbus::Struct<std::string, std::string, std::string>> failed;
        if (category != nullptr)
            daemon_->callMethod(method).onInterface(labels_interface).withArguments(part, *category).storeResultsTo(failed);
        else
            daemon_->callMethod(method).onInterface(labels_interface).withArguments(part).storeResultsTo(failed);
        for (const auto& failure : failed)
            failures.push_back({failure.get<0>(), failure.get<1>(), failure.get<2>()});
    }
    return failures;
}

std::vector<Failure> Client::add_labels(const std::vector<std::string>& paths, const std::string& category)
{
    return label_call("Add", paths, &category);
}

std::vector<Failure> Client::remove_labels(const std::vector<std::string>& paths)
{
    return label_call("Remove", paths, nullptr);
}

Dictionary Client::show_label(const std::string& path)
{
    Dictionary file;
    daemon_->callMethod("Show").onInterface(labels_interface).withArguments(path).storeResultsTo(file);
    return file;
}

std::vector<Dictionary> Client::labels()
{
    std::vector<Dictionary> all;
    for (;;) {
        std::tuple<std::vector<Dictionary>, std::uint32_t> part;
        const auto offset = static_cast<std::uint32_t>(all.size());
        daemon_->callMethod("List").onInterface(labels_interface).withArguments(offset, page).storeResultsTo(part);
        std::ranges::move(std::get<0>(part), std::back_inserter(all));
        if (std::get<0>(part).size() < page)
            return all;
    }
}

std::vector<std::string> Client::guarded()
{
    std::vector<std::string> categories;
    daemon_->callMethod("Guarded").onInterface(labels_interface).storeResultsTo(categories);
    return categories;
}

void Client::guard(const std::vector<std::string>& categories)
{
    daemon_->callMethod("Guard").onInterface(labels_interface).withArguments(categories);
}

std::vector<Dictionary> Client::questions()
{
    std::vector<Dictionary> list;
    daemon_->callMethod("List").onInterface(breaches).storeResultsTo(list);
    return list;
}

std::pair<std::uint64_t, std::uint32_t> Client::answer(std::uint64_t id, const std::string& verdict, const std::string& duration,
                                                       const Dictionary& scope)
{
    std::tuple<std::uint64_t, std::uint32_t> answered;
    daemon_->callMethod("Answer").onInterface(breaches).withArguments(id, verdict, duration, scope).storeResultsTo(answered);
    return {std::get<0>(answered), std::get<1>(answered)};
}

std::vector<Dictionary> Client::rules()
{
    std::vector<Dictionary> list;
    daemon_->callMethod("List").onInterface(rules_interface).storeResultsTo(list);
    return list;
}

std::uint64_t Client::add_rule(const Dictionary& rule)
{
    std::uint64_t id = 0;
    daemon_->callMethod("Add").onInterface(rules_interface).withArguments(rule).storeResultsTo(id);
    return id;
}

void Client::remove_rule(std::uint64_t id)
{
    daemon_->callMethod("Remove").onInterface(rules_interface).withArguments(id);
}

std::vector<Dictionary> Client::log(std::uint64_t after, std::uint32_t limit)
{
    std::vector<Dictionary> list;
    daemon_->callMethod("List").onInterface(log_interface).withArguments(after, limit).storeResultsTo(list);
    return list;
}

std::uint64_t Client::start_session(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                                    const std::string& directory, const std::vector<int>& files, const Dictionary& options)
{
    std::vector<sdbus::UnixFd> passed;
    for (const int file : files)
        passed.emplace_back(file);
    std::uint64_t id = 0;
    daemon_->callMethod("Start")
        .onInterface(sessions_interface)
        .withArguments(to_bytes(command), to_bytes(environment), to_bytes(directory), passed, options)
        .storeResultsTo(id);
    return id;
}

std::vector<Dictionary> Client::sessions()
{
    std::vector<Dictionary> list;
    daemon_->callMethod("List").onInterface(sessions_interface).storeResultsTo(list);
    return list;
}

void Client::end_session(std::uint64_t id)
{
    daemon_->callMethod("End").onInterface(sessions_interface).withArguments(id);
}

void Client::end_all_sessions()
{
    daemon_->callMethod("EndAll").onInterface(sessions_interface);
}

std::vector<Dictionary> Client::session_files(std::uint64_t id)
{
    std::vector<Dictionary> list;
    daemon_->callMethod("Files").onInterface(sessions_interface).withArguments(id).storeResultsTo(list);
    return list;
}

void Client::keep_file(std::uint64_t id, const std::string& path, int file)
{
    daemon_->callMethod("Keep").onInterface(sessions_interface).withArguments(id, to_bytes(path), sdbus::UnixFd(file));
}

std::uint64_t Client::pause(std::uint32_t minutes)
{
    std::uint64_t until = 0;
    daemon_->callMethod("Pause").onInterface(protection).withArguments(minutes).storeResultsTo(until);
    return until;
}

void Client::resume()
{
    daemon_->callMethod("Resume").onInterface(protection);
}

void Client::follow(std::function<void()> on_log, std::function<void()> on_questions, std::function<void()> on_restart)
{
    daemon_->uponSignal("Added").onInterface(log_interface).call([on_log](std::uint32_t, std::uint64_t) { on_log(); });
    daemon_->uponSignal("Changed").onInterface(breaches).call([on_questions](std::uint32_t) { on_questions(); });
    connection_->addMatch("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.tacet.Tacet1'",
                          [on_restart](sdbus::Message message) {
                              std::string name;
                              std::string old_owner;
                              std::string new_owner;
                              message >> name >> old_owner >> new_owner;
                              if (!new_owner.empty())
                                  on_restart();
                          });
    connection_->enterEventLoop();
}

bool means_absent(const sdbus::Error& error)
{
    const std::string& name = error.getName();
    return name == "org.freedesktop.DBus.Error.ServiceUnknown" || name == "org.freedesktop.DBus.Error.NameHasNoOwner"
           || name == "org.freedesktop.DBus.Error.NoReply" || name == "org.freedesktop.DBus.Error.Disconnected"
           || name == "org.freedesktop.DBus.Error.FileNotFound" || name == "org.freedesktop.DBus.Error.NoServer"
           || name == "org.freedesktop.DBus.Error.TimedOut" || name.starts_with("org.freedesktop.DBus.Error.Spawn")
           || name.starts_with("org.freedesktop.systemd1.") || name.starts_with("System.Error.ECONN")
           || name == "System.Error.ENOENT";
}

} // namespace tacet::cli
