// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/sessions/sessions_object.h"

#include "daemon/sessions/session_dictionary.h"

namespace tacet {
namespace {

// Four files are always there. A display and a box add one each, in this order.
Result<void> take_files(std::vector<sdbus::UnixFd>& files, SessionStart& start)
{
    std::vector<std::size_t> places{0, 1, 2, 3};
    if (!start.options.display.empty())
        places.push_back(4);
    if (!start.options.box.empty())
        places.push_back(5);
    if (files.size() != places.size())
        return Error{ErrorCode::InvalidArgument, "four files are needed, with a display and with a box one more each"};
    for (std::size_t i = 0; i < files.size(); ++i)
        start.files[places[i]] = UniqueFd(files[i].release());
    return {};
}

} // namespace

SessionsObject::SessionsObject(sdbus::IConnection& connection, CallQueue& calls, SessionService& service)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), calls_(calls), service_(service)
{
    registerAdaptor();
}

void SessionsObject::Start(sdbus::Result<std::uint64_t>&& result, std::vector<Bytes> command, std::vector<Bytes> environment,
                           Bytes directory, std::vector<sdbus::UnixFd> files, Dictionary options)
{
    auto start = session_from_bus(command, environment, directory, options);
    // The reply comes later than this call, so the arguments must be kept until then.
    auto shared_start = std::make_shared<Result<SessionStart>>(std::move(start));
    if (auto taken = *shared_start ? take_files(files, **shared_start) : Result<void>(); !taken)
        *shared_start = taken.error();
    with_caller(calls_, getObject(), std::move(result), [this, shared_start](const Caller& caller, const auto& shared) {
        if (!*shared_start)
            return return_error(shared, shared_start->error());
        service_.start(caller, std::move(**shared_start),
                       reply_with<SessionId>(shared, [shared](SessionId id) { return_results(shared, id); }));
    });
}

void SessionsObject::List(sdbus::Result<std::vector<Dictionary>>&& result)
{
    with_caller(calls_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { service_.list(caller, reply_list<PrivateSession>(shared)); });
}

void SessionsObject::End(sdbus::Result<>&& result, std::uint64_t id)
{
    with_caller(calls_, getObject(), std::move(result),
                [this, id](const Caller& caller, const auto& shared) { service_.end(caller, id, reply_nothing(shared)); });
}

void SessionsObject::EndAll(sdbus::Result<>&& result)
{
    with_caller(calls_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { service_.end_all(caller, reply_nothing(shared)); });
}

void SessionsObject::Files(sdbus::Result<std::vector<Dictionary>>&& result, std::uint64_t id)
{
    with_caller(calls_, getObject(), std::move(result), [this, id](const Caller& caller, const auto& shared) {
        service_.files(caller, id, reply_list<SessionChange>(shared));
    });
}

void SessionsObject::Boxes(sdbus::Result<std::vector<Dictionary>>&& result)
{
    with_caller(calls_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { service_.list_boxes(caller, reply_list<Box>(shared)); });
}

void SessionsObject::RemoveBox(sdbus::Result<>&& result, std::string name)
{
    with_caller(calls_, getObject(), std::move(result), [this, name](const Caller& caller, const auto& shared) {
        service_.remove_box(caller, name, reply_nothing(shared));
    });
}

void SessionsObject::Keep(sdbus::Result<>&& result, std::uint64_t id, Bytes path, sdbus::UnixFd file)
{
    const auto kept = std::make_shared<UniqueFd>(file.release());
    const std::string name(path.begin(), path.end());
    with_caller(calls_, getObject(), std::move(result), [this, id, name, kept](const Caller& caller, const auto& shared) {
        service_.keep(caller, id, name, std::move(*kept), reply_nothing(shared));
    });
}

} // namespace tacet
