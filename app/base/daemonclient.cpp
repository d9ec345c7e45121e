// SPDX-License-Identifier: GPL-3.0-or-later
// One file, however long: everything here is a call of the contract or what follows from its answer.
#include "daemonclient.h"

#include "agent.h"
#include "agentadaptor.h"
#include "dbuslists.h"
#include "fields.h"
#include "timestamps.h"

#include <QDBusObjectPath>
#include <QDBusUnixFileDescriptor>

#include <algorithm>
#include <chrono>
#include <utility>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace Tacet {

namespace {

// The bus's own, not the contract's.
constexpr contract::Method getAllProperties{"org.freedesktop.DBus.Properties", "GetAll", "s", "a{sv}"};

bool isDenied(const DaemonError &error)
{
    return error.name == "org.freedesktop.DBus.Error.AccessDenied"_L1
           || error.name == "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired"_L1;
}

// A daemon of another generation may not have the interface, or answer in another form.
bool isMismatch(const DaemonError &error)
{
    return error.name == "org.freedesktop.DBus.Error.UnknownInterface"_L1 || error.name == "org.freedesktop.DBus.Error.UnknownObject"_L1
           || error.name == "org.freedesktop.DBus.Error.UnknownMethod"_L1 || error.name == "org.freedesktop.DBus.Error.InvalidArgs"_L1
           || error.name == "org.freedesktop.DBus.Error.InvalidSignature"_L1;
}

std::optional<ErrorCode> codeOf(const DaemonError &error)
{
    return contract::parse_error(error.name.toStdString());
}

} // namespace

DaemonClient::DaemonClient(const QDBusConnection &bus, QObject *parent) : QObject(parent), m_link(bus), m_agent(new Agent(&m_link, this))
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

DaemonLink::OnError DaemonClient::failure(Operation operation)
{
    return [this, operation](const DaemonError &error) { Q_EMIT failed(operation, error); };
}

// For the state, which the person did not ask for.
void DaemonClient::refresh(const contract::Method &method, DaemonLink::OnAnswer onAnswer)
{
    if (!m_state.isReady())
        return;
    m_link.call({.method = method}, std::move(onAnswer), [&method](const DaemonError &error) {
        qCWarning(logClient) << latin1(method.interface) << latin1(method.name) << error.name << error.message;
    });
}

// -- the connection --------------------------------------------------------------------------------------------------------

void DaemonClient::connectToDaemon()
{
    if (!m_state.isReady())
        setConnection(Connection::Connecting);
    refreshProperties();
}

void DaemonClient::refreshProperties()
{
    m_link.call({.method = getAllProperties, .arguments = {QString(latin1(contract::protection::interface))}},
                [this](const QVariantList &answer) { onProperties(answer); }, [this](const DaemonError &error) { onConnectError(error); });
}

