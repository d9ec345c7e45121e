// SPDX-License-Identifier: GPL-3.0-or-later
#include "logwords.h"

#include "untrusted.h"

using namespace Qt::StringLiterals;

namespace Tacet {

QString LogWords::changeDecision(Verdict verdict, bool removal)
{
    if (verdict == Verdict::Allow)
        return removal ? tr("Removal allowed") : tr("Change allowed");
    if (verdict == Verdict::Quit)
        return tr("App was quit");
    return removal ? tr("Removal blocked") : tr("Change blocked");
}

QString LogWords::decision(const LogEntry &entry)
{
    if (!entry.verdict)
        return tr("Decided");
    if (entry.isAboutChange())
        return changeDecision(*entry.verdict, entry.reason == "removal"_L1);
    switch (*entry.verdict) {
    case Verdict::Block:
        return tr("Blocked");
    case Verdict::Allow:
        return tr("Allowed");
    case Verdict::Scrub:
        return tr("Scrubbed copy sent");
    case Verdict::Takeover:
        return tr("Continued on scrubbed data");
    case Verdict::Quit:
        return tr("App was quit");
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString LogWords::event(const LogEntry &entry)
{
    switch (entry.kind) {
    case LogKind::Answered:
        return tr("%1 by your answer").arg(decision(entry));
    case LogKind::Rule:
        return tr("%1 by a rule").arg(decision(entry));
    case LogKind::Missed:
        return entry.isAboutChange() ? tr("%1: nobody answered").arg(changeDecision(Verdict::Block, entry.reason == "removal"_L1))
                                     : tr("Blocked: nobody answered");
    case LogKind::Paused:
        return tr("Allowed: protection was paused");
    case LogKind::Labelled:
        return tr("Marked as sensitive");
    case LogKind::Unlabelled:
        return tr("No longer sensitive");
    case LogKind::Derived:
        return tr("Sensitive: a program wrote sensitive data to it");
    case LogKind::Tainted:
        return tr("The doppelganger was lost");
    case LogKind::Refused:
        return tr("Refused");
    case LogKind::Lost:
        return tr("Events were lost");
    case LogKind::Other:
        return shown(entry.kindCode, 60);
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString LogWords::destination(const LogEntry &entry)
{
    if (entry.host.isEmpty())
        return {};
    const QString host = shown(entry.host, 80);
    if (entry.port == 0)
        return host;
    return u"%1:%2"_s.arg(host.contains(u':') ? u'[' + host + u']' : host, QString::number(entry.port));
}

} // namespace Tacet
