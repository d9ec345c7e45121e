// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/rules/rules_object.h"

#include "daemon/rules/rule_dictionary.h"

namespace tacet {

RulesObject::RulesObject(sdbus::IConnection& connection, CallQueue& calls, RuleBook& service)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), calls_(calls), service_(service)
{
    registerAdaptor();
}

void RulesObject::List(sdbus::Result<std::vector<Dictionary>>&& result)
{
    with_caller(calls_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { service_.list(caller, reply_list<ListedRule>(shared)); });
}

void RulesObject::Show(sdbus::Result<Dictionary>&& result, std::uint64_t id)
{
    with_caller(calls_, getObject(), std::move(result), [this, id](const Caller& caller, const auto& shared) {
        service_.show(caller, id,
                      reply_with<ListedRule>(shared, [shared](const ListedRule& rule) { return_results(shared, to_bus(rule)); }));
    });
}

void RulesObject::Add(sdbus::Result<std::uint64_t>&& result, Dictionary rule)
{
    const auto request = rule_from_bus(rule);
    with_caller(calls_, getObject(), std::move(result), [this, request](const Caller& caller, const auto& shared) {
        if (!request)
            return return_error(shared, request.error());
        service_.add(caller, *request, reply_with<RuleId>(shared, [shared](RuleId id) { return_results(shared, id); }));
    });
}

void RulesObject::Remove(sdbus::Result<>&& result, std::uint64_t id)
{
    with_caller(calls_, getObject(), std::move(result),
                [this, id](const Caller& caller, const auto& shared) { service_.remove(caller, id, reply_nothing(shared)); });
}

} // namespace tacet
