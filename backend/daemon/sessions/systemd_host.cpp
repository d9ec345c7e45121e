// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/sessions/systemd_host.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "common/journal.h"
#include "daemon/sessions/file_requests.h"

namespace tacet {
namespace {

const sdbus::InterfaceName manager("org.freedesktop.systemd1.Manager");
constexpr std::uint64_t tasks_max = 8192;
constexpr auto stop_time = std::chrono::microseconds(std::chrono::seconds(2));

using Property = sdbus::Struct<std::string, sdbus::Variant>;
using Command = sdbus::Struct<std::string, std::vector<std::string>, bool>;
using Auxiliary = sdbus::Struct<std::string, std::vector<Property>>;

std::string unit_of(std::uint64_t id)
{
    return "tacet-session-" + std::to_string(id) + ".service";
}

// The person's slice, so that their limits of memory, processors and tasks hold for all that they run, private or not.
std::string slice_of(uid_t user)
{
    return "user-" + std::to_string(user) + ".slice";
}

std::string group_of(std::uint64_t id, uid_t person)
{
    return "/sys/fs/cgroup/user.slice/" + slice_of(person) + "/" + unit_of(id);
}

// The journal gets this description, so it names no program.
std::vector<Property> properties(const std::string& program, std::uint64_t id, uid_t person, bool on_disk, int channel)
{
    std::vector<Property> all{
        Property{"Description", sdbus::Variant(std::string("Private session of Tacet"))},
        Property{"ExecStart", sdbus::Variant(std::vector<Command>{Command{program, {program}, false}})},
        Property{"StandardInputFileDescriptor", sdbus::Variant(sdbus::UnixFd(channel))},
        Property{"Slice", sdbus::Variant(slice_of(person))},
        Property{"Delegate", sdbus::Variant(true)},
        Property{"CollectMode", sdbus::Variant(std::string("inactive-or-failed"))},
        Property{"KillMode", sdbus::Variant(std::string("control-group"))},
        Property{"TimeoutStopUSec", sdbus::Variant(static_cast<std::uint64_t>(stop_time.count()))},
        // With 1, unlike 0, the kernel starts no handler of dumps.
        Property{"LimitCORE", sdbus::Variant(std::uint64_t{1})},
        Property{"MemoryAccounting", sdbus::Variant(true)},
        Property{"MemoryZSwapMax", sdbus::Variant(std::uint64_t{0})},
        Property{"TasksMax", sdbus::Variant(tasks_max)},
    };
    if (on_disk) {
        const std::vector<std::string> words{program, "--remove-store", std::to_string(id)};
        all.emplace_back("ExecStopPost", sdbus::Variant(std::vector<Command>{Command{program, words, true}}));
    }
    return all;
}

// systemd keeps the channel for the next tacetd, under a name of this and the session's number. It lets go of it when the
// session is over.
constexpr std::string_view store_prefix = "session-";

std::string store_name(std::uint64_t id)
{
    return std::string(store_prefix) + std::to_string(id);
}

void keep_channel(std::uint64_t id, const UniqueFd& channel)
{
    const int file = channel.get();
    sd_pid_notify_with_fds(0, 0, ("FDSTORE=1\nFDNAME=" + store_name(id)).c_str(), &file, 1);
}

void keep_channel_no_more(std::uint64_t id)
{
    sd_notify(0, ("FDSTOREREMOVE=1\nFDNAME=" + store_name(id)).c_str());
}

// Takes the channels that an earlier tacetd has left with systemd.
std::map<std::uint64_t, UniqueFd> take_kept_channels()
{
    std::map<std::uint64_t, UniqueFd> kept;
    char** names = nullptr;
    const int count = sd_listen_fds_with_names(1, &names);
    for (int i = 0; i < count; ++i) {
        UniqueFd channel(SD_LISTEN_FDS_START + i);
        const std::string_view name(names[i]);
        std::uint64_t id = 0;
        if (name.starts_with(store_prefix)
            && std::from_chars(name.data() + store_prefix.size(), name.data() + name.size(), id).ec == std::errc())
            kept.emplace(id, std::move(channel));
        free(names[i]);
    }
    free(static_cast<void*>(names));
    return kept;
}

std::uint64_t read_number(const std::string& path)
{
    std::uint64_t number = 0;
    std::ifstream(path) >> number;
    return number;
}

class UnitSession final : public RunningSession {
public:
    // group: its control group; empty while it is not known.
    UnitSession(EventLoop& loop, std::uint64_t id, std::string group, UniqueFd channel, SessionEvents events)
        : id_(id),
          group_(std::move(group)),
          channel_(std::move(channel)),
          events_(std::move(events)),
          requests_(loop, channel_.get())
    {
        news_ = loop.watch(channel_.get(), EPOLLIN, [this](std::uint32_t) { take_message(); });
    }

