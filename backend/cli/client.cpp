// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/client.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "common/bus_path.h"
#include "common/text.h"
#include "contract/methods.h"

namespace tacet::cli {

std::string to_base64(const std::vector<std::uint8_t>& bytes)
{
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
    const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
}

namespace {

constexpr std::size_t paths_max = 10'000;
constexpr std::uint32_t page = 1000;
constexpr auto patience_to_read = std::chrono::minutes(2);
// polkit may be waiting for a person's password.
constexpr auto patience_to_change = std::chrono::minutes(10);
constexpr unsigned long long patience_max = 24ULL * 60 * 60;

using Bytes = std::vector<std::uint8_t>;

Bytes to_bytes(const std::string& text)
{
    return {text.begin(), text.end()};
}

std::vector<Bytes> to_bytes(const std::vector<std::string>& texts)
{
    std::vector<Bytes> list;
    list.reserve(texts.size());
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

void put_path(Json& item, const std::string& path)
{
    item["path"] = to_utf8(path);
    if (!is_utf8(path))
        item["path_bytes"] = to_base64(to_bytes(path));
}

std::chrono::seconds patience_for(const contract::Method& method)
{
    const char* text = std::getenv("TACET_TIMEOUT");
    unsigned long long seconds = 0;
    if (text != nullptr && parse_number(text, patience_max, seconds) && seconds > 0)
        return std::chrono::seconds(seconds);
    return method.changes ? patience_to_change : patience_to_read;
}

Client::Client() : connection_(sdbus::createSystemBusConnection())
{
    connection_->setMethodCallTimeout(patience_for(contract::protection::list));
    daemon_ = sdbus::createProxy(*connection_, sdbus::ServiceName(contract::service.data()),
                                 sdbus::ObjectPath(contract::object_path.data()));
}

Client::MemoryPolicy Client::memory_policy()
{
    using Texts = std::vector<std::string>;
    auto [scope, layers, programs] = fetch<std::tuple<std::string, Texts, Texts>>(contract::memory::policy);
    return {std::move(scope), std::move(layers), std::move(programs)};
}

Json Client::status()
{
    const auto properties = daemon_->getAllProperties().onInterface(contract::protection::interface.data());
    Json status = Json::object();
    for (const auto& [key, json_key] : std::to_array<std::pair<const char*, const char*>>(
             {{"Version", "version"}, {"Contract", "contract"}, {"Module", "module"}, {"PausedUntil", "paused_until"}}))
        status[json_key] = to_json(properties.at(sdbus::PropertyName(key)));
    return status;
}

template <typename... Rest>
std::vector<Failure> Client::label_call(const contract::Method& method, const std::vector<std::string>& paths,
                                        const Rest&... rest)
{
    using Failed = std::vector<sdbus::Struct<std::string, std::string, std::string>>;
    std::vector<Failure> failures;
    for (std::size_t start = 0; start < paths.size(); start += paths_max) {
        const auto begin = paths.begin() + static_cast<std::ptrdiff_t>(start);
        const auto end = paths.begin() + static_cast<std::ptrdiff_t>(std::min(start + paths_max, paths.size()));
        std::vector<std::string> part(static_cast<std::size_t>(end - begin));
        std::transform(begin, end, part.begin(), path_to_bus);
        for (const auto& failure : fetch<Failed>(method, part, rest...))
            failures.push_back({path_from_bus(failure.template get<0>()), failure.template get<1>(), failure.template get<2>()});
    }
    return failures;
}

std::vector<Failure> Client::add_labels(const std::vector<std::string>& paths, const std::string& category)
{
    return label_call(contract::labels::add, paths, category);
}

std::vector<Failure> Client::remove_labels(const std::vector<std::string>& paths)
{
    return label_call(contract::labels::remove, paths);
}

std::vector<Dictionary> Client::labels()
{
    std::vector<Dictionary> all;
    for (;;) {
        const auto offset = static_cast<std::uint32_t>(all.size());
        auto part = fetch<std::tuple<std::vector<Dictionary>, std::uint32_t>>(contract::labels::list, offset, page);
        std::ranges::move(std::get<0>(part), std::back_inserter(all));
        if (std::get<0>(part).size() < page)
            return all;
    }
}

std::uint64_t Client::start_session(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                                    const std::string& directory, const std::vector<int>& files, const Dictionary& options)
{
    std::vector<sdbus::UnixFd> passed;
    passed.reserve(files.size());
    for (const int file : files)
        passed.emplace_back(file);
    return fetch<std::uint64_t>(contract::sessions::start, to_bytes(command), to_bytes(environment), to_bytes(directory), passed,
                                options);
}

void Client::keep_file(std::uint64_t id, const std::string& path, int file)
{
    call(contract::sessions::keep, id, to_bytes(path), sdbus::UnixFd(file));
}

void Client::follow(std::function<void()> on_log, std::function<void()> on_questions, std::function<void()> catch_up)
{
    daemon_->uponSignal(contract::log::added.name.data())
        .onInterface(contract::log::interface.data())
        .call([on_log](std::uint32_t, std::uint64_t) { on_log(); });
    daemon_->uponSignal(contract::breaches::changed.name.data())
        .onInterface(contract::breaches::interface.data())
        .call([on_questions](std::uint32_t) { on_questions(); });
    connection_->addMatch("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='"
                              + std::string(contract::service) + "'",
                          [catch_up](sdbus::Message message) {
                              std::string name;
                              std::string old_owner;
                              std::string new_owner;
                              message >> name >> old_owner >> new_owner;
                              if (!new_owner.empty())
                                  catch_up();
                          });
    // What came before the signals were subscribed to would be missed.
    catch_up();
    connection_->enterEventLoop();
}

} // namespace tacet::cli
