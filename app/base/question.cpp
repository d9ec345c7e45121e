// SPDX-License-Identifier: GPL-3.0-or-later
#include "question.h"

#include "fields.h"
#include "timestamps.h"

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

void parseProcess(Fields &fields, Question &question)
{
    question.pid = fields.required<quint32>("pid"_L1);
    question.executable = fields.required<QString>("executable"_L1);
    question.command = fields.optional<QStringList>("command"_L1);
    question.comm = fields.optional<QString>("comm"_L1);
    question.parent = fields.optional<QString>("parent"_L1);
    question.binaryChanged = fields.optional<bool>("binary_changed"_L1);
}

void parseDestination(Fields &fields, Question &question)
{
    question.address = fields.optional<QString>("address"_L1);
    question.host = fields.optional<QString>("host"_L1);
    question.port = fields.optional<quint16>("port"_L1);
    question.protocol = fields.optional<QString>("protocol"_L1);
    question.target = fields.optional<QString>("target"_L1);
    if (question.host.isEmpty())
        question.host = question.address;
    question.sink = fields.required("sink"_L1, contract::parse_sink);
}

void parseData(Fields &fields, Question &question)
{
    question.file = fields.optional<QString>("file"_L1);
    question.chain = fields.optional<QStringList>("chain"_L1);
    question.categories = fields.optional<QStringList>("categories"_L1);
    question.tainted = fields.optional<bool>("tainted"_L1);
    question.removes = fields.optional<bool>("removes"_L1);
    question.inSession = fields.optional<bool>("in_session"_L1);
    question.canTakeOver = fields.optional<bool>("can_take_over"_L1);
    question.length = fields.optional<quint64>("length"_L1);
    question.scrubbedLength = fields.optional<quint64>("scrubbed_length"_L1);
    question.preview = fields.optional<QByteArray>("preview"_L1);
    question.scrubbedPreview = fields.optional<QByteArray>("scrubbed_preview"_L1);
    question.callsEqual = fields.optional<quint64>("calls_equal"_L1);
    question.callsTotal = fields.optional<quint64>("calls_total"_L1);
    question.callsRealigned = fields.optional<quint64>("calls_realigned"_L1);
    if (question.callsEqual > question.callsTotal)
        fields.reject("calls_equal"_L1);
}

} // namespace

std::optional<Question> Question::parse(const QVariantMap &map)
{
    Fields fields(map);
    Question question;
    question.id = fields.required<quint64>("id"_L1);
    question.time = fromUnixTime(fields.optional<quint64>("time"_L1));
    question.expires = fields.required<quint64>("expires"_L1);
    parseProcess(fields, question);
    parseDestination(fields, question);
    parseData(fields, question);
    if (!fields.isValid() || question.id == 0)
        return std::nullopt;
    return question;
}

QString Question::appName() const
{
    const QString name = executable.section(u'/', -1);
    return name.isEmpty() ? comm : name;
}

bool Question::isSimilarTo(const Question &other) const
{
    return id != other.id && executable == other.executable && sink == other.sink && host == other.host && port == other.port
           && target == other.target && removes == other.removes && tainted == other.tainted && canTakeOver == other.canTakeOver
           && inSession == other.inSession;
}

} // namespace Tacet
