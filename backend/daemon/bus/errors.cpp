// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/errors.h"

namespace tacet {
namespace {

const char* short_name(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Failed:
    case ErrorCode::AccessDenied:
        return "Failed";
    case ErrorCode::NotFound:
        return "NotFound";
    case ErrorCode::NotRegular:
        return "NotRegular";
    case ErrorCode::NotOwner:
        return "NotOwner";
    case ErrorCode::NotLabelled:
        return "NotLabelled";
    case ErrorCode::TooMany:
        return "TooMany";
    case ErrorCode::NoXattr:
        return "NoXattr";
    case ErrorCode::ModuleAbsent:
        return "ModuleAbsent";
    case ErrorCode::DiskFull:
        return "DiskFull";
    case ErrorCode::StoreDamaged:
        return "StoreDamaged";
    case ErrorCode::InvalidArgument:
        return "InvalidArgument";
    case ErrorCode::InvalidCategory:
        return "InvalidCategory";
    case ErrorCode::InvalidDuration:
        return "InvalidDuration";
    case ErrorCode::InvalidPath:
        return "InvalidPath";
    case ErrorCode::InvalidScope:
        return "InvalidScope";
    case ErrorCode::InvalidVerdict:
        return "InvalidVerdict";
    case ErrorCode::NoSuchQuestion:
        return "NoSuchQuestion";
    case ErrorCode::NoSuchRule:
        return "NoSuchRule";
    case ErrorCode::NoSuchSession:
        return "NoSuchSession";
    }
    return "Failed";
}

} // namespace

std::string error_name(ErrorCode code)
{
    // The standard name: clients know it from refusals by the bus itself.
    if (code == ErrorCode::AccessDenied)
        return "org.freedesktop.DBus.Error.AccessDenied";
    return std::string("org.tacet.Error.") + short_name(code);
}

sdbus::Error to_bus(const Error& error)
{
    return sdbus::Error(sdbus::Error::Name(error_name(error.code)), error.message);
}

} // namespace tacet
