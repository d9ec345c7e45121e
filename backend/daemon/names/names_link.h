// SPDX-License-Identifier: GPL-3.0-or-later
// NameSource over the socket of tacet-names, which systemd starts when tacetd connects.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "common/name_message.h"
#include "common/unique_fd.h"
#include "daemon/loop/event_loop.h"
#include "daemon/names/name_source.h"

namespace tacet {

class NamesLink final : public NameSource {
public:
    explicit NamesLink(EventLoop& loop, std::string path = names_socket) : loop_(loop), path_(std::move(path)) {}

    // Tries once now, and later again and again while there is no connection.
    void start();

    bool watching() const override { return watching_; }
    void catch_up(std::function<void()> done) override;

private:
    struct Waiting {
        std::function<void()> done;
        std::unique_ptr<Pending> overdue;
    };

    bool connect();
    void read(std::uint32_t events);
    void take(const NameMessage& message);
    void finish(std::uint64_t number);
    void close();
    void set_watching(bool watching);

    EventLoop& loop_;
    std::string path_;
    SystemClock clock_;
    UniqueFd channel_;
    std::unique_ptr<Pending> readable_;
    std::unique_ptr<Pending> retry_;
    std::map<std::uint64_t, Waiting> waiting_;
    std::uint64_t last_number_ = 0;
    bool watching_ = false;
};

} // namespace tacet
