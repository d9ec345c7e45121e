// SPDX-License-Identifier: GPL-3.0-or-later
// The only place that talks to tacetd: keeps the state current, registers as agent, carries the person's intentions.
#pragma once

#include "daemonlink.h"
#include "daemonstate.h"
#include "labelledfile.h"
#include "logentry.h"

#include <QTimer>

namespace Tacet {

class Agent;

enum class Operation {
    Answer,
    AddRule,
    RemoveRule,
    AddLabels,
    RemoveLabels,
    Guard,
    ListFiles,
    ListLog,
    Pause,
    Resume,
    EndSession,
    ChangeMemory
};

class DaemonClient : public QObject
{
    Q_OBJECT

public:
    static constexpr QLatin1StringView agentPath{"/org/tacet/App/Agent"};

    explicit DaemonClient(const QDBusConnection &bus, QObject *parent = nullptr);
    ~DaemonClient() override;

    const DaemonState &state() const { return m_state; }

    // Also starts the daemon where D-Bus knows how to; called again to retry.
    void connectToDaemon();

    void answer(quint64 id, const Answer &answer);
    // The person is reading a question: the program waits longer for the answer. The state tells until when.
    void extend(quint64 id);
    void addRule(const RuleDraft &draft);
    void removeRule(quint64 id);
    // The contract knows no change of a rule: the new one is added first, so that there is never none.
    void replaceRule(quint64 id, const RuleDraft &draft);
    void addLabels(const QStringList &paths, const QString &category);
    void removeLabels(const QStringList &paths);
    void guard(const QStringList &categories);
    void listFiles(quint32 offset, quint32 limit);
    void listLog(quint64 after, quint32 limit);
    void pause(quint32 minutes);
    void resume();

    void setMemoryScope(MemoryScope scope);
    void setMemoryLayer(MemoryLayer layer, bool wiped);
    void addMemoryProgram(const QString &path);
    void removeMemoryProgram(const QString &path);

    void refreshSessions();
    void endSession(quint64 id);
    void endAllSessions();
    void listChanges(quint64 id);
    // Answered by boxesListed, or not at all when the daemon does not answer.
    void listBoxes();
    // Copies a file of the session's to an open file, which stays the caller's. Answered by fileCopied or fileNotCopied.
    void copyFile(quint64 id, const QByteArray &path, int file);

Q_SIGNALS:
    void stateChanged(const Tacet::DaemonState &state);
    void questionAsked(const Tacet::Question &question);
    // Sent before the state without the question.
    void questionWithdrawn(quint64 id, Tacet::WithdrawReason reason);
    void answered(quint64 id);
    void answerFailed(quint64 id, const Tacet::DaemonError &error);
    void labelsChanged();
    void labelsRefused(Tacet::Operation operation, const QList<Tacet::LabelFailure> &failures);
    void filesListed(const Tacet::FilePage &page);
    void logAdded();
    void logListed(quint64 after, const QList<Tacet::LogEntry> &entries);
    void changesListed(quint64 id, const QList<Tacet::SessionChange> &changes);
    void boxesListed(const QStringList &names);
    void changesNotListed(quint64 id, const Tacet::DaemonError &error);
    void fileCopied(quint64 id, const QByteArray &path);
    void fileNotCopied(quint64 id, const QByteArray &path, const Tacet::DaemonError &error);
    void failed(Tacet::Operation operation, const Tacet::DaemonError &error);

private:
    void onProperties(const QVariantList &answer);
    void onConnectError(const DaemonError &error);
    void onServiceGone();
    void setConnection(Connection connection);
    void leaveReady(Connection connection);

    void refresh(const contract::Method &method, DaemonLink::OnAnswer onAnswer);
    void refreshAll();
    void refreshProperties();
    void refreshProtections();
    void refreshRules();
    void refreshGuarded();
    void refreshMemory();
    void changeMemory(const contract::Method &method, const QVariantList &arguments);
    void registerAgent();
    void onAsked(const QVariantMap &map);
    void onWithdrawn(quint64 id, const QString &reason);
    void withdraw(quint64 id, WithdrawReason reason);
    void dropQuestion(quint64 id, WithdrawReason reason);
    void changeLabels(Operation operation, const contract::Method &method, const QVariantList &arguments);
    DaemonLink::OnError failure(Operation operation);

    DaemonLink m_link;
    Agent *m_agent;
    DaemonState m_state;
    QTimer m_retryAgent{this};
    bool m_sessionsRequested = false;
    bool m_sessionsOutdated = false;
};

} // namespace Tacet
