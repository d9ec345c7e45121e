// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's codes for the app. The enumerations and their words are generated from dbus/*.xml; here is the way to Qt's texts.
#pragma once

#include "contract/codes.h"

#include <QLatin1StringView>
#include <QString>

#include <optional>
#include <string_view>

namespace Tacet {

namespace contract = ::tacet::contract;

using contract::ChangeType;
using contract::Duration;
using contract::ErrorCode;
using contract::FileKind;
using contract::MemoryLayer;
using contract::MemoryScope;
using contract::ModuleState;
using contract::SessionState;
using contract::Sink;
using contract::SubjectKind;
using contract::Verdict;
using contract::WithdrawReason;

// For the contract's literals, which are ASCII and end with NUL.
constexpr QLatin1StringView latin1(std::string_view text)
{
    return {text.data(), qsizetype(text.size())};
}

template <typename Code>
QString wordOf(Code code)
{
    return latin1(contract::to_string(code));
}

// parse: one of the contract's, such as contract::parse_verdict.
template <typename Code>
std::optional<Code> codeOf(const QString &word, std::optional<Code> (*parse)(std::string_view))
{
    return parse(word.toStdString());
}

} // namespace Tacet
