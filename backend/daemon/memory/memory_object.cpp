// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/memory/memory_object.h"

namespace tacet {

MemoryObject::MemoryObject(sdbus::IConnection& connection, CallQueue& calls, MemoryService& service)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), calls_(calls), service_(service)
{
    registerAdaptor();
}

void MemoryObject::Policy(sdbus::Result<std::string, std::vector<std::string>, std::vector<std::string>>&& result)
{
    with_caller(calls_, getObject(), std::move(result), [this](const Caller& caller, const auto& shared) {
        service_.policy(caller, reply_with<MemoryPolicy>(shared, [shared](const MemoryPolicy& policy) {
                            std::vector<std::string> layers;
                            for (const contract::MemoryLayer layer : policy.layers)
                                layers.emplace_back(to_string(layer));
                            return_results(shared, std::string(to_string(policy.scope)), layers, policy.programs);
                        }));
    });
}

void MemoryObject::SetScope(sdbus::Result<>&& result, std::string scope)
{
    with_caller(calls_, getObject(), std::move(result), [this, scope](const Caller& caller, const auto& shared) {
        const auto known = contract::parse_memory_scope(scope);
        if (known)
            service_.set_scope(caller, *known, reply_nothing(shared));
        else
            return_error(shared, Error{ErrorCode::InvalidScope, "unknown scope: " + scope});
    });
}

void MemoryObject::SetLayer(sdbus::Result<>&& result, std::string layer, bool cleared)
{
    with_caller(calls_, getObject(), std::move(result), [this, layer, cleared](const Caller& caller, const auto& shared) {
        const auto known = contract::parse_memory_layer(layer);
        if (known)
            service_.set_layer(caller, *known, cleared, reply_nothing(shared));
        else
            return_error(shared, Error{ErrorCode::InvalidArgument, "unknown layer: " + layer});
    });
}

void MemoryObject::AddProgram(sdbus::Result<>&& result, std::string path)
{
    with_caller(calls_, getObject(), std::move(result), [this, path](const Caller& caller, const auto& shared) {
        service_.add_program(caller, path, reply_nothing(shared));
    });
}

void MemoryObject::RemoveProgram(sdbus::Result<>&& result, std::string path)
{
    with_caller(calls_, getObject(), std::move(result), [this, path](const Caller& caller, const auto& shared) {
        service_.remove_program(caller, path, reply_nothing(shared));
    });
}

void MemoryObject::MakeTags(sdbus::Result<Numbers>&& result, std::uint32_t count)
{
    with_caller(calls_, getObject(), std::move(result), [this, count](const Caller&, const auto& shared) {
        service_.make_tags(count, reply_with<Numbers>(shared, [shared](const Numbers& tags) { return_results(shared, tags); }));
    });
}

void MemoryObject::CountStamps(sdbus::Result<Numbers>&& result, Numbers tags)
{
    with_caller(calls_, getObject(), std::move(result), [this, tags](const Caller&, const auto& shared) {
        service_.count_stamps(tags,
                              reply_with<Numbers>(shared, [shared](const Numbers& counts) { return_results(shared, counts); }));
    });
}

} // namespace tacet
