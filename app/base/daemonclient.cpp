// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemonclient.h"

#include "agent.h"
#include "agentadaptor.h"
#include "dbuslists.h"
#include "fields.h"
#include "timestamps.h"

#include <QDBusObjectPath>

#include <algorithm>
#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Tacet {

namespace {

bool isDenied(const DaemonError &error)
{
    return error.name == "org.freedesktop.DBus.Error.AccessDenied"_L1
        || error.name == "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired"_L1;
}

// A daemon of another generation may not have the interface, or answer in another form.
bool isMismatch(const DaemonError &error)
{
    return error.name == "org.freedesktop.DBus.Error.UnknownInterface"_L1
        || error.name == "org.freedesktop.DBus.Error.UnknownObject"_L1
        || error.name == "org.freedesktop.DBus.Error.UnknownMethod"_L1
        || error.name == "org.freedesktop.DBus.Error.InvalidArgs"_L1
        || error.name == "org.freedesktop.DBus.Error.InvalidSignature"_L1;
}

} // namespace

DaemonClient::DaemonClient(const QDBusConnection &bus, QObject *parent)
    : QObject(parent)
    , m_link(bus)
    , m_agent(new Agent(&m_link, this))
{
    // Deletes itself with m_agent.
    new AgentAdaptor(m_agent);
    if (!m_link.exportObject(agentPath, m_agent))
        qCWarning(logClient) << "cannot export the agent object";

    connect(m_agent, &Agent::asked, this, &DaemonClient::onAsked);
    connect(m_agent, &Agent::withdrawn, this, &DaemonClient::onWithdrawn);
    connect(&m_link, &DaemonLink::serviceAppeared, this, &DaemonClient::connectToDaemon);
    connect(&m_link, &DaemonLink::serviceGone, this, &DaemonClient::onServiceGone);
    connect(&m_link, &DaemonLink::protectionChanged, this, &DaemonClient::refreshProperties);
    connect(&m_link, &DaemonLink::breachesChanged, this, &DaemonClient::refreshQuestions);
    connect(&m_link, &DaemonLink::rulesChanged, this, &DaemonClient::refreshRules);
    connect(&m_link, &DaemonLink::labelsChanged, this, &DaemonClient::labelsChanged);
    connect(&m_link, &DaemonLink::labelsChanged, this, &DaemonClient::refreshGuarded);
    connect(&m_link, &DaemonLink::logAdded, this, &DaemonClient::logAdded);
    connect(&m_link, &DaemonLink::sessionsChanged, this, &DaemonClient::refreshSessions);

    m_retryAgent.setSingleShot(true);
    m_retryAgent.setInterval(20s);
    connect(&m_retryAgent, &QTimer::timeout, this, &DaemonClient::registerAgent);
}

DaemonClient::~DaemonClient() = default;

void DaemonClient::connectToDaemon()
{
    if (!m_state.isReady())
        setConnection(Connection::Connecting);
    refreshProperties();
}

void DaemonClient::refreshProperties()
{
    m_link.call({.interface = u"org.freedesktop.DBus.Properties"_s,
                 .method = u"GetAll"_s,
                 .arguments = {u"org.tacet.Tacet1.Protection"_s},
                 .answer = u"a{sv}"_s},
                [this](const QVariantList &arguments) { onProperties(arguments); },
                [this](const DaemonError &error) { onConnectError(error); });
}

void DaemonClient::onProperties(const QVariantList &arguments)
{
    const auto map = qdbus_cast<QVariantMap>(arguments.first());
    Fields fields(map);
    m_state.version = fields.optional<QString>("Version"_L1);
    m_state.contract = fields.required<quint32>("Contract"_L1);
    const auto module = moduleStateOf(fields.optional<QString>("Module"_L1));
    const auto pausedUntil = fromUnixTime(fields.optional<quint64>("PausedUntil"_L1));
    if (!fields.isValid() || m_state.contract != contractVersion || !module) {
        leaveReady(Connection::Mismatch);
        return;
    }
    m_state.module = *module;
    m_state.pausedUntil = pausedUntil;
    if (m_state.isReady()) {
        refreshProtections();
        Q_EMIT stateChanged(m_state);
        return;
    }
    setConnection(Connection::Ready);
    refreshAll();
}

void DaemonClient::onConnectError(const DaemonError &error)
{
    if (isDenied(error))
        leaveReady(Connection::Denied);
    else if (isMismatch(error))
        leaveReady(Connection::Mismatch);
    else
        leaveReady(Connection::Absent);
}

void DaemonClient::onServiceGone()
{
    leaveReady(Connection::Absent);
}

void DaemonClient::setConnection(Connection connection)
{
    m_state.connection = connection;
    Q_EMIT stateChanged(m_state);
}

void DaemonClient::leaveReady(Connection connection)
{
    m_retryAgent.stop();
    m_questionsRequested = false;
    m_questionsOutdated = false;
    m_sessionsRequested = false;
    m_sessionsOutdated = false;
    m_state.agentRegistered = false;
    m_state.protections.clear();
    m_state.rules.clear();
    m_state.guarded.clear();
    m_state.sessions.clear();
    while (!m_state.questions.isEmpty())
        dropQuestion(m_state.questions.constFirst().id, WithdrawReason::Gone);
    setConnection(connection);
}

