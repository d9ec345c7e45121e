// SPDX-License-Identifier: GPL-3.0-or-later
// The part of DaemonClient that carries what the person wants to the daemon.
#include "daemonclient.h"

#include "dbuslists.h"

using namespace Qt::StringLiterals;

namespace Tacet {

DaemonLink::OnError DaemonClient::failure(Operation operation)
{
    return [this, operation](const DaemonError &error) { Q_EMIT failed(operation, error); };
}

void DaemonClient::answer(quint64 id, const Answer &answer)
{
    const QVariantMap scope = answer.makesRule() ? answer.scope.toMap() : QVariantMap();
    m_link.call({.interface = u"Breaches"_s,
                 .method = u"Answer"_s,
                 .arguments = {id, codeOf(answer.verdict), codeOf(answer.duration), scope},
                 .answer = u"tu"_s,
                 .mayAskForPassword = true},
                [this, id](const QVariantList &) {
                    onWithdrawn(id, u"answered"_s);
                    Q_EMIT answered(id);
                },
                [this, id](const DaemonError &error) {
                    if (error.name == "org.tacet.Error.NoSuchQuestion"_L1)
                        onWithdrawn(id, u"gone"_s);
                    Q_EMIT answerFailed(id, error);
                });
}

void DaemonClient::addRule(const RuleDraft &draft)
{
    m_link.call({.interface = u"Rules"_s,
                 .method = u"Add"_s,
                 .arguments = {draft.toMap()},
                 .answer = u"t"_s,
                 .mayAskForPassword = true},
                [this](const QVariantList &) { refreshRules(); }, failure(Operation::AddRule));
}

void DaemonClient::removeRule(quint64 id)
{
    m_link.call({.interface = u"Rules"_s, .method = u"Remove"_s, .arguments = {id}, .mayAskForPassword = true},
                [this](const QVariantList &) { refreshRules(); }, failure(Operation::RemoveRule));
}

void DaemonClient::replaceRule(quint64 id, const RuleDraft &draft)
{
    m_link.call({.interface = u"Rules"_s,
                 .method = u"Add"_s,
                 .arguments = {draft.toMap()},
                 .answer = u"t"_s,
                 .mayAskForPassword = true},
                [this, id](const QVariantList &arguments) {
                    // The daemon may answer a rule that exists with that rule's number.
                    if (arguments.first().toULongLong() != id)
                        removeRule(id);
                },
                failure(Operation::AddRule));
}

void DaemonClient::changeLabels(Operation operation, const QString &method, const QVariantList &arguments)
{
    m_link.call({.interface = u"Labels"_s,
                 .method = method,
                 .arguments = arguments,
                 .answer = u"a(sss)"_s,
                 .mayAskForPassword = true},
                [this, operation](const QVariantList &answer) {
                    const QList<LabelFailure> failures = parseFailures(answer.first());
                    if (!failures.isEmpty())
                        Q_EMIT labelsRefused(operation, failures);
                    Q_EMIT labelsChanged();
                },
                failure(operation));
}

void DaemonClient::addLabels(const QStringList &paths, const QString &category)
{
    changeLabels(Operation::AddLabels, u"Add"_s, {paths, category});
}

void DaemonClient::removeLabels(const QStringList &paths)
{
    changeLabels(Operation::RemoveLabels, u"Remove"_s, {paths});
}

void DaemonClient::guard(const QStringList &categories)
{
    m_link.call({.interface = u"Labels"_s, .method = u"Guard"_s, .arguments = {categories}, .mayAskForPassword = true},
                [this](const QVariantList &) { refreshGuarded(); },
                [this](const DaemonError &error) {
                    // The box shows again what holds.
                    refreshGuarded();
                    Q_EMIT failed(Operation::Guard, error);
                });
}

void DaemonClient::listFiles(quint32 offset, quint32 limit)
{
    m_link.call({.interface = u"Labels"_s,
                 .method = u"List"_s,
                 .arguments = {offset, limit},
                 .answer = u"aa{sv}u"_s},
                [this, offset](const QVariantList &answer) {
                    FilePage page{.offset = offset, .total = answer.at(1).toUInt(), .files = {}};
                    page.files = parseList<LabelledFile>(answer.at(0), &page.listed);
                    Q_EMIT filesListed(page);
                },
                failure(Operation::ListFiles));
}

void DaemonClient::listLog(quint64 after, quint32 limit)
{
    m_link.call({.interface = u"Log"_s,
                 .method = u"List"_s,
                 .arguments = {after, limit},
                 .answer = u"aa{sv}"_s},
                [this, after](const QVariantList &answer) {
                    Q_EMIT logListed(after, parseList<LogEntry>(answer.first()));
                },
                failure(Operation::ListLog));
}

void DaemonClient::pause(quint32 minutes)
{
    m_link.call({.interface = u"Protection"_s,
                 .method = u"Pause"_s,
                 .arguments = {minutes},
                 .answer = u"t"_s,
                 .mayAskForPassword = true},
                [this](const QVariantList &) { refreshProperties(); }, failure(Operation::Pause));
}

void DaemonClient::resume()
{
    m_link.call({.interface = u"Protection"_s, .method = u"Resume"_s, .mayAskForPassword = true},
                [this](const QVariantList &) { refreshProperties(); }, failure(Operation::Resume));
}

} // namespace Tacet
