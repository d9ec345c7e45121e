// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/objects.h"

#include "daemon/bus/session_dictionary.h"

namespace tacet {
namespace {

constexpr std::uint32_t page_max = 1000;

bool is_page(std::uint32_t limit)
{
    return limit >= 1 && limit <= page_max;
}

const Error bad_limit{ErrorCode::InvalidArgument, "limit must be 1 to 1000"};

std::vector<sdbus::Struct<std::string, std::string, std::string>> failures_to_bus(const std::vector<PathFailure>& failures)
{
    std::vector<sdbus::Struct<std::string, std::string, std::string>> out;
    for (const PathFailure& failure : failures)
        out.emplace_back(failure.path, error_name(failure.error.code), failure.error.message);
    return out;
}

template <typename T>
Reply<std::vector<T>> reply_list(const SharedResult<std::vector<Dictionary>>& result)
{
    return reply_with<std::vector<T>>(result, [result](const std::vector<T>& items) { return_results(result, to_bus(items)); });
}

} // namespace

LabelsObject::LabelsObject(sdbus::IConnection& connection, Callers& callers, LabelsHandler& handler)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), callers_(callers), handler_(handler)
{
    registerAdaptor();
}

void LabelsObject::Add(sdbus::Result<Failures>&& result, std::vector<std::string> paths, std::string category)
{
    with_caller(callers_, getObject(), std::move(result), [this, paths, category](const Caller& caller, const auto& shared) {
        handler_.add(caller, paths, category, reply_with<std::vector<PathFailure>>(shared, [shared](const auto& failures) {
                         return_results(shared, failures_to_bus(failures));
                     }));
    });
}

void LabelsObject::Remove(sdbus::Result<Failures>&& result, std::vector<std::string> paths)
{
    with_caller(callers_, getObject(), std::move(result), [this, paths](const Caller& caller, const auto& shared) {
        handler_.remove(caller, paths, reply_with<std::vector<PathFailure>>(shared, [shared](const auto& failures) {
                            return_results(shared, failures_to_bus(failures));
                        }));
    });
}

void LabelsObject::Show(sdbus::Result<Dictionary>&& result, std::string path)
{
    with_caller(callers_, getObject(), std::move(result), [this, path](const Caller& caller, const auto& shared) {
        handler_.show(caller, path, reply_with<LabelledFile>(shared, [shared](const LabelledFile& file) {
                          return_results(shared, to_bus(file));
                      }));
    });
}

void LabelsObject::List(sdbus::Result<std::vector<Dictionary>, std::uint32_t>&& result, std::uint32_t offset, std::uint32_t limit)
{
    with_caller(callers_, getObject(), std::move(result), [this, offset, limit](const Caller& caller, const auto& shared) {
        if (!is_page(limit))
            return return_error(shared, bad_limit);
        handler_.list(caller, offset, limit, reply_with<FilePage>(shared, [shared](const FilePage& page) {
                          return_results(shared, to_bus(page.files), page.total);
                      }));
    });
}

void LabelsObject::Guard(sdbus::Result<>&& result, std::vector<std::string> categories)
{
    with_caller(callers_, getObject(), std::move(result), [this, categories](const Caller& caller, const auto& shared) {
        handler_.guard(caller, categories, reply_nothing(shared));
    });
}

void LabelsObject::Guarded(sdbus::Result<std::vector<std::string>>&& result)
{
    with_caller(callers_, getObject(), std::move(result), [this](const Caller& caller, const auto& shared) {
        handler_.guarded(caller, reply_with<std::vector<std::string>>(
                                     shared, [shared](const std::vector<std::string>& kinds) { return_results(shared, kinds); }));
    });
}

BreachesObject::BreachesObject(sdbus::IConnection& connection, Callers& callers, BreachesHandler& handler)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), callers_(callers), handler_(handler)
{
    registerAdaptor();
}

void BreachesObject::List(sdbus::Result<std::vector<Dictionary>>&& result)
{
    with_caller(callers_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { handler_.list(caller, reply_list<Question>(shared)); });
}

void BreachesObject::Answer(sdbus::Result<std::uint64_t, std::uint32_t>&& result, std::uint64_t id, std::string verdict_text,
                            std::string duration_text, Dictionary scope_dictionary)
{
    const auto verdict = verdict_from_bus(verdict_text);
    const auto duration = duration_from_bus(duration_text);
    const auto scope = scope_from_bus(scope_dictionary);
    with_caller(callers_, getObject(), std::move(result), [=, this](const Caller& caller, const auto& shared) {
        if (!verdict)
            return return_error(shared, verdict.error());
        if (!duration)
            return return_error(shared, duration.error());
        if (!scope)
            return return_error(shared, scope.error());
        handler_.answer(caller, {id, *verdict, *duration, *scope},
                        reply_with<Answered>(shared, [shared](const Answered& answered) {
                            return_results(shared, answered.rule, answered.resolved);
                        }));
    });
}

void BreachesObject::RegisterAgent(sdbus::Result<>&& result, sdbus::ObjectPath path)
{
    with_caller(callers_, getObject(), std::move(result), [this, path](const Caller& caller, const auto& shared) {
        handler_.register_agent(caller, path, reply_nothing(shared));
    });
}

void BreachesObject::UnregisterAgent(sdbus::Result<>&& result)
{
    with_caller(callers_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { handler_.unregister_agent(caller, reply_nothing(shared)); });
}

RulesObject::RulesObject(sdbus::IConnection& connection, Callers& callers, RulesHandler& handler)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), callers_(callers), handler_(handler)
{
    registerAdaptor();
}

