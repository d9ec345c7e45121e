// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/breaches/breaches_object.h"

#include "daemon/breaches/question_dictionary.h"
#include "daemon/rules/rule_dictionary.h"

namespace tacet {

BreachesObject::BreachesObject(sdbus::IConnection& connection, CallQueue& calls, BreachService& service)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), calls_(calls), service_(service)
{
    registerAdaptor();
}

void BreachesObject::List(sdbus::Result<std::vector<Dictionary>>&& result)
{
    with_caller(calls_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { service_.list(caller, reply_list<Question>(shared)); });
}

void BreachesObject::Answer(sdbus::Result<std::uint64_t, std::uint32_t>&& result, std::uint64_t id, std::string verdict_text,
                            std::string duration_text, Dictionary scope_dictionary)
{
    const auto verdict = verdict_from_bus(verdict_text);
    const auto duration = duration_from_bus(duration_text);
    const auto scope = scope_from_bus(scope_dictionary);
    with_caller(calls_, getObject(), std::move(result), [=, this](const Caller& caller, const auto& shared) {
        if (!verdict)
            return return_error(shared, verdict.error());
        if (!duration)
            return return_error(shared, duration.error());
        if (!scope)
            return return_error(shared, scope.error());
        service_.answer(caller, {id, *verdict, *duration, *scope},
                        reply_with<Answered>(shared, [shared](const Answered& answered) {
                            return_results(shared, answered.rule, answered.resolved);
                        }));
    });
}

void BreachesObject::Extend(sdbus::Result<std::uint64_t>&& result, std::uint64_t id)
{
    with_caller(calls_, getObject(), std::move(result), [this, id](const Caller& caller, const auto& shared) {
        service_.extend(caller, id, reply_with<BootTime>(shared, [shared](BootTime deadline) {
                            return_results(shared, microseconds(deadline));
                        }));
    });
}

void BreachesObject::RegisterAgent(sdbus::Result<>&& result, sdbus::ObjectPath path)
{
    with_caller(calls_, getObject(), std::move(result), [this, path](const Caller& caller, const auto& shared) {
        service_.register_agent(caller, path, reply_nothing(shared));
    });
}

void BreachesObject::UnregisterAgent(sdbus::Result<>&& result)
{
    with_caller(calls_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { service_.unregister_agent(caller, reply_nothing(shared)); });
}

} // namespace tacet
