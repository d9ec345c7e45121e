// SPDX-License-Identifier: GPL-3.0-or-later
// How long freed data stays in this computer's memory, and what wiping it costs: it runs tacet(1), which measures both.
#pragma once

#include <QObject>
#include <QPointer>

#include <optional>

class QProcess;

namespace Tacet {

class MemoryProbe : public QObject
{
    Q_OBJECT

public:
    // How many stamps are still in memory.
    struct Moment
    {
        QString name;      // such as "1 min"
        qint64 other = 0;  // of a program like any other
        qint64 chosen = 0; // of one that is chosen

        bool operator==(const Moment &) const = default;
    };

    // How much longer a chosen program takes, over all kinds of work, in percent.
    struct Cost
    {
        double least = 0;
        double most = 0;
    };

    explicit MemoryProbe(QObject *parent = nullptr) : QObject(parent) {}
    ~MemoryProbe() override;

    // Both do nothing while one of them runs. counted() comes for each moment of a minute.
    void look();
    void measureCost();
    bool isRunning() const { return !m_process.isNull(); }

    // Lines of `tacet memory probe --live`, and the output of `tacet memory cost --json`.
    static std::optional<Moment> parseMoment(const QByteArray &line);
    static std::optional<Cost> parseCost(const QByteArray &output);

Q_SIGNALS:
    void counted(const Tacet::MemoryProbe::Moment &moment);
    void costMeasured(const Tacet::MemoryProbe::Cost &cost);
    // It runs no more. why: a sentence, or empty if all went well.
    void ended(const QString &why);

private:
    QProcess *start(const QStringList &arguments);
    void onFinished(int status);

    QPointer<QProcess> m_process;
};

} // namespace Tacet
