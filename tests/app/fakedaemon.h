// SPDX-License-Identifier: GPL-3.0-or-later
// Starts tests/app/fakedaemon.py and tells it what to do.
#pragma once

#include <QDBusConnection>
#include <QList>
#include <QProcess>
#include <QVariantMap>

namespace Tacet {

class FakeDaemon
{
public:
    FakeDaemon();
    ~FakeDaemon();

    bool start();
    // As a crash: without a word to anybody.
    void kill();

    void ask(const QVariantMap &question);
    void withdraw(quint64 id, const QString &reason);
    // The agents' session: all open questions are asked again.
    void becomeActive();
    void setProperty(const QString &name, const QVariant &value);
    void setList(const QString &name, const QList<QVariantMap> &values);
    void addEntry(const QVariantMap &entry);
    void setManyFiles(uint count);
    void refuse(const QString &method, const QString &error);
    void ignore(const QString &method);
    // The program's calls, as JSON arrays: name and arguments.
    QStringList calls();
    QStringList callsOf(const QString &method);

private:
    QVariantList control(const QString &method, const QVariantList &arguments = {});

    QDBusConnection m_bus;
    QProcess m_process;
};

// A question as the daemon sends it; tests change what they are about.
QVariantMap questionMap(quint64 id, const QString &file = QStringLiteral("/home/anna/Documents/salaries.csv"));

} // namespace Tacet
