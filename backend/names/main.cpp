// SPDX-License-Identifier: GPL-3.0-or-later
// tacet-names: watches the DNS of this machine and tells tacetd, which connects to its socket, the names that it learns. It has
// the network that tacetd has not, takes apart what strangers send, and is nobody: systemd gives it a user of its own.
#include <linux/capability.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>

#include "common/channel.h"
#include "common/journal.h"
#include "common/name_message.h"
#include "names/packet_socket.h"
#include "names/resolver_list.h"

namespace {

using namespace tacet;

// A turn; tacetd's requests are looked at between two.
constexpr int packets_max = 64;

bool give_up_capabilities()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 && syscall(SYS_capset, &header, none.data()) == 0;
}

class Reporter {
public:
    Reporter(UniqueFd daemon, std::optional<PacketSocket> packets)
        : daemon_(std::move(daemon)),
          packets_(std::move(packets)),
          resolvers_(clock_, {"/etc/resolv.conf", "/run/systemd/resolve/resolv.conf", "/run/NetworkManager/no-stub-resolv.conf"}),
          watch_(clock_, [this](const std::string& address) { return resolvers_.contains(address); })
    {
    }

    // Until tacetd goes.
    void run()
    {
        tell(WatchState{packets_.has_value()});
        std::array<pollfd, 2> sources{{{daemon_.get(), POLLIN, 0}, {packets_ ? packets_->fd() : -1, POLLIN, 0}}};
        while (poll(sources.data(), sources.size(), -1) > 0) {
            if (sources[1].revents != 0)
                look();
            if (sources[0].revents != 0 && !serve())
                return;
        }
    }

private:
    void look()
    {
        packets_->read(packets_max, [this](const SeenPacket& packet) {
            for (LearnedName& learned : watch_.take(packet))
                tell(std::move(learned));
        });
    }

    bool serve()
    {
        const auto message = receive_message(daemon_.get());
        if (!message || message->text.empty())
            return false;
        const auto request = parse_name_message(message->text);
        if (request && std::holds_alternative<CatchUp>(*request)) {
            if (packets_)
                look();
            tell(*request);
        }
        return true;
    }

    // Does not wait: what tacetd has no room for is lost, and its host is shown by the address.
    void tell(const NameMessage& message) { static_cast<void>(send_message(daemon_.get(), to_text(message))); }

    SystemClock clock_;
    UniqueFd daemon_;
    std::optional<PacketSocket> packets_;
    ResolverList resolvers_;
    DnsWatch watch_;
};

} // namespace

int main()
{
    if (sd_listen_fds(1) != 1)
        return EXIT_FAILURE;
    std::optional<PacketSocket> packets;
    if (auto opened = PacketSocket::open())
        packets = std::move(*opened);
    else
        journal(Priority::Warning, "the DNS is not seen: " + opened.error().message);
    if (!give_up_capabilities())
        return EXIT_FAILURE;
    UniqueFd daemon(accept4(SD_LISTEN_FDS_START, nullptr, nullptr, SOCK_CLOEXEC));
    if (!daemon)
        return EXIT_FAILURE;
    Reporter(std::move(daemon), std::move(packets)).run();
    return EXIT_SUCCESS;
}
