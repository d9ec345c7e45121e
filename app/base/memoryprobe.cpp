// SPDX-License-Identifier: GPL-3.0-or-later
#include "memoryprobe.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

constexpr auto minute = "60"_L1;

} // namespace

MemoryProbe::~MemoryProbe()
{
    if (m_process)
        m_process->disconnect(this);
}

std::optional<MemoryProbe::Moment> MemoryProbe::parseMoment(const QByteArray &line)
{
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const QJsonValue left = object["left"_L1];
    if (!left.isArray())
        return {};
    Moment moment{object["moment"_L1].toString(), 0, 0};
    const auto counts = left.toArray();
    for (const QJsonValue &count : counts)
        (count["chosen"_L1].toBool() ? moment.chosen : moment.other) += count["count"_L1].toInteger();
    return moment;
}

std::optional<MemoryProbe::Cost> MemoryProbe::parseCost(const QByteArray &output)
{
    const QJsonArray kinds = QJsonDocument::fromJson(output).array();
    Cost cost{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
    for (const QJsonValue &kind : kinds) {
        const double other = kind["other_us"_L1].toDouble(), chosen = kind["chosen_us"_L1].toDouble();
        if (other <= 0)
            return {};
        cost.least = std::min(cost.least, 100 * (chosen / other - 1));
        cost.most = std::max(cost.most, 100 * (chosen / other - 1));
    }
    return kinds.isEmpty() ? std::nullopt : std::optional(cost);
}

QProcess *MemoryProbe::start(const QStringList &arguments)
{
    m_process = new QProcess(this);
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setStandardErrorFile(QProcess::nullDevice());
    connect(m_process, &QProcess::finished, this, &MemoryProbe::onFinished);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            onFinished(-1);
    });
    m_process->start(u"tacet"_s, arguments);
    return m_process;
}

void MemoryProbe::look()
{
    if (isRunning())
        return;
    QProcess *process = start({u"memory"_s, u"probe"_s, u"--live"_s, u"--for"_s, minute});
    connect(process, &QProcess::readyReadStandardOutput, this, [this, process] {
        while (process->canReadLine()) {
            if (const auto moment = parseMoment(process->readLine()))
                Q_EMIT counted(*moment);
        }
    });
}

void MemoryProbe::measureCost()
{
    if (isRunning())
        return;
    QProcess *process = start({u"memory"_s, u"cost"_s, u"--json"_s});
    connect(process, &QProcess::finished, this, [this, process] {
        if (const auto cost = parseCost(process->readAllStandardOutput()))
            Q_EMIT costMeasured(*cost);
    });
}

void MemoryProbe::onFinished(int status)
{
    m_process->deleteLater();
    m_process = nullptr;
    QString why;
    if (status < 0)
        why = tr("The program tacet was not found. It belongs to the package tacet.");
    else if (status > 0)
        why = tr("It could not be measured. In a terminal, “tacet memory probe” says why.");
    Q_EMIT ended(why);
}

} // namespace Tacet