    // The session looks whether this process lives.
    void describe()
    {
        const UniqueFd self(static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0)));
        static_cast<void>(send_message(channel_.get(), "describe", std::array{self.get()}));
    }

    void end() override
    {
        static_cast<void>(send_message(channel_.get(), "end"));
        keep_channel_no_more(id_);
    }

    SessionMemory memory() const override
    {
        return {read_number(group_ + "/memory.current"), read_number(group_ + "/memory.swap.current")};
    }

    void files(Reply<std::vector<SessionChange>> reply) override { requests_.files(std::move(reply)); }
    void keep(const std::string& path, UniqueFd file, Reply<void> reply) override
    {
        requests_.keep(path, file, std::move(reply));
    }

private:
    void take_message()
    {
        const auto message = receive_message(channel_.get());
        if (message && message->text == "session" && message->files.size() == 1) {
            take_description(message->files[0]);
            return;
        }
        if (message && !message->text.empty()) {
            events_.on_message(message->text);
            return;
        }
        const auto gone = events_.on_gone;
        gone();
    }

    void take_description(const UniqueFd& file)
    {
        const auto text = read_memory_file(file.get(), SessionRequest::text_max);
        const auto request = text ? parse_request(*text) : text.error();
        if (!request)
            return;
        group_ = group_of(request->id, request->uid);
        events_.on_described(*request);
    }

    std::uint64_t id_;
    std::string group_;
    UniqueFd channel_;
    SessionEvents events_;
    std::unique_ptr<Pending> news_;
    FileRequests requests_;
};

// A unit whose process waits for its first message.
class UnitPlace final : public SessionPlace {
public:
    UnitPlace(EventLoop& loop, std::string group, UniqueFd channel)
        : loop_(loop), group_(std::move(group)), channel_(std::move(channel))
    {
    }

    bool is_waiting() const override
    {
        pollfd channel{channel_.get(), POLLIN, 0};
        return poll(&channel, 1, 0) == 0;
    }

    Result<std::unique_ptr<RunningSession>> begin(const SessionRequest& request, SessionFiles files,
                                                  SessionEvents events) override
    {
        const auto text = to_text(request);
        if (!text)
            return text.error();
        const auto memory = make_memory_file(*text);
        if (!memory)
            return memory.error();
        std::vector<int> passed{memory->get()};
        for (const UniqueFd& file : files) {
            if (file)
                passed.push_back(file.get());
        }
        // The message waits in the socket until the unit has started.
        if (auto sent = send_message(channel_.get(), "start", passed); !sent)
            return sent.error();
        keep_channel(request.id, channel_);
        return std::unique_ptr<RunningSession>(
            std::make_unique<UnitSession>(loop_, request.id, group_, std::move(channel_), std::move(events)));
    }

private:
    EventLoop& loop_;
    std::string group_;
    UniqueFd channel_;
};

} // namespace

SystemdHost::SystemdHost(EventLoop& loop, sdbus::IConnection& connection, std::string program)
    : loop_(loop),
      systemd_(sdbus::createProxy(connection, sdbus::ServiceName("org.freedesktop.systemd1"),
                                  sdbus::ObjectPath("/org/freedesktop/systemd1"))),
      program_(std::move(program)),
      kept_(take_kept_channels())
{
}

std::uint64_t SystemdHost::memory_available() const
{
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::uint64_t kilobytes = 0;
    while (file >> key >> kilobytes && key != "MemAvailable:")
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    return key == "MemAvailable:" ? kilobytes << 10 : 0;
}

Result<std::unique_ptr<SessionPlace>> SystemdHost::make_place(std::uint64_t id, uid_t person, bool on_disk)
{
    auto channel = make_channel();
    if (!channel)
        return channel.error();
    systemd_->callMethodAsync("StartTransientUnit")
        .onInterface(manager)
        .withArguments(unit_of(id), std::string("fail"), properties(program_, id, person, on_disk, channel->second.get()),
                       std::vector<Auxiliary>{})
        .uponReplyInvoke([](std::optional<sdbus::Error> error, sdbus::ObjectPath) {
            // The other end of the channel goes with the message, so the session is seen to be gone.
            if (error)
                journal(Priority::Error, "systemd refused a private session: " + error->getMessage());
        });
    return std::unique_ptr<SessionPlace>(std::make_unique<UnitPlace>(loop_, group_of(id, person), std::move(channel->first)));
}

std::vector<std::uint64_t> SystemdHost::kept() const
{
    std::vector<std::uint64_t> all;
    all.reserve(kept_.size());
    for (const auto& item : kept_)
        all.push_back(item.first);
    return all;
}

std::unique_ptr<RunningSession> SystemdHost::adopt(std::uint64_t id, SessionEvents events)
{
    auto channel = std::move(kept_.extract(id).mapped());
    auto session = std::make_unique<UnitSession>(loop_, id, std::string(), std::move(channel), std::move(events));
    session->describe();
    return session;
}

} // namespace tacet
