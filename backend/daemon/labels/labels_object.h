// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's interface Labels on the bus: it checks and translates arguments for the service.
#pragma once

#include "labels_adaptor.h"

#include "daemon/bus/call.h"
#include "daemon/labels/label_service.h"

namespace tacet {

class LabelsObject final : public sdbus::AdaptorInterfaces<org::tacet::Tacet1::Labels_adaptor> {
public:
    LabelsObject(sdbus::IConnection& connection, CallQueue& calls, LabelService& service);
    ~LabelsObject() { unregisterAdaptor(); }

private:
    using Failures = std::vector<sdbus::Struct<std::string, std::string, std::string>>;

    void Add(sdbus::Result<Failures>&& result, std::vector<std::string> paths, std::string category) override;
    void Remove(sdbus::Result<Failures>&& result, std::vector<std::string> paths) override;
    void Show(sdbus::Result<Dictionary>&& result, std::string path) override;
    void List(sdbus::Result<std::vector<Dictionary>, std::uint32_t>&& result, std::uint32_t offset, std::uint32_t limit) override;
    void Guard(sdbus::Result<>&& result, std::vector<std::string> categories) override;
    void Guarded(sdbus::Result<std::vector<std::string>>&& result) override;

    CallQueue& calls_;
    LabelService& service_;
};

} // namespace tacet
