// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/display_socket.h"

#include <cstdint>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "cli/clipboard_limit.h"
#include "cli/value_of.h"
#include "common/socket_address.h"

namespace tacet::cli {
namespace {

constexpr timeval patience_with_client{2, 0};
constexpr timeval patience_with_server{10, 0};
constexpr int waiting_max = 4;

std::string folder()
{
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime == nullptr || *runtime != '/')
        throw std::runtime_error("XDG_RUNTIME_DIR is not set");
    return std::string(runtime) + "/tacet";
}

std::string path_of(std::uint64_t session)
{
    return folder() + "/display-" + std::to_string(session);
}

bool is_own(int client)
{
    ucred peer{};
    socklen_t size = sizeof(peer);
    return getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
}

Message ask(std::uint64_t session, const std::string& request, std::span<const int> files)
{
    const sockaddr_un address = value_of(socket_address(path_of(session)));
    const UniqueFd server(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (connect(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
        throw NoSuchDisplay("no private session of yours with this number has a display");
    setsockopt(server.get(), SOL_SOCKET, SO_RCVTIMEO, &patience_with_server, sizeof(patience_with_server));
    if (!is_own(server.get()) || !send_message(server.get(), request, files))
        throw std::runtime_error("the session's display was not asked");
    auto reply = receive_message(server.get());
    if (!reply || reply->text.empty())
        throw std::runtime_error("the session's display does not answer");
    constexpr std::string_view failed = "failed ";
    if (reply->text.starts_with(failed))
        throw std::runtime_error(reply->text.substr(failed.size()));
    return std::move(*reply);
}

std::string text_in(const Message& message)
{
    if (message.files.size() != 1)
        throw std::runtime_error("a message without text");
    auto text = read_memory_file(message.files.front().get(), clipboard_max);
    if (!text)
        throw std::runtime_error(text.error().message);
    return std::move(*text);
}

UniqueFd memory_file(const std::string& text)
{
    auto file = make_memory_file(text);
    if (!file)
        throw std::runtime_error(file.error().message);
    return std::move(*file);
}

} // namespace

DisplaySocket::DisplaySocket(std::uint64_t session, Actions actions) : path_(path_of(session)), actions_(std::move(actions))
{
    const sockaddr_un address = value_of(socket_address(path_));
    mkdir(folder().c_str(), 0700);
    // Left by one that was killed: numbers of running sessions differ.
    unlink(path_.c_str());
    listener_ = UniqueFd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const mode_t mask = umask(0077);
    const bool bound = bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    umask(mask);
    if (!bound || listen(listener_.get(), waiting_max) != 0)
        throw std::runtime_error("no socket " + path_);
}

DisplaySocket::~DisplaySocket()
{
    unlink(path_.c_str());
}

void DisplaySocket::handle_requests()
{
    for (;;) {
        const UniqueFd client(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!client)
            return;
        setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &patience_with_client, sizeof(patience_with_client));
        if (is_own(client.get()))
            answer(client.get());
    }
}

void DisplaySocket::answer(int client)
{
    try {
        const auto request = receive_message(client);
        if (request && request->text == "paste") {
            actions_.paste(text_in(*request));
            static_cast<void>(send_message(client, "done"));
        } else if (request && request->text == "copy") {
            const UniqueFd text = memory_file(actions_.copy());
            static_cast<void>(send_message(client, "done", std::array{text.get()}));
        }
    } catch (const std::runtime_error& error) {
        static_cast<void>(send_message(client, std::string("failed ") + error.what()));
    }
}

void ask_paste(std::uint64_t session, const std::string& text)
{
    const UniqueFd file = memory_file(text);
    ask(session, "paste", std::array{file.get()});
}

std::string ask_copy(std::uint64_t session)
{
    return text_in(ask(session, "copy", {}));
}

} // namespace tacet::cli
