// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/wayland_window.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <format>
#include <stdexcept>

#include "cli/desktop.h"
#include "cli/wayland_filter.h"
#include "common/socket_address.h"

namespace tacet::cli {
namespace {

constexpr const char* application = "org.tacet.Private"; // resources/org.tacet.Private.desktop
constexpr std::size_t bytes_max = 4096;
constexpr std::size_t files_max = 28; // libwayland takes no more with one message

UniqueFd connect_to_compositor()
{
    const char* folder = std::getenv("XDG_RUNTIME_DIR");
    const char* display = std::getenv("WAYLAND_DISPLAY");
    const std::string name = display == nullptr ? "wayland-0" : display;
    const std::string path = name.starts_with('/') || folder == nullptr ? name : std::string(folder) + "/" + name;
    const auto address = socket_address(path);
    UniqueFd file(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!file || !address || connect(file.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) != 0)
        throw std::runtime_error("no connection to the Wayland compositor at " + path);
    return file;
}

// One direction of the conversation. What is not yet sent waits here, and nothing more is read until it is.
class Direction {
public:
    using Pass = std::optional<std::string> (WaylandFilter::*)(std::string&);

    Direction(int from, int to, WaylandFilter& filter, Pass pass) : from_(from), to_(to), filter_(filter), pass_(pass) {}

    pollfd wanted() const { return waits() ? pollfd{to_, POLLOUT, 0} : pollfd{from_, POLLIN, 0}; }
    // False when a side is gone, or does not speak the protocol.
    bool go_on() { return waits() ? send() : receive() && (!waits() || send()); }

private:
    bool waits() const { return !bytes_.empty(); }
    bool receive();
    void take_files(msghdr& message);
    bool send();

    int from_;
    int to_;
    WaylandFilter& filter_;
    Pass pass_;
    std::string unread_; // the beginning of a message
    std::string bytes_;
    std::vector<UniqueFd> files_;
};

void Direction::take_files(msghdr& message)
{
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        for (std::size_t at = 0; at + sizeof(int) <= part->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
            int file = -1;
            std::memcpy(&file, CMSG_DATA(part) + at, sizeof(file));
            files_.emplace_back(file);
        }
    }
}

bool Direction::receive()
{
    std::array<char, bytes_max> bytes{};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(files_max * sizeof(int))> control{};
    iovec part{bytes.data(), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t size = recvmsg(from_, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (size < 0)
        return errno == EAGAIN || errno == EINTR;
    take_files(message);
    if (size == 0 || (message.msg_flags & MSG_CTRUNC) != 0)
        return false;
    unread_.append(bytes.data(), static_cast<std::size_t>(size));
    auto passed = (filter_.*pass_)(unread_);
    if (!passed)
        return false;
    bytes_ += *passed;
    return true;
}

bool Direction::send()
{
    // Files go with the first byte, so that they are there before the message that they belong to.
    const std::size_t count = std::min(files_.size(), files_max);
    alignas(cmsghdr) std::array<char, CMSG_SPACE(files_max * sizeof(int))> control{};
    iovec part{bytes_.data(), bytes_.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (count > 0) {
        message.msg_control = control.data();
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        cmsghdr* head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(count * sizeof(int));
        for (std::size_t i = 0; i < count; ++i) {
            const int file = files_[i].get();
            std::memcpy(CMSG_DATA(head) + i * sizeof(int), &file, sizeof(file));
        }
        part.iov_len = files_.size() > files_max ? 1 : bytes_.size();
    }
    const ssize_t size = sendmsg(to_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0)
        return errno == EAGAIN || errno == EINTR;
    files_.erase(files_.begin(), files_.begin() + static_cast<std::ptrdiff_t>(count));
    bytes_.erase(0, static_cast<std::size_t>(size));
    return true;
}

[[noreturn]] void relay(int server, int compositor, int wishes, const std::string& title)
{
    WaylandFilter filter(title, application);
    Direction requests(server, compositor, filter, &WaylandFilter::pass_requests);
    Direction events(compositor, server, filter, &WaylandFilter::pass_events);
    bool goes_on = true;
    while (goes_on) {
        std::array<pollfd, 2> files{requests.wanted(), events.wanted()};
        poll(files.data(), files.size(), -1);
        if (files[0].revents != 0)
            goes_on = requests.go_on();
        if (goes_on && files[1].revents != 0)
            goes_on = events.go_on();
        const char wish = 0;
        if (filter.take_close() && write(wishes, &wish, 1) != 1)
            goes_on = false;
    }
    _exit(EXIT_SUCCESS);
}

// It has nothing else of this program's: no connection to the daemon, no channel to the session.
[[noreturn]] void become_relay(const UniqueFd& server, const UniqueFd& compositor, const UniqueFd& wishes,
                               const std::string& title)
{
    constexpr int first = 100; // above those that are moved
    std::array<int, 3> files{server.get(), compositor.get(), wishes.get()};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0);
    for (int& file : files)
        file = fcntl(file, F_DUPFD_CLOEXEC, first);
    close_range(0, first - 1, 0);
    close_range(static_cast<unsigned>(*std::max_element(files.begin(), files.end())) + 1, ~0U, 0);
    relay(files[0], files[1], files[2], title);
}

} // namespace

WaylandWindow::WaylandWindow(const std::string& title)
{
    const UniqueFd compositor = connect_to_compositor();
    std::array<int, 2> ends{-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw std::runtime_error("no sockets");
    server_end_ = UniqueFd(ends[0]);
    const UniqueFd relay_end(ends[1]);
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    wishes_ = UniqueFd(ends[0]);
    const UniqueFd told(ends[1]);
    process_ = fork();
    if (process_ == 0)
        become_relay(relay_end, compositor, told, title);
    if (process_ < 0)
        throw std::runtime_error("no process");
}

WaylandWindow::~WaylandWindow()
{
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
}

std::vector<std::string> WaylandWindow::server_arguments() const
{
    const Size size = large_window_size();
    return {"-geometry", std::format("{}x{}", size.width, size.height), "-decorate"};
}

void WaylandWindow::enter_server() const
{
    fcntl(server_end_.get(), F_SETFD, 0);
    setenv("WAYLAND_SOCKET", std::to_string(server_end_.get()).c_str(), 1);
}

bool WaylandWindow::handle_events()
{
    std::array<char, 64> wishes{};
    pollfd ready{wishes_.get(), POLLIN, 0};
    if (poll(&ready, 1, 0) != 1)
        return false;
    const ssize_t count = read(wishes_.get(), wishes.data(), wishes.size());
    is_gone_ = count == 0;
    return count > 0;
}

} // namespace tacet::cli
