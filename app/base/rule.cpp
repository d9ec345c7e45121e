// SPDX-License-Identifier: GPL-3.0-or-later
#include "rule.h"

#include "fields.h"
#include "timestamps.h"

using namespace Qt::StringLiterals;

namespace Tacet {

QVariantMap RuleScope::toMap() const
{
    return {
        {u"subject_kind"_s, wordOf(subjectKind)}, {u"subject"_s, subject},   {u"executable"_s, executable}, {u"host"_s, host},
        {u"port"_s, QVariant::fromValue(port)},   {u"sink"_s, wordOf(sink)},
    };
}

QVariantMap RuleDraft::toMap() const
{
    QVariantMap map = scope.toMap();
    map.insert(u"verdict"_s, wordOf(verdict));
    map.insert(u"duration"_s, wordOf(duration));
    return map;
}

std::optional<Rule> Rule::parse(const QVariantMap &map)
{
    Fields fields(map);
    Rule rule;
    rule.id = fields.required<quint64>("id"_L1);
    rule.uid = fields.optional<quint32>("uid"_L1);
    rule.pid = fields.optional<quint32>("pid"_L1);
    rule.expires = fromUnixTime(fields.optional<quint64>("expires"_L1));
    rule.created = fromUnixTime(fields.optional<quint64>("created"_L1));
    rule.hits = fields.optional<quint64>("hits"_L1);

    RuleScope &scope = rule.draft.scope;
    scope.subject = fields.optional<QString>("subject"_L1);
    scope.executable = fields.optional<QString>("executable"_L1);
    scope.host = fields.optional<QString>("host"_L1);
    scope.port = fields.optional<quint16>("port"_L1);
    scope.sink = fields.required("sink"_L1, contract::parse_sink);
    scope.subjectKind = fields.required("subject_kind"_L1, contract::parse_subject_kind);

    rule.draft.verdict = fields.required("verdict"_L1, contract::parse_verdict);
    rule.draft.duration = fields.required("duration"_L1, contract::parse_duration);
    if (!fields.isValid() || rule.id == 0)
        return std::nullopt;
    return rule;
}

} // namespace Tacet
