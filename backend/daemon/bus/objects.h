// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's interfaces on the bus: arguments checked and translated, then handed on.
#pragma once

#include <memory>

#include "breaches_adaptor.h"
#include "labels_adaptor.h"
#include "log_adaptor.h"
#include "protection_adaptor.h"
#include "rules_adaptor.h"
#include "sessions_adaptor.h"

#include "daemon/bus/call.h"
#include "daemon/bus/dictionary.h"

namespace tacet {

inline constexpr const char* object_path = "/org/tacet/Tacet1";
inline constexpr std::uint32_t contract_version = 1;

class LabelsObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Labels_adaptor> {
public:
    LabelsObject(sdbus::IConnection& connection, Callers& callers, LabelsHandler& handler);
    ~LabelsObject() { unregisterAdaptor(); }

private:
    using Failures = std::vector<sdbus::Struct<std::string, std::string, std::string>>;

    void Add(sdbus::Result<Failures>&& result, std::vector<std::string> paths, std::string category) override;
    void Remove(sdbus::Result<Failures>&& result, std::vector<std::string> paths) override;
    void Show(sdbus::Result<Dictionary>&& result, std::string path) override;
    void List(sdbus::Result<std::vector<Dictionary>, std::uint32_t>&& result, std::uint32_t offset, std::uint32_t limit) override;
    void Guard(sdbus::Result<>&& result, std::vector<std::string> categories) override;
    void Guarded(sdbus::Result<std::vector<std::string>>&& result) override;

    Callers& callers_;
    LabelsHandler& handler_;
};

class BreachesObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Breaches_adaptor> {
public:
    BreachesObject(sdbus::IConnection& connection, Callers& callers, BreachesHandler& handler);
    ~BreachesObject() { unregisterAdaptor(); }

private:
    void List(sdbus::Result<std::vector<Dictionary>>&& result) override;
    void Answer(sdbus::Result<std::uint64_t, std::uint32_t>&& result, std::uint64_t id, std::string verdict, std::string duration,
                Dictionary scope) override;
    void RegisterAgent(sdbus::Result<>&& result, sdbus::ObjectPath path) override;
    void UnregisterAgent(sdbus::Result<>&& result) override;

    Callers& callers_;
    BreachesHandler& handler_;
};

class RulesObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Rules_adaptor> {
public:
    RulesObject(sdbus::IConnection& connection, Callers& callers, RulesHandler& handler);
    ~RulesObject() { unregisterAdaptor(); }

private:
    void List(sdbus::Result<std::vector<Dictionary>>&& result) override;
    void Add(sdbus::Result<std::uint64_t>&& result, Dictionary rule) override;
    void Remove(sdbus::Result<>&& result, std::uint64_t id) override;

    Callers& callers_;
    RulesHandler& handler_;
};

class LogObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Log_adaptor> {
public:
    LogObject(sdbus::IConnection& connection, Callers& callers, LogHandler& handler);
    ~LogObject() { unregisterAdaptor(); }

private:
    void List(sdbus::Result<std::vector<Dictionary>>&& result, std::uint64_t after, std::uint32_t limit) override;

    Callers& callers_;
    LogHandler& handler_;
};

class ProtectionObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Protection_adaptor> {
public:
    ProtectionObject(sdbus::IConnection& connection, Callers& callers, ProtectionHandler& handler);
    ~ProtectionObject() { unregisterAdaptor(); }

    void emit_changed();

private:
    void List(sdbus::Result<std::vector<Dictionary>>&& result) override;
    void Pause(sdbus::Result<std::uint64_t>&& result, std::uint32_t minutes) override;
    void Resume(sdbus::Result<>&& result) override;
    std::string Version() override;
    std::uint32_t Contract() override { return contract_version; }
    std::string Module() override { return handler_.module_state(); }
    std::uint64_t PausedUntil() override { return handler_.paused_until(); }

    Callers& callers_;
    ProtectionHandler& handler_;
};

class SessionsObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Sessions_adaptor> {
public:
    SessionsObject(sdbus::IConnection& connection, Callers& callers, SessionsHandler& handler);
    ~SessionsObject() { unregisterAdaptor(); }

private:
    using Bytes = std::vector<std::uint8_t>;

    void Start(sdbus::Result<std::uint64_t>&& result, std::vector<Bytes> command, std::vector<Bytes> environment, Bytes directory,
               std::vector<sdbus::UnixFd> files, Dictionary options) override;
    void List(sdbus::Result<std::vector<Dictionary>>&& result) override;
    void End(sdbus::Result<>&& result, std::uint64_t id) override;
    void EndAll(sdbus::Result<>&& result) override;
    void Files(sdbus::Result<std::vector<Dictionary>>&& result, std::uint64_t id) override;
    void Keep(sdbus::Result<>&& result, std::uint64_t id, Bytes path, sdbus::UnixFd file) override;

    Callers& callers_;
    SessionsHandler& handler_;
};

} // namespace tacet
