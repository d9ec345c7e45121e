// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/labels/labels_object.h"

#include <algorithm>

#include "common/bus_path.h"

namespace tacet {

static Dictionary to_bus(const LabelledFile& file)
{
    return {
        {"path", sdbus::Variant(path_to_bus(file.path))},
        {"categories", variant(file.categories)},
        {"uid", sdbus::Variant(std::uint32_t{file.owner})},
        {"derived", sdbus::Variant(file.derived)},
        {"since", sdbus::Variant(file.since)},
        {"missing", sdbus::Variant(file.presence != Presence::Kept)},
        {"presence", variant(to_string(file.presence))},
        {"shadow", sdbus::Variant(file.shadow)},
    };
}

static std::vector<sdbus::Struct<std::string, std::string, std::string>> failures_to_bus(const std::vector<PathFailure>& failures)
{
    std::vector<sdbus::Struct<std::string, std::string, std::string>> out;
    out.reserve(failures.size());
    for (const PathFailure& failure : failures)
        out.emplace_back(path_to_bus(failure.path), std::string(error_name(failure.error.code)), failure.error.message);
    return out;
}

static std::vector<std::string> paths_from_bus(const std::vector<std::string>& texts)
{
    std::vector<std::string> paths(texts.size());
    std::ranges::transform(texts, paths.begin(), path_from_bus);
    return paths;
}

LabelsObject::LabelsObject(sdbus::IConnection& connection, CallQueue& calls, LabelService& service)
    : AdaptorInterfaces(connection, sdbus::ObjectPath(object_path)), calls_(calls), service_(service)
{
    registerAdaptor();
}

void LabelsObject::Add(sdbus::Result<Failures>&& result, std::vector<std::string> paths, std::string category)
{
    with_caller(calls_, getObject(), std::move(result),
                [this, paths = std::move(paths), category](const Caller& caller, const auto& shared) {
                    service_.add(caller, paths_from_bus(paths), category,
                                 reply_with<std::vector<PathFailure>>(shared, [shared](const auto& failures) {
                                     return_results(shared, failures_to_bus(failures));
                                 }));
                });
}

void LabelsObject::Remove(sdbus::Result<Failures>&& result, std::vector<std::string> paths)
{
    with_caller(calls_, getObject(), std::move(result),
                [this, paths = std::move(paths)](const Caller& caller, const auto& shared) {
                    service_.remove(caller, paths_from_bus(paths),
                                    reply_with<std::vector<PathFailure>>(shared, [shared](const auto& failures) {
                                        return_results(shared, failures_to_bus(failures));
                                    }));
                });
}

void LabelsObject::Show(sdbus::Result<Dictionary>&& result, std::string path)
{
    with_caller(calls_, getObject(), std::move(result), [this, path](const Caller& caller, const auto& shared) {
        service_.show(caller, path_from_bus(path), reply_with<LabelledFile>(shared, [shared](const LabelledFile& file) {
                          return_results(shared, to_bus(file));
                      }));
    });
}

void LabelsObject::List(sdbus::Result<std::vector<Dictionary>, std::uint32_t>&& result, std::uint32_t offset, std::uint32_t limit)
{
    with_caller(calls_, getObject(), std::move(result), [this, offset, limit](const Caller& caller, const auto& shared) {
        if (!is_page(limit))
            return return_error(shared, bad_limit());
        service_.list(caller, offset, limit, reply_with<FilePage>(shared, [shared](const FilePage& page) {
                          return_results(shared, to_bus(page.files), page.total);
                      }));
    });
}

void LabelsObject::Guard(sdbus::Result<>&& result, std::vector<std::string> categories)
{
    with_caller(calls_, getObject(), std::move(result), [this, categories](const Caller& caller, const auto& shared) {
        service_.guard(caller, categories, reply_nothing(shared));
    });
}

void LabelsObject::Guarded(sdbus::Result<std::vector<std::string>>&& result)
{
    with_caller(calls_, getObject(), std::move(result), [this](const Caller& caller, const auto& shared) {
        service_.guarded(caller, reply_with<std::vector<std::string>>(
                                     shared, [shared](const std::vector<std::string>& kinds) { return_results(shared, kinds); }));
    });
}

} // namespace tacet
