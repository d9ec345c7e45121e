// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/server.h"

#include <systemd/sd-bus.h>

#include <system_error>

#include "contract/methods.h"

namespace tacet {
namespace {

std::unique_ptr<sdbus::IConnection> connect(EventLoop& loop, CallFilter& filter)
{
    sd_bus* bus = nullptr;
    if (const int status = sd_bus_open_system(&bus); status < 0)
        throw std::system_error(-status, std::generic_category(), "the system bus");
    filter.attach(bus);
    auto connection = sdbus::createBusConnection(bus);
    connection->attachSdEventLoop(loop.get());
    return connection;
}

// A signal that cannot be sent is no reason to fail: clients read the state again when they come back.
template <typename Object, typename Emit>
void emit(const std::unique_ptr<Object>& object, Emit emit_signal)
{
    if (object == nullptr)
        return;
    try {
        emit_signal(*object);
    } catch (const sdbus::Error&) {
    }
}

} // namespace

BusServer::BusServer(EventLoop& loop)
    : connection_(connect(loop, filter_)),
      callers_(*connection_),
      calls_(*connection_, callers_, filter_, accounts_, loop),
      agents_(*connection_, loop),
      authority_(*connection_, accounts_)
{
    forget_leavers();
}

void BusServer::forget_leavers()
{
    connection_->addMatch("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''",
                          [this](sdbus::Message message) {
                              std::string name;
                              message >> name;
                              callers_.forget(name);
                              agents_.forget(name);
                              authority_.forget(name);
                          });
}

void BusServer::publish(const Services& services)
{
    labels_ = std::make_unique<LabelsObject>(*connection_, calls_, services.labels);
    breaches_ = std::make_unique<BreachesObject>(*connection_, calls_, services.breaches);
    rules_ = std::make_unique<RulesObject>(*connection_, calls_, services.rules);
    log_ = std::make_unique<LogObject>(*connection_, calls_, services.log);
    protection_ = std::make_unique<ProtectionObject>(*connection_, calls_, services.protection);
    sessions_ = std::make_unique<SessionsObject>(*connection_, calls_, services.sessions);
    memory_ = std::make_unique<MemoryObject>(*connection_, calls_, services.memory);
    connection_->requestName(sdbus::ServiceName(std::string(contract::service)));
}

void BusServer::labels_changed(uid_t owner)
{
    emit(labels_, [&](LabelsObject& object) { object.emitChanged(owner); });
}

void BusServer::breaches_changed(uid_t owner)
{
    emit(breaches_, [&](BreachesObject& object) { object.emitChanged(owner); });
}

void BusServer::rules_changed(uid_t owner)
{
    emit(rules_, [&](RulesObject& object) { object.emitChanged(owner); });
}

void BusServer::log_added(uid_t owner, std::uint64_t id)
{
    emit(log_, [&](LogObject& object) { object.emitAdded(owner, id); });
}

void BusServer::protection_changed()
{
    emit(protection_, [](ProtectionObject& object) { object.emit_changed(); });
}

void BusServer::sessions_changed(uid_t owner)
{
    emit(sessions_, [&](SessionsObject& object) { object.emitChanged(owner); });
}

} // namespace tacet