void DaemonClient::refreshAll()
{
    refreshProtections();
    refreshRules();
    refreshGuarded();
    registerAgent();
    refreshQuestions();
    refreshSessions();
    Q_EMIT labelsChanged();
    Q_EMIT logAdded();
}

void DaemonClient::refreshProtections()
{
    m_link.call({.interface = u"Protection"_s, .method = u"List"_s, .answer = u"aa{sv}"_s},
                [this](const QVariantList &arguments) {
                    m_state.protections = parseList<Protection>(arguments.first());
                    Q_EMIT stateChanged(m_state);
                },
                [](const DaemonError &error) { qCWarning(logClient) << "protections:" << error.name << error.message; });
}

void DaemonClient::refreshRules()
{
    if (!m_state.isReady())
        return;
    m_link.call({.interface = u"Rules"_s, .method = u"List"_s, .answer = u"aa{sv}"_s},
                [this](const QVariantList &arguments) {
                    m_state.rules = parseList<Rule>(arguments.first());
                    Q_EMIT stateChanged(m_state);
                },
                [](const DaemonError &error) { qCWarning(logClient) << "rules:" << error.name << error.message; });
}

void DaemonClient::refreshGuarded()
{
    if (!m_state.isReady())
        return;
    m_link.call({.interface = u"Labels"_s, .method = u"Guarded"_s, .answer = u"as"_s},
                [this](const QVariantList &arguments) {
                    m_state.guarded = arguments.first().toStringList();
                    Q_EMIT stateChanged(m_state);
                },
                [](const DaemonError &error) { qCWarning(logClient) << "guarded:" << error.name << error.message; });
}

void DaemonClient::registerAgent()
{
    if (!m_state.isReady())
        return;
    m_link.call({.interface = u"Breaches"_s,
                 .method = u"RegisterAgent"_s,
                 .arguments = {QVariant::fromValue(QDBusObjectPath(agentPath))},
                 .answer = {}},
                [this](const QVariantList &) {
                    m_state.agentRegistered = true;
                    Q_EMIT stateChanged(m_state);
                    refreshProtections(); // that somebody can be asked is one of them
                },
                [this](const DaemonError &error) {
                    qCWarning(logClient) << "not registered as agent:" << error.name << error.message;
                    m_retryAgent.start();
                });
}

// One list at a time: an answer that was under way when something changed again is followed by another.
void DaemonClient::refreshQuestions()
{
    if (!m_state.isReady())
        return;
    if (m_questionsRequested) {
        m_questionsOutdated = true;
        return;
    }
    m_questionsRequested = true;
    m_questionsOutdated = false;
    m_link.call({.interface = u"Breaches"_s, .method = u"List"_s, .answer = u"aa{sv}"_s},
                [this](const QVariantList &arguments) {
                    m_questionsRequested = false;
                    if (m_questionsOutdated)
                        refreshQuestions();
                    else
                        takeQuestions(arguments);
                },
                [this](const DaemonError &error) {
                    m_questionsRequested = false;
                    qCWarning(logClient) << "questions:" << error.name << error.message;
                });
}

void DaemonClient::takeQuestions(const QVariantList &arguments)
{
    const auto listed = parseList<Question>(arguments.first());
    const QList<Question> before = m_state.questions;
    for (const Question &question : before) {
        if (std::ranges::find(listed, question.id, &Question::id) == listed.cend())
            dropQuestion(question.id, WithdrawReason::Gone);
    }
    QList<Question> added;
    for (const Question &question : listed) {
        if (!m_state.question(question.id))
            added.append(question);
    }
    m_state.questions += added;
    Q_EMIT stateChanged(m_state);
    for (const Question &question : std::as_const(added))
        Q_EMIT questionAsked(question);
}

void DaemonClient::onAsked(const QVariantMap &map)
{
    // A daemon that speaks another contract may mean something else by the same words.
    if (!m_state.isReady())
        return;
    const auto question = Question::parse(map);
    if (!question) {
        qCWarning(logClient) << "a question does not fit the contract; it stays unanswered and is blocked";
        return;
    }
    m_questionsOutdated = m_questionsRequested;
    if (m_state.question(question->id))
        return;
    m_state.questions.append(*question);
    Q_EMIT stateChanged(m_state);
    Q_EMIT questionAsked(*question);
}

void DaemonClient::onWithdrawn(quint64 id, const QString &reason)
{
    m_questionsOutdated = m_questionsRequested;
    if (!m_state.question(id))
        return;
    dropQuestion(id, withdrawReasonOf(reason).value_or(WithdrawReason::Gone));
    Q_EMIT stateChanged(m_state);
}

void DaemonClient::dropQuestion(quint64 id, WithdrawReason reason)
{
    Q_EMIT questionWithdrawn(id, reason);
    m_state.questions.removeIf([id](const Question &question) { return question.id == id; });
}

} // namespace Tacet