void DaemonClient::onProperties(const QVariantList &answer)
{
    const auto map = qdbus_cast<QVariantMap>(answer.first());
    Fields fields(map);
    m_state.version = fields.optional<QString>(latin1(contract::protection::version_property));
    m_state.contract = fields.required<quint32>(latin1(contract::protection::contract_property));
    const auto module = fields.required(latin1(contract::protection::module_property), contract::parse_module_state);
    const auto pausedUntil = fromUnixTime(fields.optional<quint64>(latin1(contract::protection::paused_until_property)));
    if (!fields.isValid() || m_state.contract != contract::version) {
        leaveReady(Connection::Mismatch);
        return;
    }
    m_state.module = module;
    m_state.pausedUntil = pausedUntil;
    if (m_state.isReady()) {
        refreshProtections();
        refreshMemory();
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
    m_sessionsRequested = false;
    m_sessionsOutdated = false;
    m_state.agentRegistered = false;
    m_state.agentRefused.reset();
    m_state.protections.clear();
    m_state.rules.clear();
    m_state.guarded.clear();
    m_state.memory.reset();
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
    refreshMemory();
    registerAgent();
    refreshSessions();
    Q_EMIT labelsChanged();
    Q_EMIT logAdded();
}

// -- protection ------------------------------------------------------------------------------------------------------------

void DaemonClient::refreshProtections()
{
    refresh(contract::protection::list, [this](const QVariantList &answer) {
        m_state.protections = parseList<Protection>(answer.first());
        Q_EMIT stateChanged(m_state);
    });
}

void DaemonClient::pause(quint32 minutes)
{
    m_link.call({.method = contract::protection::pause, .arguments = {minutes}}, [this](const QVariantList &) { refreshProperties(); },
                failure(Operation::Pause));
}

void DaemonClient::resume()
{
    m_link.call({.method = contract::protection::resume}, [this](const QVariantList &) { refreshProperties(); },
                failure(Operation::Resume));
}

// -- memory ----------------------------------------------------------------------------------------------------------------

void DaemonClient::refreshMemory()
{
    refresh(contract::memory::policy, [this](const QVariantList &answer) {
        const auto scope = Tacet::codeOf(answer.at(0).toString(), contract::parse_memory_scope);
        QList<MemoryLayer> layers;
        const QStringList words = answer.at(1).toStringList();
        for (const QString &word : words) {
            if (const auto layer = Tacet::codeOf(word, contract::parse_memory_layer))
                layers.append(*layer);
        }
        m_state.memory = scope ? std::optional<MemoryPolicy>({*scope, layers, answer.at(2).toStringList()}) : std::nullopt;
        Q_EMIT stateChanged(m_state);
    });
}

void DaemonClient::changeMemory(const contract::Method &method, const QVariantList &arguments)
{
    m_link.call({.method = method, .arguments = arguments}, [this](const QVariantList &) { refreshMemory(); },
                [this](const DaemonError &error) {
        // The page shows again what holds.
        refreshMemory();
        Q_EMIT failed(Operation::ChangeMemory, error);
    });
}

void DaemonClient::setMemoryScope(MemoryScope scope)
{
    changeMemory(contract::memory::set_scope, {wordOf(scope)});
}

void DaemonClient::setMemoryLayer(MemoryLayer layer, bool wiped)
{
    changeMemory(contract::memory::set_layer, {wordOf(layer), wiped});
}

void DaemonClient::addMemoryProgram(const QString &path)
{
    changeMemory(contract::memory::add_program, {path});
}

void DaemonClient::removeMemoryProgram(const QString &path)
{
    changeMemory(contract::memory::remove_program, {path});
}

// -- questions -------------------------------------------------------------------------------------------------------------

// The daemon asks each open question then, and whenever this session becomes the active one: what was asked and not withdrawn
// is all that is open.
void DaemonClient::registerAgent()
{
    if (!m_state.isReady())
        return;
    m_link.call({.method = contract::breaches::register_agent, .arguments = {QVariant::fromValue(QDBusObjectPath(agentPath))}},
                [this](const QVariantList &) {
        m_state.agentRegistered = true;
        m_state.agentRefused.reset();
        Q_EMIT stateChanged(m_state);
        refreshProtections(); // that somebody can be asked is one of them
    }, [this](const DaemonError &error) {
        qCWarning(logClient) << "not registered as agent:" << error.name << error.message;
        m_state.agentRefused = codeOf(error);
        Q_EMIT stateChanged(m_state);
        m_retryAgent.start();
    });
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
    const auto known = std::ranges::find(m_state.questions, question->id, &Question::id);
    const bool isNew = known == m_state.questions.end();
    if (isNew)
        m_state.questions.append(*question);
    else if (std::exchange(*known, *question) == *question)
        return;
    Q_EMIT stateChanged(m_state);
    if (isNew)
        Q_EMIT questionAsked(*question);
}

void DaemonClient::onWithdrawn(quint64 id, const QString &reason)
{
    withdraw(id, Tacet::codeOf(reason, contract::parse_withdraw_reason).value_or(WithdrawReason::Gone));
}

void DaemonClient::withdraw(quint64 id, WithdrawReason reason)
{
    if (!m_state.question(id))
        return;
    dropQuestion(id, reason);
    Q_EMIT stateChanged(m_state);
}

void DaemonClient::dropQuestion(quint64 id, WithdrawReason reason)
{
    Q_EMIT questionWithdrawn(id, reason);
    m_state.questions.removeIf([id](const Question &question) { return question.id == id; });
}

void DaemonClient::answer(quint64 id, const Answer &answer)
{
    const QVariantMap scope = answer.makesRule() ? answer.scope.toMap() : QVariantMap();
    m_link.call({.method = contract::breaches::answer, .arguments = {id, wordOf(answer.verdict), wordOf(answer.duration), scope}},
                [this, id](const QVariantList &) {
        withdraw(id, WithdrawReason::Answered);
        Q_EMIT answered(id);
    }, [this, id](const DaemonError &error) {
        if (codeOf(error) == ErrorCode::NoSuchQuestion)
            withdraw(id, WithdrawReason::Gone);
        Q_EMIT answerFailed(id, error);
    });
}

void DaemonClient::extend(quint64 id)
{
    m_link.call({.method = contract::breaches::extend, .arguments = {id}}, [this, id](const QVariantList &answer) {
        const auto question = std::ranges::find(m_state.questions, id, &Question::id);
        if (question == m_state.questions.end())
            return;
        question->expires = answer.first().toULongLong();
        Q_EMIT stateChanged(m_state);
    }, [](const DaemonError &error) {
        // The prompt goes on to tell the time that the person has.
        qCWarning(logClient) << "no more time for a question:" << error.name << error.message;
    });
}

// -- rules -----------------------------------------------------------------------------------------------------------------

void DaemonClient::refreshRules()
{
    refresh(contract::rules::list, [this](const QVariantList &answer) {
        m_state.rules = parseList<Rule>(answer.first());
        Q_EMIT stateChanged(m_state);
    });
}

void DaemonClient::addRule(const RuleDraft &draft)
{
    m_link.call({.method = contract::rules::add, .arguments = {draft.toMap()}}, [this](const QVariantList &) { refreshRules(); },
                failure(Operation::AddRule));
}

void DaemonClient::removeRule(quint64 id)
{
    m_link.call({.method = contract::rules::remove, .arguments = {id}}, [this](const QVariantList &) { refreshRules(); },
                failure(Operation::RemoveRule));
}

void DaemonClient::replaceRule(quint64 id, const RuleDraft &draft)
{
    m_link.call({.method = contract::rules::add, .arguments = {draft.toMap()}}, [this, id](const QVariantList &answer) {
        // The daemon may answer a rule that exists with that rule's number.
        if (answer.first().toULongLong() != id)
            removeRule(id);
    }, failure(Operation::AddRule));
}

// -- labels ----------------------------------------------------------------------------------------------------------------

void DaemonClient::changeLabels(Operation operation, const contract::Method &method, const QVariantList &arguments)
{
    m_link.call({.method = method, .arguments = arguments}, [this, operation](const QVariantList &answer) {
        const QList<LabelFailure> failures = parseFailures(answer.first());
        if (!failures.isEmpty())
            Q_EMIT labelsRefused(operation, failures);
        Q_EMIT labelsChanged();
    }, failure(operation));
}

void DaemonClient::addLabels(const QStringList &paths, const QString &category)
{
    changeLabels(Operation::AddLabels, contract::labels::add, {paths, category});
}

void DaemonClient::removeLabels(const QStringList &paths)
{
    changeLabels(Operation::RemoveLabels, contract::labels::remove, {paths});
}

void DaemonClient::refreshGuarded()
{
    refresh(contract::labels::guarded, [this](const QVariantList &answer) {
        m_state.guarded = answer.first().toStringList();
        Q_EMIT stateChanged(m_state);
    });
}

void DaemonClient::guard(const QStringList &categories)
{
    m_link.call({.method = contract::labels::guard, .arguments = {categories}}, [this](const QVariantList &) { refreshGuarded(); },
                [this](const DaemonError &error) {
        // The box shows again what holds.
        refreshGuarded();
        Q_EMIT failed(Operation::Guard, error);
    });
}

void DaemonClient::listFiles(quint32 offset, quint32 limit)
{
    m_link.call({.method = contract::labels::list, .arguments = {offset, limit}}, [this, offset](const QVariantList &answer) {
        FilePage page{.offset = offset, .total = answer.at(1).toUInt(), .files = {}};
        page.files = parseList<LabelledFile>(answer.at(0), &page.listed);
        Q_EMIT filesListed(page);
    }, failure(Operation::ListFiles));
}

// -- log -------------------------------------------------------------------------------------------------------------------

void DaemonClient::listLog(quint64 after, quint32 limit)
{
    m_link.call({.method = contract::log::list, .arguments = {after, limit}}, [this, after](const QVariantList &answer) {
        Q_EMIT logListed(after, parseList<LogEntry>(answer.first()));
    }, failure(Operation::ListLog));
}

// -- private sessions ------------------------------------------------------------------------------------------------------

// One list at a time: an answer that was under way when something changed again is followed by another.
void DaemonClient::refreshSessions()
{
    if (!m_state.isReady())
        return;
    if (m_sessionsRequested) {
        m_sessionsOutdated = true;
        return;
    }
    m_sessionsRequested = true;
    m_sessionsOutdated = false;
    m_link.call({.method = contract::sessions::list}, [this](const QVariantList &answer) {
        m_sessionsRequested = false;
        if (m_sessionsOutdated) {
            refreshSessions();
            return;
        }
        const auto listed = parseList<PrivateSession>(answer.first());
        if (std::exchange(m_state.sessions, listed) != listed)
            Q_EMIT stateChanged(m_state);
    }, [this](const DaemonError &error) {
        m_sessionsRequested = false;
        qCWarning(logClient) << "private sessions:" << error.name << error.message;
    });
}

void DaemonClient::endSession(quint64 id)
{
    m_link.call({.method = contract::sessions::end, .arguments = {id}}, [this](const QVariantList &) { refreshSessions(); },
                [this](const DaemonError &error) {
        refreshSessions();
        // Gone already is what was asked for.
        if (codeOf(error) != ErrorCode::NoSuchSession)
            Q_EMIT failed(Operation::EndSession, error);
    });
}

void DaemonClient::endAllSessions()
{
    m_link.call({.method = contract::sessions::end_all}, [this](const QVariantList &) { refreshSessions(); },
                failure(Operation::EndSession));
}

void DaemonClient::listChanges(quint64 id)
{
    m_link.call({.method = contract::sessions::files, .arguments = {id}, .mayTakeLong = true}, [this, id](const QVariantList &answer) {
        Q_EMIT changesListed(id, parseList<SessionChange>(answer.first()));
    }, [this, id](const DaemonError &error) { Q_EMIT changesNotListed(id, error); });
}

void DaemonClient::listBoxes()
{
    m_link.call({.method = contract::sessions::boxes}, [this](const QVariantList &answer) {
        QStringList names;
        for (const QVariantMap &box : qdbus_cast<QList<QVariantMap>>(answer.first()))
            names << box.value(u"name"_s).toString();
        Q_EMIT boxesListed(names);
    }, [](const DaemonError &) {});
}

void DaemonClient::copyFile(quint64 id, const QByteArray &path, int file)
{
    m_link.call({.method = contract::sessions::keep,
                 .arguments = {id, path, QVariant::fromValue(QDBusUnixFileDescriptor(file))},
                 .mayTakeLong = true},
                [this, id, path](const QVariantList &) { Q_EMIT fileCopied(id, path); },
                [this, id, path](const DaemonError &error) { Q_EMIT fileNotCopied(id, path, error); });
}

} // namespace Tacet
