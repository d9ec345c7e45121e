// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/protection/protection_object.h"

#include "contract/methods.h"

namespace tacet {

static Dictionary to_bus(const Protection& protection)
{
    return {
        {"name", variant(protection.name)},
        {"enforced", sdbus::Variant(protection.enforced)},
        {"by", variant(protection.by)},
        {"detail", variant(protection.detail)},
    };
}

ProtectionObject::ProtectionObject(sdbus::IConnection& connection, CallQueue& calls, ProtectionService& service)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), calls_(calls), service_(service)
{
    registerAdaptor();
}

void ProtectionObject::emit_changed()
{
    emitChanged();
    getObject().emitPropertiesChangedSignal(INTERFACE_NAME,
                                            {sdbus::PropertyName(contract::protection::module_property.data()),
                                             sdbus::PropertyName(contract::protection::paused_until_property.data())});
}

void ProtectionObject::List(sdbus::Result<std::vector<Dictionary>>&& result)
{
    service_.list(reply_list<Protection>(std::make_shared<sdbus::Result<std::vector<Dictionary>>>(std::move(result))));
}

void ProtectionObject::Pause(sdbus::Result<std::uint64_t>&& result, std::uint32_t minutes)
{
    with_caller(calls_, getObject(), std::move(result), [this, minutes](const Caller& caller, const auto& shared) {
        service_.pause(caller, minutes,
                       reply_with<UnixTime>(shared, [shared](UnixTime until) { return_results(shared, until); }));
    });
}

void ProtectionObject::Resume(sdbus::Result<>&& result)
{
    with_caller(calls_, getObject(), std::move(result),
                [this](const Caller& caller, const auto& shared) { service_.resume(caller, reply_nothing(shared)); });
}

std::string ProtectionObject::Version()
{
    return TACET_VERSION;
}

} // namespace tacet
