// SPDX-License-Identifier: GPL-3.0-or-later
#include "statusicons.h"

using namespace Qt::StringLiterals;

namespace Tacet {

namespace {

QIcon iconOf(const QString &name)
{
    return QIcon::fromTheme(name, QIcon(u":/icons/%1.svg"_s.arg(name)));
}

} // namespace

QString statusIconName(Condition condition)
{
    switch (condition) {
    case Condition::Protected:
        return u"tacet-protected"_s;
    case Condition::Partial:
        return u"tacet-partial"_s;
    case Condition::Private:
        return u"tacet-private"_s;
    case Condition::Paused:
        return u"tacet-paused"_s;
    case Condition::Question:
        return u"tacet-question"_s;
    case Condition::Connecting:
    case Condition::Absent:
    case Condition::ModuleAbsent:
        return u"tacet-absent"_s;
    case Condition::Denied:
    case Condition::Mismatch:
    case Condition::Unasked:
        return u"tacet-denied"_s;
    }
    Q_UNREACHABLE_RETURN(QString());
}

QIcon statusIcon(Condition condition)
{
    return iconOf(statusIconName(condition));
}

QIcon appIcon()
{
    return iconOf(u"org.tacet.App"_s);
}

} // namespace Tacet
