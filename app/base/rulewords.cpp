// SPDX-License-Identifier: GPL-3.0-or-later
#include "rulewords.h"

#include "untrusted.h"
#include "words.h"

#include <QLocale>

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

QString name(const QString &text, RuleWords::Format format)
{
    return format == RuleWords::Rich ? shownBold(text) : shown(text);
}

QString path(const QString &text, RuleWords::Format format)
{
    return format == RuleWords::Rich ? shownPathBold(text) : shownPath(text);
}

QString portName(quint16 port)
{
    // A port is a name, not an amount: no digit grouping.
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale.toString(port);
}

} // namespace

QString RuleWords::app(const RuleScope &scope, Format format)
{
    if (scope.executable.isEmpty())
        return tr("any app");
    return name(scope.executable.section(u'/', -1), format);
}

QString RuleWords::data(const RuleScope &scope, Format format)
{
    switch (scope.subjectKind) {
    case SubjectKind::File:
        return tr("data from %1").arg(path(scope.subject, format));
    case SubjectKind::Folder:
        return tr("data from files in %1").arg(path(scope.subject, format));
    case SubjectKind::Label:
        return tr("data of the category “%1”").arg(name(Words::category(scope.subject), format));
    case SubjectKind::Any:
        return tr("any sensitive data");
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString RuleWords::files(const RuleScope &scope, Format format)
{
    switch (scope.subjectKind) {
    case SubjectKind::File:
        return path(scope.subject, format);
    case SubjectKind::Folder:
        return tr("sensitive files in %1").arg(path(scope.subject, format));
    case SubjectKind::Label:
        return tr("files of the category “%1”").arg(name(Words::category(scope.subject), format));
    case SubjectKind::Any:
        return tr("any sensitive file");
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString RuleWords::changeSentence(Verdict verdict, const RuleScope &scope, const QString &duration, Format format)
{
    const QString who = app(scope, format);
    const QString what = files(scope, format);
    switch (verdict) {
    case Verdict::Allow:
        //: %1: an app; %2: which files; %3: how long
        return tr("Allow %1 to change %2: %3.").arg(who, what, duration);
    case Verdict::Quit:
        //: %1: an app; %2: which files; %3: how long
        return tr("Quit %1 when it is about to change %2: %3.").arg(who, what, duration);
    case Verdict::Block:
    case Verdict::Scrub:
    case Verdict::Takeover:
        break;
    }
    //: %1: an app; %2: which files; %3: how long
    return tr("Block %1 from changing %2: %3.").arg(who, what, duration);
}

QString RuleWords::destination(const RuleScope &scope, Format format)
{
    switch (scope.sink) {
    case Sink::File:
        return scope.host.isEmpty() ? tr("any drive that cannot keep marks") : tr("the file or folder %1").arg(path(scope.host, format));
    case Sink::Device:
        return scope.host.isEmpty() ? tr("any device") : tr("the device %1").arg(path(scope.host, format));
    case Sink::Other:
        return tr("any connection that cannot be followed");
    case Sink::Network:
    case Sink::Marked:
        break;
    }
    return host(scope, format);
}

QString RuleWords::host(const RuleScope &scope, Format format)
{
    if (scope.host.isEmpty() && scope.port == 0)
        return tr("any host");
    if (scope.host.isEmpty())
        return tr("port %1 of any host").arg(portName(scope.port));
    if (scope.port == 0)
        return name(scope.host, format);
    return tr("%1, port %2").arg(name(scope.host, format), portName(scope.port));
}

QString RuleWords::duration(Duration duration)
{
    switch (duration) {
    case Duration::Once:
        return tr("this one time");
    case Duration::Process:
        return tr("until the app quits");
    case Duration::Minutes15:
        return tr("for 15 minutes");
    case Duration::Hour:
        return tr("for 1 hour");
    case Duration::Reboot:
        return tr("until the computer restarts");
    case Duration::Always:
        return tr("always");
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString RuleWords::sentence(Verdict verdict, const RuleScope &scope, const QString &duration, Format format)
{
    if (scope.isChange())
        return changeSentence(verdict, scope, duration, format);
    const QString who = app(scope, format);
    const QString what = data(scope, format);
    const QString where = destination(scope, format);
    switch (verdict) {
    case Verdict::Block:
        //: %1: an app; %2: which data; %3: a host; %4: how long
        return tr("Block %1 from sending %2 to %3: %4.").arg(who, what, where, duration);
    case Verdict::Allow:
        //: %1: an app; %2: which data; %3: a host; %4: how long
        return tr("Allow %1 to send %2 to %3: %4.").arg(who, what, where, duration);
    case Verdict::Scrub:
        //: %1: an app; %2: which data; %3: a host; %4: how long
        return tr("When %1 sends %2 to %3, send the scrubbed copy instead: %4.").arg(who, what, where, duration);
    case Verdict::Takeover:
        //: %1: an app; %2: which data; %3: a host; %4: how long
        return tr("Continue %1 on scrubbed data when it is about to send %2 to %3: %4.").arg(who, what, where, duration);
    case Verdict::Quit:
        //: %1: an app; %2: which data; %3: a host; %4: how long
        return tr("Quit %1 when it is about to send %2 to %3: %4.").arg(who, what, where, duration);
    }
    Q_UNREACHABLE_RETURN(QString());
}

QString RuleWords::sentence(const RuleDraft &draft, Format format)
{
    return sentence(draft.verdict, draft.scope, duration(draft.duration), format);
}

QString RuleWords::sentence(const Rule &rule, Format format)
{
    QString howLong = duration(rule.draft.duration);
    if (rule.draft.duration == Duration::Process && rule.pid != 0)
        howLong = tr("until process %1 quits").arg(rule.pid);
    else if (rule.expires.isValid())
        howLong = tr("until %1").arg(Words::dateAndTime(rule.expires));
    return sentence(rule.draft.verdict, rule.draft.scope, howLong, format);
}

QString RuleWords::sentenceWithoutVerdict(Duration howLong, const RuleScope &scope, Format format)
{
    if (scope.isChange()) {
        //: %1: an app; %2: which files; %3: how long
        return tr("Your answer becomes a rule for when %1 changes %2: %3.")
            .arg(app(scope, format), files(scope, format), duration(howLong));
    }
    //: %1: an app; %2: which data; %3: a host; %4: how long
    return tr("Your answer becomes a rule for when %1 sends %2 to %3: %4.")
        .arg(app(scope, format), data(scope, format), destination(scope, format), duration(howLong));
}

} // namespace Tacet
