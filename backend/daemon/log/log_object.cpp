// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/log/log_object.h"

namespace tacet {

static Dictionary to_bus(const LogEntry& entry)
{
    return {
        {"id", sdbus::Variant(entry.id)},
        {"time", sdbus::Variant(entry.time)},
        {"uid", sdbus::Variant(std::uint32_t{entry.owner})},
        {"kind", variant(entry.kind)},
        {"verdict", variant(entry.verdict)},
        {"rule", sdbus::Variant(entry.rule)},
        {"pid", sdbus::Variant(static_cast<std::uint32_t>(entry.pid))},
        {"executable", variant(entry.executable)},
        {"comm", variant(entry.comm)},
        {"file", variant(entry.file)},
        {"categories", variant(entry.categories)},
        {"sink", variant(entry.sink)},
        {"host", variant(entry.host)},
        {"port", sdbus::Variant(entry.port)},
        {"length", sdbus::Variant(entry.length)},
        {"reason", variant(entry.reason)},
    };
}

LogObject::LogObject(sdbus::IConnection& connection, CallQueue& calls, ActivityLog& service)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), calls_(calls), service_(service)
{
    registerAdaptor();
}

void LogObject::List(sdbus::Result<std::vector<Dictionary>>&& result, std::uint64_t after, std::uint32_t limit)
{
    with_caller(calls_, getObject(), std::move(result), [this, after, limit](const Caller& caller, const auto& shared) {
        if (!is_page(limit))
            return return_error(shared, bad_limit());
        service_.list(caller, after, limit, reply_list<LogEntry>(shared));
    });
}

} // namespace tacet
