// SPDX-License-Identifier: GPL-3.0-or-later
#include "logentry.h"

#include "fields.h"
#include "timestamps.h"

#include <array>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

// A kind that a newer daemon adds is shown by its code instead of hidden.
LogKind kindOf(const QString &code)
{
    constexpr std::array kinds{
        std::pair{LogKind::Answered, "answered"_L1}, std::pair{LogKind::Rule, "rule"_L1},
        std::pair{LogKind::Missed, "missed"_L1},     std::pair{LogKind::Paused, "paused"_L1},
        std::pair{LogKind::Labelled, "labelled"_L1}, std::pair{LogKind::Unlabelled, "unlabelled"_L1},
        std::pair{LogKind::Derived, "derived"_L1},   std::pair{LogKind::Tainted, "tainted"_L1},
        std::pair{LogKind::Refused, "refused"_L1},   std::pair{LogKind::Lost, "lost"_L1},
    };
    for (const auto &[kind, word] : kinds) {
        if (word == code)
            return kind;
    }
    return LogKind::Other;
}

} // namespace

std::optional<LogEntry> LogEntry::parse(const QVariantMap &map)
{
    Fields fields(map);
    LogEntry entry;
    entry.id = fields.required<quint64>("id"_L1);
    entry.time = fromUnixTime(fields.required<quint64>("time"_L1));
    entry.kindCode = fields.required<QString>("kind"_L1);
    entry.kind = kindOf(entry.kindCode);
    entry.verdict = codeOf(fields.optional<QString>("verdict"_L1), contract::parse_verdict);
    entry.rule = fields.optional<quint64>("rule"_L1);
    entry.pid = fields.optional<quint32>("pid"_L1);
    entry.executable = fields.optional<QString>("executable"_L1);
    entry.comm = fields.optional<QString>("comm"_L1);
    entry.file = fields.optional<QString>("file"_L1);
    entry.categories = fields.optional<QStringList>("categories"_L1);
    entry.sink = codeOf(fields.optional<QString>("sink"_L1), contract::parse_sink).value_or(Sink::Network);
    entry.host = fields.optional<QString>("host"_L1);
    entry.port = fields.optional<quint16>("port"_L1);
    entry.length = fields.optional<quint64>("length"_L1);
    entry.reason = fields.optional<QString>("reason"_L1);
    if (!fields.isValid() || entry.id == 0)
        return std::nullopt;
    return entry;
}

QString LogEntry::appName() const
{
    const QString name = executable.section(u'/', -1);
    return name.isEmpty() ? comm : name;
}

bool LogEntry::isDecision() const
{
    switch (kind) {
    case LogKind::Answered:
    case LogKind::Rule:
    case LogKind::Missed:
    case LogKind::Paused:
    case LogKind::Refused:
        return true;
    default:
        return false;
    }
}

bool LogEntry::isAboutChange() const
{
    return reason == "change"_L1 || reason == "removal"_L1;
}

} // namespace Tacet