void RulesObject::List(sdbus::Result<std::vector<Dictionary>>&& result)
{
    with_caller(callers_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { handler_.list(caller, reply_list<ListedRule>(shared)); });
}

void RulesObject::Add(sdbus::Result<std::uint64_t>&& result, Dictionary rule)
{
    const auto request = rule_from_bus(rule);
    with_caller(callers_, getObject(), std::move(result), [this, request](const Caller& caller, const auto& shared) {
        if (!request)
            return return_error(shared, request.error());
        handler_.add(caller, *request, reply_with<RuleId>(shared, [shared](RuleId id) { return_results(shared, id); }));
    });
}

void RulesObject::Remove(sdbus::Result<>&& result, std::uint64_t id)
{
    with_caller(callers_, getObject(), std::move(result),
                [this, id](const Caller& caller, const auto& shared) { handler_.remove(caller, id, reply_nothing(shared)); });
}

LogObject::LogObject(sdbus::IConnection& connection, Callers& callers, LogHandler& handler)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), callers_(callers), handler_(handler)
{
    registerAdaptor();
}

void LogObject::List(sdbus::Result<std::vector<Dictionary>>&& result, std::uint64_t after, std::uint32_t limit)
{
    with_caller(callers_, getObject(), std::move(result), [this, after, limit](const Caller& caller, const auto& shared) {
        if (!is_page(limit))
            return return_error(shared, bad_limit);
        handler_.list(caller, after, limit, reply_list<LogEntry>(shared));
    });
}

ProtectionObject::ProtectionObject(sdbus::IConnection& connection, Callers& callers, ProtectionHandler& handler)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), callers_(callers), handler_(handler)
{
    registerAdaptor();
}

void ProtectionObject::emit_changed()
{
    emitChanged();
    getObject().emitPropertiesChangedSignal(INTERFACE_NAME, {sdbus::PropertyName("Module"), sdbus::PropertyName("PausedUntil")});
}

void ProtectionObject::List(sdbus::Result<std::vector<Dictionary>>&& result)
{
    handler_.list(reply_list<Protection>(std::make_shared<sdbus::Result<std::vector<Dictionary>>>(std::move(result))));
}

void ProtectionObject::Pause(sdbus::Result<std::uint64_t>&& result, std::uint32_t minutes)
{
    with_caller(callers_, getObject(), std::move(result), [this, minutes](const Caller& caller, const auto& shared) {
        handler_.pause(caller, minutes,
                       reply_with<UnixTime>(shared, [shared](UnixTime until) { return_results(shared, until); }));
    });
}

void ProtectionObject::Resume(sdbus::Result<>&& result)
{
    with_caller(callers_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { handler_.resume(caller, reply_nothing(shared)); });
}

std::string ProtectionObject::Version()
{
    return TACET_VERSION;
}

SessionsObject::SessionsObject(sdbus::IConnection& connection, Callers& callers, SessionsHandler& handler)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), callers_(callers), handler_(handler)
{
    registerAdaptor();
}

void SessionsObject::Start(sdbus::Result<std::uint64_t>&& result, std::vector<Bytes> command, std::vector<Bytes> environment,
                           Bytes directory, std::vector<sdbus::UnixFd> files, Dictionary options)
{
    auto start = session_from_bus(command, environment, directory, options);
    // The reply comes later than this call: what is passed must be kept until then.
    auto shared_start = std::make_shared<Result<SessionStart>>(std::move(start));
    const std::size_t needed = !*shared_start || (*shared_start)->display.empty() ? 4 : 5;
    if (*shared_start && files.size() == needed) {
        for (std::size_t i = 0; i < files.size(); ++i)
            (*shared_start)->files[i] = UniqueFd(files[i].release());
    } else if (*shared_start) {
        *shared_start = Error{ErrorCode::InvalidArgument, "four files are needed, with a display five"};
    }
    with_caller(callers_, getObject(), std::move(result), [this, shared_start](const Caller& caller, const auto& shared) {
        if (!*shared_start)
            return return_error(shared, shared_start->error());
        handler_.start(caller, std::move(**shared_start),
                       reply_with<SessionId>(shared, [shared](SessionId id) { return_results(shared, id); }));
    });
}

void SessionsObject::List(sdbus::Result<std::vector<Dictionary>>&& result)
{
    with_caller(callers_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { handler_.list(caller, reply_list<PrivateSession>(shared)); });
}

void SessionsObject::End(sdbus::Result<>&& result, std::uint64_t id)
{
    with_caller(callers_, getObject(), std::move(result),
                [this, id](const Caller& caller, const auto& shared) { handler_.end(caller, id, reply_nothing(shared)); });
}

void SessionsObject::EndAll(sdbus::Result<>&& result)
{
    with_caller(callers_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { handler_.end_all(caller, reply_nothing(shared)); });
}

void SessionsObject::Files(sdbus::Result<std::vector<Dictionary>>&& result, std::uint64_t id)
{
    with_caller(callers_, getObject(), std::move(result), [this, id](const Caller& caller, const auto& shared) {
        handler_.files(caller, id, reply_list<SessionChange>(shared));
    });
}

void SessionsObject::Keep(sdbus::Result<>&& result, std::uint64_t id, Bytes path, sdbus::UnixFd file)
{
    const auto kept = std::make_shared<UniqueFd>(file.release());
    const std::string name(path.begin(), path.end());
    with_caller(callers_, getObject(), std::move(result), [this, id, name, kept](const Caller& caller, const auto& shared) {
        handler_.keep(caller, id, name, std::move(*kept), reply_nothing(shared));
    });
}

} // namespace tacet
